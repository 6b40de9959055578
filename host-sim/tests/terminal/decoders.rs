//! Small decoders of picture protocols, written from their descriptions and not from the encoders.

use dojo::terminal::raster::Rgb;

fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} is no letter of base64"),
    };
    let mut bytes = vec![];
    assert_eq!(text.len() % 4, 0);
    for group in text.as_bytes().chunks(4) {
        let letters: Vec<u8> = group
            .iter()
            .copied()
            .filter(|&l| l != b'=')
            .map(value)
            .collect();
        let bits = letters
            .iter()
            .fold(0u32, |bits, &six| bits << 6 | u32::from(six));
        let bits = bits << (6 * (4 - letters.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..letters.len()]);
    }
    bytes
}

/// The keys of the first part and the data of all.
pub(crate) fn kitty(stream: &str) -> (Vec<String>, Vec<u8>) {
    let mut keys = vec![];
    let mut data = String::new();
    let mut rest = stream;
    let mut more = true;
    while !rest.is_empty() {
        assert!(more, "parts follow the last");
        let body = rest.strip_prefix("\x1b_G").expect("an APC sequence");
        let (part, after) = body.split_once("\x1b\\").expect("its end");
        let (control, payload) = part.split_once(';').expect("a payload");
        assert!(payload.len() <= 4096);
        let control: Vec<String> = control.split(',').map(str::to_owned).collect();
        more = control.contains(&"m=1".to_owned());
        assert!(!more || payload.len() % 4 == 0);
        if keys.is_empty() {
            keys = control;
        }
        data.push_str(payload);
        rest = after;
    }
    assert!(!more, "the last part is missing");
    (keys, base64(&data))
}

/// The arguments and the file.
pub(crate) fn iterm(stream: &str) -> (Vec<String>, Vec<u8>) {
    let body = stream
        .strip_prefix("\x1b]1337;File=")
        .expect("an OSC sequence");
    let body = body.strip_suffix('\x07').expect("its end");
    let (keys, data) = body.split_once(':').expect("a file");
    (keys.split(';').map(str::to_owned).collect(), base64(data))
}

/// Size and colours of a PNG.
pub(crate) fn png(bytes: &[u8]) -> (u32, u32, Vec<Rgb>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut buffer).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let (pixels, _) = buffer[..info.buffer_size()].as_chunks::<3>();
    (info.width, info.height, pixels.to_vec())
}

/// Size and colours, in percent, of a sixel picture.
pub(crate) fn sixel(stream: &str) -> (u32, u32, Vec<[u32; 3]>) {
    let body = stream.strip_prefix("\x1bP").expect("a DCS sequence");
    let body = body.strip_suffix("\x1b\\").expect("its end");
    let (_, body) = body.split_once('q').expect("sixel data");
    let mut letters = body.chars().peekable();
    let numbers = |letters: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut numbers = vec![0u32];
        while let Some(&letter) = letters.peek() {
            match letter.to_digit(10) {
                Some(digit) => {
                    let last = numbers.last_mut().unwrap();
                    *last = *last * 10 + digit;
                }
                None if letter == ';' => numbers.push(0),
                None => break,
            }
            letters.next();
        }
        numbers
    };
    let mut palette = vec![None; 256];
    let (mut width, mut height) = (0, 0);
    let mut pixels: Vec<Option<[u32; 3]>> = vec![];
    let (mut x, mut top, mut ink, mut repeat) = (0, 0, 0usize, 1);
    while let Some(letter) = letters.next() {
        match letter {
            '"' => match numbers(&mut letters)[..] {
                [1, 1, w, h] => {
                    (width, height) = (w, h);
                    pixels = vec![None; (w * h) as usize];
                }
                ref other => panic!("raster attributes {other:?}"),
            },
            '#' => match numbers(&mut letters)[..] {
                [number] => ink = number as usize,
                [number, 2, r, g, b] => {
                    assert!(r.max(g).max(b) <= 100);
                    palette[number as usize] = Some([r, g, b]);
                }
                ref other => panic!("colour {other:?}"),
            },
            '!' => repeat = numbers(&mut letters)[0],
            '$' => x = 0,
            '-' => (x, top) = (0, top + 6),
            '?'..='~' => {
                let bits = letter as u32 - '?' as u32;
                for _ in 0..repeat {
                    for row in (0..6).filter(|row| bits >> row & 1 == 1) {
                        assert!(x < width && top + row < height, "a pixel outside");
                        let pixel = &mut pixels[((top + row) * width + x) as usize];
                        assert!(pixel.is_none(), "a pixel is painted twice");
                        *pixel = palette[ink];
                    }
                    x += 1;
                }
                repeat = 1;
            }
            other => panic!("{other:?} in sixel data"),
        }
    }
    let pixels = pixels
        .into_iter()
        .map(|pixel| pixel.expect("every pixel is painted"));
    (width, height, pixels.collect())
}

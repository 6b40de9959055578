//! Packs the faces of `src/faces/*.txt` into bytes and tables for `src/faces/mod.rs`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const FACES: [&str; 5] = [
    "lcd_body",
    "lcd_display",
    "oled_body",
    "oled_title",
    "tile_digits",
];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/faces");
    let mut code = String::new();
    for name in FACES {
        let file = folder.join(format!("{name}.txt"));
        println!("cargo::rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(&file).expect("the face can be read");
        code += &pack(name, &text);
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(PathBuf::from(out).join("faces.rs"), code).expect("OUT_DIR can be written");
}

/// A glyph without the empty rows above and below it.
struct Glyph {
    letter: char,
    width: usize,
    top: usize,
    rows: Vec<String>,
}

/// The face as Rust code: a `FaceData` of its name in capitals.
fn pack(name: &str, text: &str) -> String {
    let mut parts = text.split("\n\n");
    let (_, measures) = (parts.next(), parts.next().expect("measures"));
    let measure = |key: &str| -> u8 {
        let line = measures.lines().find_map(|line| line.strip_prefix(key));
        let number = line.and_then(|line| line.trim().parse().ok());
        number.unwrap_or_else(|| panic!("{name}: no {key}"))
    };
    let height = usize::from(measure("height "));
    let mut glyphs: Vec<Glyph> = parts.flat_map(|block| read(name, block, height)).collect();
    glyphs.sort_by_key(|glyph| glyph.letter);
    for pair in glyphs.windows(2) {
        assert!(
            pair[0].letter < pair[1].letter,
            "{name}: {} twice",
            pair[0].letter
        );
    }
    let mut bits = Vec::new();
    let mut table = String::new();
    for glyph in &glyphs {
        let (letter, width, top) = (u32::from(glyph.letter), glyph.width, glyph.top);
        let (at, rows) = (bits.len() / 8, glyph.rows.len());
        writeln!(
            table,
            "Glyph {{ letter: {letter}, at: {at}, width: {width}, top: {top}, rows: {rows} }},"
        )
        .expect("a string grows");
        bits.extend(
            glyph
                .rows
                .iter()
                .flat_map(|row| row.bytes().map(|ink| ink == b'#')),
        );
        bits.resize(bits.len().next_multiple_of(8), false);
    }
    let bytes: Vec<u8> = bits
        .chunks(8)
        .map(|byte| byte.iter().fold(0, |sum, &ink| sum << 1 | u8::from(ink)))
        .collect();
    let [cap, gap, space, lead] = ["cap ", "gap ", "space ", "lead "].map(measure);
    format!(
        "static {}: FaceData = FaceData {{\n\
         cap: {cap}, height: {height}, gap: {gap}, space: {space}, lead: {lead},\n\
         glyphs: &[\n{table}],\nkerning: &{:?},\nbits: &{bytes:?},\n}};\n",
        name.to_uppercase(),
        kerning(measures),
    )
}

/// The glyphs of a block.
fn read(name: &str, block: &str, height: usize) -> Vec<Glyph> {
    let mut lines = block
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let letters = lines.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> = lines.collect();
    assert_eq!(rows.len(), height, "{name}: rows of the block {letters:?}");
    let glyph = |(number, letter): (usize, &&str)| {
        let letter = letter.parse().expect("one character above each glyph");
        let all: Vec<&str> = rows.iter().map(|row| row[number]).collect();
        let width = all[0].len();
        assert!(
            all.iter().all(|row| row.len() == width),
            "{name}: {letter} is ragged"
        );
        let is_inked = |row: &&str| row.contains('#');
        let top = all.iter().position(is_inked).expect("a glyph has ink");
        let end = all.iter().rposition(is_inked).map_or(top, |last| last + 1);
        let rows = all[top..end].iter().map(|row| row.to_string()).collect();
        Glyph {
            letter,
            width,
            top,
            rows,
        }
    };
    letters.iter().enumerate().map(glyph).collect()
}

/// Pairs of letters with the pixels by which they stand closer, in order.
fn kerning(measures: &str) -> Vec<(u16, u16, u8)> {
    let mut pairs = Vec::new();
    for line in measures
        .lines()
        .filter_map(|line| line.strip_prefix("kern "))
    {
        let mut words = line.split_whitespace();
        let by = words
            .next()
            .and_then(|by| by.parse().ok())
            .expect("pixels of a kern line");
        pairs.extend(words.map(|pair| {
            let mut letters = pair.chars().map(|letter| letter as u16);
            let letter = letters.next().zip(letters.next());
            let (left, right) = letter.expect("two letters of a pair");
            (left, right, by)
        }));
    }
    pairs.sort();
    pairs
}

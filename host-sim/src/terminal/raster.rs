//! A picture with its palette: what every way of showing a frame starts from.

use dojo_handheld::{Frame, Ink};

use crate::terminal::layout::WHOLE;

use dojo_lab::failure::Failure;

/// A colour, each channel of eight bits.
pub type Rgb = [u8; 3];

/// Pixels as numbers of colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Pixels in a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// The number of each pixel's colour, row by row.
    pub pixels: Vec<u8>,
    /// The colours.
    pub palette: Vec<Rgb>,
}

impl Raster {
    /// The picture that a frame shows.
    pub fn of(frame: &Frame) -> Raster {
        let size = frame.screen().size();
        let rows = 0..size.height;
        let row = |y| (0..size.width).map(move |x| frame.pixel(x, y) as u8);
        Raster {
            width: size.width,
            height: size.height,
            pixels: rows.flat_map(row).collect(),
            palette: Ink::ALL.map(|ink| frame.theme().rgb(ink)).to_vec(),
        }
    }

    /// The colour of a pixel; black outside.
    pub fn at(&self, x: u32, y: u32) -> Rgb {
        let inside = x < self.width && y < self.height;
        let pixel = inside.then(|| self.pixels.get((y * self.width + x) as usize));
        let colour = pixel
            .flatten()
            .and_then(|&ink| self.palette.get(usize::from(ink)));
        colour.copied().unwrap_or_default()
    }

    /// The picture with each pixel `scale` pixels wide and high.
    pub fn scaled(&self, scale: u32) -> Raster {
        self.in_halves(WHOLE * scale)
    }

    /// The picture with `scale` pixels for [`WHOLE`] of its own.
    pub fn in_halves(&self, scale: u32) -> Raster {
        let (width, height) = (self.width * scale / WHOLE, self.height * scale / WHOLE);
        let of = |place: u32| place * WHOLE / scale;
        let pixel = |x: u32, y: u32| self.pixels[(of(y) * self.width + of(x)) as usize];
        Raster {
            width,
            height,
            pixels: (0..height)
                .flat_map(|y| (0..width).map(move |x| pixel(x, y)))
                .collect(),
            palette: self.palette.clone(),
        }
    }

    /// The picture as a PNG file with its palette.
    pub fn png(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![];
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.palette.concat());
        let mut writer = encoder.write_header().map_err(Failure::check)?;
        writer
            .write_image_data(&self.pixels)
            .and_then(|()| writer.finish())
            .map_err(Failure::check)?;
        Ok(bytes)
    }
}

//! Frames as PNG files.

use dojo_handheld::{Frame, Ink};

use dojo_lab::failure::Failure;

/// The picture as a PNG of sixteen colours, each pixel `scale` pixels wide and high.
pub fn png(frame: &Frame, scale: u32) -> Result<Vec<u8>, Failure> {
    let size = frame.screen().size();
    let (width, height) = (size.width * scale, size.height * scale);
    let mut bytes = vec![];
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(Ink::ALL.map(Ink::rgb).concat());
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| frame.pixel(x / scale, y / scale) as u8))
        .collect();
    let mut writer = encoder.write_header().map_err(Failure::check)?;
    writer
        .write_image_data(&pixels)
        .and_then(|()| writer.finish())
        .map_err(Failure::check)?;
    Ok(bytes)
}

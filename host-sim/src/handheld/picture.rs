//! Frames as PNG files.

use dojo_handheld::Frame;

use crate::terminal::raster::Raster;
use dojo_lab::failure::Failure;

/// The picture as a PNG of sixteen colours, each pixel `scale` pixels wide and high.
pub fn png(frame: &Frame, scale: u32) -> Result<Vec<u8>, Failure> {
    Raster::of(frame).scaled(scale).png()
}

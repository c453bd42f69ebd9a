//! A surface to draw simple shapes and text on.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageResult, Rgb, RgbImage};

use crate::glyphs;

/// A colour in red, green and blue.
pub(crate) type Colour = Rgb<u8>;

/// An image in the making. Whatever lies outside of it is not drawn.
pub(crate) struct Canvas(RgbImage);

impl Canvas {
    /// An image in one colour.
    pub(crate) fn new((width, height): (u32, u32), colour: Colour) -> Self {
        Self(RgbImage::from_pixel(width, height, colour))
    }

    /// Fills a rectangle, given its corner at the left and top.
    pub(crate) fn rectangle(
        &mut self,
        (left, top): (u32, u32),
        (width, height): (u32, u32),
        colour: Colour,
    ) {
        for y in top..top + height {
            for x in left..left + width {
                self.point((x, y), colour);
            }
        }
    }

    /// Fills an ellipse, given its centre and its two radii.
    pub(crate) fn ellipse(
        &mut self,
        (centre_x, centre_y): (u32, u32),
        (radius_x, radius_y): (u32, u32),
        colour: Colour,
    ) {
        for y in centre_y.saturating_sub(radius_y)..=centre_y + radius_y {
            for x in centre_x.saturating_sub(radius_x)..=centre_x + radius_x {
                let along = x.abs_diff(centre_x) * radius_y;
                let across = y.abs_diff(centre_y) * radius_x;
                if along.pow(2) + across.pow(2) <= (radius_x * radius_y).pow(2) {
                    self.point((x, y), colour);
                }
            }
        }
    }

    /// Writes a line of capitals, digits and punctuation. Each dot is `size` pixels wide.
    pub(crate) fn text(&mut self, (left, top): (u32, u32), size: u32, colour: Colour, text: &str) {
        for (character, place) in text.chars().zip(0..) {
            for (column, x) in glyphs::columns(character).into_iter().zip(0..) {
                for y in (0..7).filter(|y| (column >> y) & 1 == 1) {
                    let x = left + (place * glyphs::ADVANCE + x) * size;
                    self.rectangle((x, top + y * size), (size, size), colour);
                }
            }
        }
    }

    /// The image as a JPEG file.
    pub(crate) fn jpeg(&self) -> ImageResult<Vec<u8>> {
        let mut file = Vec::new();
        self.0.write_with_encoder(JpegEncoder::new_with_quality(&mut file, 60))?;
        Ok(file)
    }

    /// The image as a PNG file.
    pub(crate) fn png(&self) -> ImageResult<Vec<u8>> {
        let mut file = Vec::new();
        let encoder =
            PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive);
        self.0.write_with_encoder(encoder)?;
        Ok(file)
    }

    fn point(&mut self, (x, y): (u32, u32), colour: Colour) {
        if let Some(pixel) = self.0.get_pixel_mut_checked(x, y) {
            *pixel = colour;
        }
    }
}

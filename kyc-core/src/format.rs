//! The format of a document, found from its bytes (D24).

mod jpeg;
mod png;

use thiserror::Error;

/// A file format in which documents are accepted.
///
/// The format is found from the bytes alone. A file name and a declared media type are what a
/// client says about a file, and both may be wrong, so neither has a part in it (D24).
///
/// The formats are the only ones of the interface; a further one should stop the build of every
/// caller that treats formats differently, so the enum is exhaustive.
///
/// ```
/// use kyc_core::format::{FileFormat, InvalidFile};
///
/// assert_eq!(FileFormat::of(b"%PDF-1.7 ..."), Ok(FileFormat::Pdf));
/// assert_eq!(FileFormat::Pdf.media_type(), "application/pdf");
///
/// assert_eq!(FileFormat::of(b"GIF89a ..."), Err(InvalidFile::UnknownFormat));
/// assert_eq!(FileFormat::of(b"\xFF\xD8\xFF<html>"), Err(InvalidFile::BrokenHeader));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileFormat {
    /// JPEG, `image/jpeg`.
    Jpeg,
    /// PDF, `application/pdf`.
    Pdf,
    /// PNG, `image/png`.
    Png,
}

impl FileFormat {
    /// The most pixels that the header of an image may claim (D24).
    ///
    /// Far above what cameras and scanners make of a document, and low enough that a program
    /// which shows the image later needs no more than some hundred megabytes to decode it.
    pub const PIXELS_MAX: u64 = 100_000_000;

    /// Finds the format of a file.
    ///
    /// A signature at offset 0 decides which format it is, and the header of an image must then
    /// be whole: a JPEG up to its frame header, a PNG up to the checksum of its `IHDR` chunk.
    /// Image data are never decoded, and of a PDF nothing is read but its first five bytes.
    /// The work grows with the length of the header, in the worst case with that of `bytes`.
    ///
    /// # Errors
    ///
    /// [`InvalidFile`] says what is wrong with the bytes.
    pub fn of(bytes: &[u8]) -> Result<Self, InvalidFile> {
        let (format, pixels) = if bytes.starts_with(jpeg::SIGNATURE) {
            (Self::Jpeg, jpeg::pixels(bytes))
        } else if bytes.starts_with(png::SIGNATURE) {
            (Self::Png, png::pixels(bytes))
        } else if bytes.starts_with(b"%PDF-") {
            return Ok(Self::Pdf);
        } else {
            return Err(InvalidFile::UnknownFormat);
        };
        match pixels {
            None | Some(0) => Err(InvalidFile::BrokenHeader),
            Some(1..=Self::PIXELS_MAX) => Ok(format),
            Some(_) => Err(InvalidFile::TooManyPixels),
        }
    }

    /// The media type, as in `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
        }
    }

    /// Whether it is an image, as a selfie has to be (D24).
    pub fn is_image(self) -> bool {
        match self {
            Self::Jpeg | Self::Png => true,
            Self::Pdf => false,
        }
    }
}

/// Why bytes are not acceptable as a document.
///
/// Callers answer each case differently, so the enum is exhaustive.
///
/// ```
/// use kyc_core::format::{FileFormat, InvalidFile};
///
/// let error = FileFormat::of(b"PK\x03\x04").unwrap_err();
/// assert_eq!(error, InvalidFile::UnknownFormat);
/// assert_eq!(error.to_string(), "the file is neither a JPEG nor a PNG image nor a PDF");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidFile {
    /// The bytes start with the signature of an image, but its header is cut short, contradicts
    /// the format, or claims an image without pixels.
    #[error("the header of the image is broken")]
    BrokenHeader,
    /// The header claims more than [`FileFormat::PIXELS_MAX`] pixels.
    #[error("the image has more than 100 megapixels")]
    TooManyPixels,
    /// The bytes start with no signature of a [`FileFormat`].
    #[error("the file is neither a JPEG nor a PNG image nor a PDF")]
    UnknownFormat,
}

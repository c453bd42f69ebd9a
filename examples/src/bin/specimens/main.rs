//! Draws the specimen documents in `examples/specimens`.
//!
//! They stand in for real ones in examples and tests: small, in each accepted format, and of
//! people and places that do not exist. Drawing them again gives the same bytes.
//!
//! ```text
//! cargo run -p examples --bin specimens [FOLDER]
//! ```

mod canvas;
mod drawings;
mod glyphs;
mod letter;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use image::ImageResult;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).map_or_else(|| PathBuf::from(FOLDER), PathBuf::from);
    fs::create_dir_all(&folder)?;
    for (name, bytes) in specimens()? {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// File name and bytes of every specimen.
fn specimens() -> ImageResult<[(&'static str, Vec<u8>); 4]> {
    Ok([
        ("passport.jpg", drawings::passport().jpeg()?),
        ("selfie.png", drawings::selfie().png()?),
        ("licence.png", drawings::licence().png()?),
        ("address.pdf", letter::pdf()),
    ])
}

/// Where the specimens of this repository are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/specimens");

#[cfg(test)]
mod tests {
    use kyc_core::format::FileFormat;

    use super::*;

    #[test]
    fn drawing_again_gives_the_committed_files() {
        for (name, bytes) in specimens().unwrap() {
            let committed = fs::read(PathBuf::from(FOLDER).join(name)).unwrap();
            assert!(bytes == committed, "{name} differs");
        }
    }

    #[test]
    fn specimens_are_small_and_what_their_names_say() {
        for (name, bytes) in specimens().unwrap() {
            let (_, format) = FileFormat::of(&bytes).unwrap().media_type().split_once('/').unwrap();
            assert!(name.ends_with(&format.replace("jpeg", "jpg")), "{name} is {format}");
            assert!(bytes.len() < 40 * 1024, "{name} has {} bytes", bytes.len());
        }
    }

    /// Decoders of others agree that the images are whole.
    #[test]
    fn images_decode() {
        for (name, bytes) in specimens().unwrap() {
            if FileFormat::of(&bytes).unwrap().is_image() {
                let image = image::load_from_memory(&bytes).unwrap();
                assert!(image.width() >= 320 && image.height() >= 240, "{name}");
            }
        }
    }

    #[test]
    fn the_cross_reference_table_of_the_pdf_is_true() {
        let pdf = String::from_utf8(letter::pdf()).unwrap();
        let (body, trailer) = pdf.rsplit_once("startxref\n").unwrap();
        let table: usize = trailer.lines().next().unwrap().parse().unwrap();
        let entries =
            body[table..].lines().skip(3).map_while(|line| line.strip_suffix(" 00000 n "));
        let mut objects = 0;
        for (entry, number) in entries.zip(1..) {
            let offset: usize = entry.parse().unwrap();
            assert!(pdf[offset..].starts_with(&format!("{number} 0 obj\n")), "object {number}");
            objects = number;
        }
        assert_eq!(objects, pdf.matches(" 0 obj\n").count());
    }
}

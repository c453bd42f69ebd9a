//! Files that come packed: gzip and zip, unpacked to a bounded size.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use zip::ZipArchive;

use super::error::UnpackError;

/// Makes what came as `packed` the file `plain`: what was encoded on its way is decoded, then what
/// its publisher packed is unpacked.
pub(super) fn unpack(
    packed: &Path,
    is_encoded: bool,
    plain: &Path,
    bytes_max: u64,
) -> Result<(), UnpackError> {
    if is_encoded {
        let decoded = packed.with_extension("decoded");
        copy(MultiGzDecoder::new(open(packed)?), &decoded, bytes_max)?;
        fs::rename(&decoded, packed).map_err(disk(packed))?;
    }
    let mut begin = Vec::new();
    open(packed)?.take(4).read_to_end(&mut begin).map_err(disk(packed))?;
    if begin.starts_with(GZIP) {
        copy(MultiGzDecoder::new(open(packed)?), plain, bytes_max)?;
    } else if begin == ZIP {
        let broken = |error: zip::result::ZipError| UnpackError::Archive(error.into());
        let mut archive = ZipArchive::new(open(packed)?).map_err(broken)?;
        let files: Vec<usize> = (0..archive.len())
            .filter(|at| archive.by_index_raw(*at).is_ok_and(|entry| entry.is_file()))
            .collect();
        let [file] = *files else {
            return Err(UnpackError::Files { files: files.len() });
        };
        copy(archive.by_index(file).map_err(broken)?, plain, bytes_max)?;
    } else {
        return fs::rename(packed, plain).map_err(disk(plain));
    }
    fs::remove_file(packed).map_err(disk(packed))
}

/// Writes what comes out, unless it is too much; then nothing of it stays.
fn copy(from: impl Read, into: &Path, bytes_max: u64) -> Result<(), UnpackError> {
    let written = write(from.take(bytes_max.saturating_add(1)), into).and_then(|bytes| {
        if bytes > bytes_max { Err(UnpackError::TooLarge { bytes_max }) } else { Ok(()) }
    });
    if written.is_err() {
        // Room for the next attempt; where even this fails, the first failure is the one to tell.
        let _ = fs::remove_file(into);
    }
    written
}

fn write(mut from: impl Read, into: &Path) -> Result<u64, UnpackError> {
    let mut file = BufWriter::new(File::create(into).map_err(disk(into))?);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut unpacked = 0;
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(UnpackError::Damaged { unpacked, source }),
        };
        file.write_all(buffer.get(..read).unwrap_or_default()).map_err(disk(into))?;
        unpacked += read as u64;
    }
    file.flush().map_err(disk(into))?;
    Ok(unpacked)
}

fn open(path: &Path) -> Result<BufReader<File>, UnpackError> {
    File::open(path).map(BufReader::new).map_err(disk(path))
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> UnpackError + use<> {
    let path = path.to_owned();
    move |source| UnpackError::Disk { path, source }
}

const GZIP: &[u8] = b"\x1f\x8b";
const ZIP: &[u8] = b"PK\x03\x04";
const BUFFER_BYTES: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const LIMIT: u64 = 300;
    const TEXT: &str = "id,name\n1,Mira Kole\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// The text, or why there is none. Whatever happens, no left-over is larger than allowed.
    fn unpacked(bytes: &[u8], is_encoded: bool) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let (packed, plain) = (folder.path().join("list.part"), folder.path().join("list"));
        fs::write(&packed, bytes).unwrap();
        let result = unpack(&packed, is_encoded, &plain, LIMIT);
        for file in fs::read_dir(folder.path()).unwrap() {
            let bytes_left = file.unwrap().metadata().unwrap().len();
            assert!(bytes_left <= LIMIT.max(bytes.len() as u64), "{bytes_left}");
        }
        result.map(|()| fs::read_to_string(&plain).unwrap()).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check_refused(bytes: &[u8], is_encoded: bool, said: &str) {
        let why = unpacked(bytes, is_encoded).unwrap_err();
        assert!(why.contains(said), "{why}");
    }

    #[test]
    fn plain_text_gzip_and_zip_give_the_same_text() {
        let text = TEXT.as_bytes();
        assert_eq!(unpacked(text, false).unwrap(), TEXT);
        assert_eq!(unpacked(&gzip(text), true).unwrap(), TEXT);
        assert_eq!(unpacked(&gzip(text), false).unwrap(), TEXT);
        assert_eq!(unpacked(&gzip(&gzip(text)), true).unwrap(), TEXT);
        assert_eq!(unpacked(&zip(&[("a/list.csv", text)]), false).unwrap(), TEXT);
        assert_eq!(unpacked(&gzip(&zip(&[("list.csv", text)])), true).unwrap(), TEXT);
        assert_eq!(
            unpacked(&[gzip(b"id,name\n"), gzip(b"1,M\n")].concat(), false).unwrap(),
            "id,name\n1,M\n"
        );
    }

    #[test]
    fn t30_what_unpacks_to_more_than_any_list_is_refused() {
        let zeros = vec![b'0'; 301];
        let said = "it holds more than 300 bytes";
        check_refused(&gzip(&zeros), true, said);
        check_refused(&gzip(&zeros), false, said);
        check_refused(&zip(&[("list.csv", &zeros)]), false, said);
        assert!(unpacked(&gzip(&zeros[..300]), false).is_ok());
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_refused_with_its_place() {
        let packed = gzip(TEXT.as_bytes());
        check_refused(&packed[..packed.len() - 9], false, "cut off or damaged behind byte ");
        check_refused(&packed[..packed.len() - 9], true, "cut off or damaged behind byte ");
        let mut changed = packed.clone();
        changed[packed.len() - 6] ^= 1;
        check_refused(&changed, false, "cut off or damaged");
        let archive = zip(&[("list.csv", TEXT.as_bytes())]);
        check_refused(&archive[..archive.len() - 9], false, "the zip archive is cut off");
        check_refused(TEXT.as_bytes(), true, "cut off or damaged behind byte 0");
    }

    #[test]
    fn an_archive_of_several_files_does_not_say_which_is_the_list() {
        check_refused(&zip(&[("a", b"1"), ("b", b"2")]), false, "has to hold one file");
    }
}

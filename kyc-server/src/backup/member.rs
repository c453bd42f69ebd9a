//! The files in a backup.

use kyc_store_sqlite::DocumentFile;

/// A file in a backup. Their order is the one that they have there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    Database,
    Pepper,
    /// The mark of a folder with a vault, whose pepper is sealed in the database.
    Sealed,
    /// Which editions of the lists are current.
    Lists,
    Edition(EditionFile),
    Document(DocumentFile),
    Manifest,
    /// The checksums of what stands since the last ones. They may come anywhere.
    Sums(u32),
}

/// A file of an edition of a list: three names that lead into one folder after another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EditionFile {
    list: String,
    edition: String,
    file: String,
}

impl EditionFile {
    /// `None` where a name could lead elsewhere.
    pub(super) fn new(list: &str, edition: &str, file: &str) -> Option<Self> {
        let is_plain = |name: &str| {
            (1..=NAME_MAX).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let (stem, ending) = file.split_once('.')?;
        let are_plain = [list, edition, stem, ending].into_iter().all(is_plain);
        let own = |name: &str| name.to_owned();
        are_plain.then(|| Self { list: own(list), edition: own(edition), file: own(file) })
    }
}

impl Member {
    /// Its place in the backup and, but for the last two, in a data folder.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Database => "kyc.sqlite".to_owned(),
            Self::Pepper => "pepper".to_owned(),
            Self::Sealed => "sealed".to_owned(),
            Self::Lists => "lists/manifest.json".to_owned(),
            Self::Edition(EditionFile { list, edition, file }) => {
                format!("lists/{list}/{edition}/{file}")
            }
            Self::Document(document) => document.path(),
            Self::Manifest => "manifest.json".to_owned(),
            Self::Sums(number) => format!("SHA256SUMS.{number:04}"),
        }
    }

    /// The member of a path. `None` for every other path, however it is spelt.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let member = match path.split('/').collect::<Vec<_>>().as_slice() {
            ["kyc.sqlite"] => Self::Database,
            ["pepper"] => Self::Pepper,
            ["sealed"] => Self::Sealed,
            ["manifest.json"] => Self::Manifest,
            ["lists", "manifest.json"] => Self::Lists,
            ["lists", list, edition, file] => Self::Edition(EditionFile::new(list, edition, file)?),
            ["documents", ..] => Self::Document(DocumentFile::of_path(path)?),
            [name] => Self::Sums(name.strip_prefix("SHA256SUMS.")?.parse().ok()?),
            _ => return None,
        };
        (member.path() == path).then_some(member)
    }

    /// Larger ones are refused before anything of them is read.
    pub(super) fn bytes_max(&self) -> u64 {
        match self {
            // Bounded by the backup itself: nothing in it is packed.
            Self::Database => u64::MAX,
            Self::Pepper | Self::Sealed => 4 << 10,
            Self::Edition(_) => 1 << 30,
            // Its size is a number of 32 bits; sealing adds less than a kilobyte.
            Self::Document(_) => u64::from(u32::MAX) + 1_024,
            Self::Manifest => 64 << 20,
            Self::Lists | Self::Sums(_) => 16 << 20,
        }
    }
}

/// Longer than every name that the library gives, and a path of three of them fits into a header.
const NAME_MAX: usize = 70;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_no_path_leads_out_of_the_folder() {
        for path in [
            "kyc.sqlite",
            "pepper",
            "lists/manifest.json",
            "lists/UN/0a1b/list.xml",
            "documents/7/w/01jd3v9k8m2q4r5s6t7v8w9x0w",
            "manifest.json",
            "SHA256SUMS.0001",
        ] {
            assert_eq!(Member::of_path(path).unwrap().path(), path);
        }
        for path in [
            "",
            "/kyc.sqlite",
            "./kyc.sqlite",
            "../kyc.sqlite",
            "kyc.sqlite/",
            "KYC.SQLITE",
            "kyc.sqlite\0",
            "master.key",
            "lists/UN/../list.xml",
            "lists/UN/0a1b/..",
            "lists/UN/0a1b/.list",
            "lists/UN/0a1b/list.xml.new",
            "lists/.updates/UN/list.xml",
            "lists/prepared.image",
            "documents/7/w/../../../etc/passwd",
            "documents/7/x/01jd3v9k8m2q4r5s6t7v8w9x0w",
            "documents/007/w/01jd3v9k8m2q4r5s6t7v8w9x0w",
            "documents/0/w/01jd3v9k8m2q4r5s6t7v8w9x0w",
            "SHA256SUMS.1",
            "SHA256SUMS.99999999999",
        ] {
            assert_eq!(Member::of_path(path), None, "{path}");
        }
    }
}

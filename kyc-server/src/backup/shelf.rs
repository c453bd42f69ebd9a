//! The folder of backups that the service makes by itself (D112).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kyc_core::Timestamp;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;
use time::{PrimitiveDateTime, UtcDateTime};

use super::target::remove_left_overs;

/// A folder in which every backup of a known name is whole and was given back as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shelf(PathBuf);

impl Shelf {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// Where a backup of that time belongs.
    pub(crate) fn place(&self, at: Timestamp, is_sealed: bool) -> PathBuf {
        // Every time has these parts.
        let at = at.to_utc().format(AT).unwrap_or_default();
        self.0.join(format!("{PREFIX}{at}{}", if is_sealed { SEALED } else { CLEAR }))
    }

    /// When the last one was made. `None` where there is none.
    pub(crate) fn newest(&self) -> io::Result<Option<Timestamp>> {
        Ok(self.all()?.pop().map(|(at, _)| at))
    }

    /// Removes the oldest ones but so many, and says how many those were. Files of other names are
    /// not ours, and stay.
    pub(crate) fn thin_out(&self, keep: usize) -> io::Result<usize> {
        let mut all = self.all()?;
        all.truncate(all.len().saturating_sub(keep));
        for (_, path) in &all {
            fs::remove_file(path)?;
        }
        Ok(all.len())
    }

    /// Removes what killed processes left over of backups on their way.
    pub(crate) fn clear(&self) -> io::Result<()> {
        remove_left_overs(&self.0, |name| made_at(name).is_some())
    }

    /// The oldest first.
    fn all(&self) -> io::Result<Vec<(Timestamp, PathBuf)>> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if let Some(at) = path.file_name().and_then(|name| made_at(name.to_str()?)) {
                found.push((at, path));
            }
        }
        found.sort();
        Ok(found)
    }
}

/// When the backup of a name was made.
fn made_at(name: &str) -> Option<Timestamp> {
    let rest = name.strip_prefix(PREFIX)?;
    let at = rest.strip_suffix(SEALED).or_else(|| rest.strip_suffix(CLEAR))?;
    let at = PrimitiveDateTime::parse(at, AT).ok()?;
    Some(Timestamp::from_utc(UtcDateTime::new(at.date(), at.time())))
}

/// When the last good backup is too old: the next one had twice the time that it was given.
pub(crate) fn is_too_old(age: Duration, every: Duration) -> bool {
    age > every * 2
}

const PREFIX: &str = "kyc-";
const CLEAR: &str = ".tar";
const SEALED: &str = ".tar.age";
const AT: StaticFormatDescription =
    format_description!("[year][month][day]T[hour][minute][second]Z");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d112_the_oldest_go_and_strangers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path().to_owned());
        assert_eq!(shelf.newest().unwrap(), None);
        let at = |day: i64| Timestamp::from_unix_millis(day * 86_400_000).unwrap();
        for day in [20_001, 20_000, 20_003, 20_002] {
            fs::write(shelf.place(at(day), day % 2 == 0), "").unwrap();
        }
        let strangers = [
            "kyc-last.tar",
            "kyc-20261121T010203Z.tar.unfinished",
            "kyc-20261121T010203Z.tar.me.unfinished",
            "kyc-last.tar.17.unfinished",
            "notes.txt",
        ];
        for stranger in strangers {
            fs::write(folder.path().join(stranger), "").unwrap();
        }
        assert_eq!(shelf.newest().unwrap(), Some(at(20_003)));
        assert_eq!(shelf.thin_out(3).unwrap(), 1);
        assert_eq!(shelf.thin_out(3).unwrap(), 0);
        let left_over = folder.path().join("kyc-20261121T010203Z.tar.17.unfinished");
        let under_way = fs::File::create(&left_over).unwrap();
        under_way.lock().unwrap();
        shelf.clear().unwrap();
        assert!(left_over.exists());
        drop(under_way);
        shelf.clear().unwrap();
        assert!(!left_over.exists());
        assert!(!shelf.place(at(20_000), true).exists() && shelf.place(at(20_001), false).exists());
        assert!(strangers.iter().all(|name| folder.path().join(name).exists()));
    }
}

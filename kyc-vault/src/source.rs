//! Where a master key comes from.

mod error;

pub use error::SourceError;

use std::fmt;
use std::path::PathBuf;

use zeroize::Zeroizing;

use crate::file;
use crate::master::{Fingerprint, MasterKey};
use crate::share::Share;

/// Where the master key comes from: a file, a text such as an environment variable, or two
/// custodians of whom each has one of either.
///
/// A key takes effect in three moves, so that a crash between them loses nothing. The next key is
/// made, or read, and survives a crash ([`next`](Self::next)). What it protects is written, with the
/// key's fingerprint. Then it takes the place of the one before ([`keep`](Self::keep)). Whoever opens
/// takes the key whose fingerprint fits ([`fitting`](Self::fitting)).
///
/// ```
/// use kyc_vault::Source;
///
/// let folder = tempfile::tempdir()?;
/// let source = Source::file(folder.path().join("master.key"));
/// let master = source.first()?;
/// // Here the fingerprint is written down.
/// source.keep(&master.fingerprint())?;
/// assert_eq!(source.fitting(&master.fingerprint())?.fingerprint(), master.fingerprint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Source(Kind);

#[derive(Clone)]
enum Kind {
    Whole(Holder),
    Shared([Holder; 2]),
}

/// Who holds a text.
#[derive(Clone)]
enum Holder {
    File(PathBuf),
    Given { now: Zeroizing<String>, next: Option<Zeroizing<String>> },
}

/// Which text is meant.
#[derive(Clone, Copy)]
enum Turn {
    Now,
    Next,
}

impl Source {
    /// A file of mode 0600 that is made at the first run.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self(Kind::Whole(Holder::File(path.into())))
    }

    /// A text, and the one that a rotation changes to.
    pub fn text(now: Zeroizing<String>, next: Option<Zeroizing<String>>) -> Self {
        Self(Kind::Whole(Holder::Given { now, next }))
    }

    /// Two files of mode 0600, each with the share of a custodian, that are made at the first run.
    pub fn share_files(paths: [PathBuf; 2]) -> Self {
        Self(Kind::Shared(paths.map(Holder::File)))
    }

    /// The texts of two custodians, and those that a rotation changes to.
    pub fn share_texts(now: [Zeroizing<String>; 2], next: Option<[Zeroizing<String>; 2]>) -> Self {
        let [one, other] = now;
        let [next_one, next_other] = next.map_or([None, None], |texts| texts.map(Some));
        let holder = |now, next| Holder::Given { now, next };
        Self(Kind::Shared([holder(one, next_one), holder(other, next_other)]))
    }

    /// Writes a key into a new file of mode 0600.
    ///
    /// # Errors
    ///
    /// [`SourceError::Exists`], [`SourceError::Unwritable`]. There is no new file then.
    pub fn write_file(path: PathBuf, key: &MasterKey) -> Result<Self, SourceError> {
        file::write_new(&path, &key.to_text())?;
        Ok(Self::file(path))
    }

    /// Splits a key into two new files of mode 0600, each with the share of a custodian.
    ///
    /// # Errors
    ///
    /// [`SourceError::Exists`], [`SourceError::Unwritable`]. There is no new file then.
    ///
    /// ```
    /// use kyc_vault::{MasterKey, Source};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let files = ["one.key", "other.key"].map(|name| folder.path().join(name));
    /// let master = MasterKey::random()?;
    /// let shares = Source::write_share_files(files, &master)?;
    /// assert_eq!(shares.current()?.fingerprint(), master.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_share_files(paths: [PathBuf; 2], key: &MasterKey) -> Result<Self, SourceError> {
        let ([one, other], shares) = (&paths, key.split()?.map(|share| share.to_text()));
        let [one_text, other_text] = &shares;
        file::write_new(one, one_text)?;
        if let Err(error) = file::write_new(other, other_text) {
            // Of no use without the other.
            let _ = file::remove(one);
            return Err(error);
        }
        Ok(Self::share_files(paths))
    }

    /// The key that is there, whatever it has sealed.
    ///
    /// # Errors
    ///
    /// [`SourceError::Missing`], and what is wrong with the holders.
    pub fn current(&self) -> Result<MasterKey, SourceError> {
        self.key(Turn::Now)?.ok_or(SourceError::Missing)
    }

    /// The key with that fingerprint. If it is the next one, a crash came before it was kept, which
    /// is done now if it can be: for whoever opens, while nobody else opens or rotates.
    ///
    /// # Errors
    ///
    /// [`SourceError::Missing`], [`SourceError::OtherKey`], and what is wrong with the holders.
    pub fn fitting(&self, fingerprint: &Fingerprint) -> Result<MasterKey, SourceError> {
        let key = self.find(fingerprint)?;
        // It opens as well from where it waits.
        let _ = self.keep(fingerprint);
        Ok(key)
    }

    /// The key with that fingerprint, wherever it is. Moves nothing, so others may rotate meanwhile.
    ///
    /// # Errors
    ///
    /// [`SourceError::Missing`], [`SourceError::OtherKey`], and what is wrong with the holders.
    pub fn find(&self, fingerprint: &Fingerprint) -> Result<MasterKey, SourceError> {
        let fits = |key: &MasterKey| key.fingerprint() == *fingerprint;
        // Between two looks it may have been kept, which moves it from the one place to the other.
        for turn in [Turn::Now, Turn::Next] {
            if let Some(key) = self.key(turn).ok().flatten().filter(fits) {
                return Ok(key);
            }
        }
        match self.key(Turn::Now)? {
            Some(key) if fits(&key) => Ok(key),
            Some(_) => Err(SourceError::OtherKey),
            None => Err(SourceError::Missing),
        }
    }

    /// The key for what was never sealed: the one that is there, or else one that is made. It waits
    /// until it is [kept](Self::keep).
    ///
    /// # Errors
    ///
    /// What is wrong with the holders.
    pub fn first(&self) -> Result<MasterKey, SourceError> {
        match self.key(Turn::Now)? {
            Some(key) => Ok(key),
            None => self.next(),
        }
    }

    /// The key that a rotation changes to: made, written down and read back, or read where it is
    /// given. It waits until it is [kept](Self::keep).
    ///
    /// # Errors
    ///
    /// [`SourceError::NextMissing`] where keys are given and the next one is not;
    /// [`SourceError::Unwritable`].
    pub fn next(&self) -> Result<MasterKey, SourceError> {
        if self.is_given() {
            return self.key(Turn::Next)?.ok_or(SourceError::NextMissing);
        }
        let key = MasterKey::random()?;
        match &self.0 {
            Kind::Whole(holder) => holder.write_next(&key.to_text())?,
            Kind::Shared(holders) => {
                for (holder, share) in holders.iter().zip(key.split()?) {
                    holder.write_next(&share.to_text())?;
                }
            }
        }
        // As it is there, since that is all that is left of it later.
        self.key(Turn::Next)?.ok_or(SourceError::Missing)
    }

    /// Gives the next key the place of the one before, if it has that fingerprint. Another one that
    /// waits was never in use, and stays where it is.
    ///
    /// # Errors
    ///
    /// [`SourceError::Waits`]: the key goes on to wait, and [`fitting`](Self::fitting) finds it there.
    pub fn keep(&self, fingerprint: &Fingerprint) -> Result<(), SourceError> {
        let waiting = self.key(Turn::Next).ok().flatten();
        if waiting.is_none_or(|waiting| waiting.fingerprint() != *fingerprint) {
            return Ok(());
        }
        for holder in self.holders() {
            if let Holder::File(path) = holder {
                file::keep(path)?;
            }
        }
        Ok(())
    }

    /// Whether the keys are given as texts, so that whoever gives them has to change them after a
    /// rotation.
    pub fn is_given(&self) -> bool {
        self.holders().iter().any(|holder| matches!(holder, Holder::Given { .. }))
    }

    /// The files in which something waits for its place beside the current key: one that is in use and
    /// cannot be moved there, or one of a rotation that was cut short.
    pub fn waiting(&self) -> Vec<PathBuf> {
        let place = |holder: &Holder| match holder {
            Holder::File(path) => Some(file::waiting(path)).filter(|waiting| waiting.exists()),
            Holder::Given { .. } => None,
        };
        self.holders().iter().filter_map(place).collect()
    }

    fn holders(&self) -> &[Holder] {
        match &self.0 {
            Kind::Whole(holder) => std::slice::from_ref(holder),
            Kind::Shared(holders) => holders,
        }
    }

    fn key(&self, turn: Turn) -> Result<Option<MasterKey>, SourceError> {
        match &self.0 {
            Kind::Whole(holder) => {
                holder.read(turn)?.map(|text| Ok(MasterKey::from_text(&text)?)).transpose()
            }
            Kind::Shared([one, other]) => {
                // A crash between the two renames leaves one share kept and one that waits.
                let texts = match turn {
                    Turn::Now => (one.read(turn)?, other.read(turn)?),
                    Turn::Next => (one.newest()?, other.newest()?),
                };
                let (Some(one), Some(other)) = texts else { return Ok(None) };
                let shares = (Share::from_text(&one)?, Share::from_text(&other)?);
                Ok(Some(MasterKey::combine(&shares.0, &shares.1)?))
            }
        }
    }
}

impl Holder {
    fn read(&self, turn: Turn) -> Result<Option<Zeroizing<String>>, SourceError> {
        match (self, turn) {
            (Self::File(path), Turn::Now) => file::read(path),
            (Self::File(path), Turn::Next) => file::read_waiting(path),
            (Self::Given { now, .. }, Turn::Now) => Ok(Some(now.clone())),
            (Self::Given { next, .. }, Turn::Next) => Ok(next.clone()),
        }
    }

    fn newest(&self) -> Result<Option<Zeroizing<String>>, SourceError> {
        Ok(self.read(Turn::Next)?.or(self.read(Turn::Now)?))
    }

    fn write_next(&self, text: &str) -> Result<(), SourceError> {
        match self {
            Self::File(path) => file::write_waiting(path, text),
            Self::Given { .. } => Err(SourceError::NextMissing),
        }
    }
}

/// Names the files, never a text.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |holder: &Holder| match holder {
            Holder::File(path) => path.display().to_string(),
            Holder::Given { .. } => "***".to_owned(),
        };
        f.debug_list().entries(self.holders().iter().map(name)).finish()
    }
}

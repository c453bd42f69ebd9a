//! The prepared engine beside the lists, so that a start need not prepare them again.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest::{Entry, Manifest};
use crate::{Engine, Options};

/// Where the engine of the current lists is kept. It can be deleted at any time.
pub(super) struct Prepared(PathBuf);

impl Prepared {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self(folder.join("prepared.image"))
    }

    /// The engine, if it holds these editions and was made with these options.
    pub(super) fn read(&self, manifest: &Manifest, options: Options) -> Option<Engine> {
        let engine = Engine::of_image(fs::read(&self.0).ok()?, options).ok()?;
        let times = |entry: &Entry| [Some(entry.imported_at()), Some(entry.checked_at())];
        engine.of_editions(manifest.lists.iter().map(|entry| (entry.version(), times(entry))))
    }

    /// Keeps an engine. Whoever may only read the folder prepares the lists each time: that is slower
    /// and no fault.
    pub(super) fn keep(&self, engine: &Engine) {
        // Several processes may do so at once; the digest in the image tells a torn one.
        let temporary = self.0.with_extension(format!("{}.tmp", std::process::id()));
        let kept = fs::write(&temporary, engine.to_image());
        if kept.and_then(|()| fs::rename(&temporary, &self.0)).is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }
}

//! Which listed names can be alike at all, without looking at every one.

mod build;
mod chains;
mod cover;
mod group;
mod hint;
mod keep;
mod keys;
mod known;
mod marks;
mod posting;
mod scratch;
mod search;
mod sight;
mod stage;
#[cfg(test)]
mod tests;
mod view;
mod wanted;

use std::sync::{Mutex, PoisonError};

use crate::align::Alignment;
use crate::glance::{Era, Glance};
use crate::name::NameKey;
use crate::slab::Slab;
use crate::word::Word;
use scratch::Scratch;
use search::Search;
use view::View;

pub(crate) use build::IndexBuilder;

/// Every word of every listed name, and where it occurs, in bytes that are searched where they lie.
pub(crate) struct Index {
    slab: Slab,
    /// Memory of searches that have ended.
    scratches: Mutex<Vec<Scratch>>,
}

/// A listed name that seems to be alike.
#[derive(Clone, Copy)]
pub(crate) struct Similar {
    pub(crate) position: u32,
    /// At least as good as this.
    pub(crate) alignment: Alignment,
}

/// What a name has to score, by what is seen of its bearer.
pub(crate) trait Needed {
    /// Never less than this.
    fn least(&self) -> u16;

    /// When somebody has to be born whose name needs no more than this.
    fn era(&self, score: u16) -> Era;

    /// What a name needs whose bearer was not born on the same day.
    fn by(&self, glance: Glance) -> u16;

    /// What a name needs whose bearer may have been.
    fn by_mate(&self, glance: Glance) -> u16;
}

impl Index {
    /// What an [`IndexBuilder`] has made. The answer of a search are positions: how many names were
    /// added before.
    pub(crate) fn new(slab: Slab) -> Self {
        Self { slab, scratches: Mutex::default() }
    }

    /// The names whose similarity with `name` seems to reach what is needed, in order. Those at `mates`
    /// are looked at whatever their words.
    pub(crate) fn similar(
        &self,
        name: &NameKey,
        needed: &impl Needed,
        mates: &[u32],
    ) -> Vec<Similar> {
        let view = View::new(self.slab.bytes());
        let mut scratch = self.take_scratch();
        scratch.fit(view);
        let query: Vec<Word<'_>> = name.words().iter().collect();
        let mut search = Search::new(view, &query, needed, &mut scratch);
        search.find_words();
        search.find_names();
        let similar = search.align(mates);
        scratch.clear();
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        similar
    }

    fn take_scratch(&self) -> Scratch {
        let kept = self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_default()
    }
}

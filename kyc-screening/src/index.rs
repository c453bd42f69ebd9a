//! Which listed names can be alike at all, without looking at every one.

mod build;
mod keys;
mod posting;
mod scratch;
mod search;
mod stage;
#[cfg(test)]
mod tests;
mod view;

use std::sync::{Mutex, PoisonError};

use crate::align::Alignment;
use crate::glance::Glance;
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

impl Index {
    /// What an [`IndexBuilder`] has made. The answer of a search are positions: how many names were
    /// added before.
    pub(crate) fn new(slab: Slab) -> Self {
        Self { slab, scratches: Mutex::default() }
    }

    /// The names whose similarity with `name` seems to reach what is `needed` at a glance, in order;
    /// that is never less than `floor`.
    pub(crate) fn similar(
        &self,
        name: &NameKey,
        floor: u16,
        needed: impl Fn(Glance) -> u16,
    ) -> Vec<Similar> {
        let view = View::new(self.slab.bytes());
        let mut scratch = self.take_scratch();
        scratch.fit(view);
        let query: Vec<Word<'_>> = name.words().iter().collect();
        let mut search = Search::new(view, &query, floor, needed, &mut scratch);
        search.find_words();
        search.find_names();
        let similar = search.align();
        scratch.clear();
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        similar
    }

    fn take_scratch(&self) -> Scratch {
        let kept = self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.unwrap_or_default()
    }
}

//! What is quick to compare.

use crate::distance::{Pattern, is_one_edit};
use crate::word::{Word, cost_max};

use super::lists::size;

/// What is quick to compare of each word, side by side in memory.
#[derive(Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    /// The sounds of each word, then its letters.
    spellings: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Shape {
    /// Where its spelling begins.
    start: u32,
    sounds: u8,
    letters: u8,
    is_alphabetic: bool,
    has_usual: bool,
    has_master: bool,
}

impl Shapes {
    pub(super) fn push(&mut self, word: &Word) {
        let byte = |length| u8::try_from(length).unwrap_or(u8::MAX);
        self.shapes.push(Shape {
            start: size(self.spellings.len()),
            sounds: byte(word.sounds().len()),
            letters: byte(word.text().len()),
            is_alphabetic: word.is_alphabetic(),
            has_usual: word.usual().is_some(),
            has_master: word.master().is_some(),
        });
        self.spellings.extend_from_slice(word.sounds());
        self.spellings.extend_from_slice(word.text().as_bytes());
    }

    /// Whether two words can be alike at all.
    pub(super) fn may_be_like(&self, number: u32, word: &Word, pattern: Option<&Pattern>) -> bool {
        let Some(shape) = self.shapes.get(number as usize) else { return false };
        let Some(pattern) = pattern.filter(|_| shape.is_alphabetic) else { return true };
        let is_other_way_alike = shape.has_usual && word.usual().is_some()
            || shape.has_master != word.master().is_some();
        if is_other_way_alike {
            return true;
        }
        let (sounds, letters) = (usize::from(shape.sounds), usize::from(shape.letters));
        let most = cost_max(word.text().len().max(letters));
        let start = shape.start as usize;
        let spelling = |from: usize, length: usize| {
            self.spellings.get(from..from + length).unwrap_or_default()
        };
        word.sounds().len().abs_diff(sounds) <= most
            && pattern.edits(spelling(start, sounds)) as usize <= most
            || (word.is_contracted() || sounds < letters)
                && is_one_edit(word.text().as_bytes(), spelling(start + sounds, letters))
    }
}

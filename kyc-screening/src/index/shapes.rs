//! What is quick to compare.

use crate::distance::Pattern;
use crate::word::{Word, cost_max};

use super::lists::size;

/// What is quick to compare of each word, side by side in memory.
#[derive(Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    sounds: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Shape {
    /// Where its sounds begin.
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
            start: size(self.sounds.len()),
            sounds: byte(word.sounds().len()),
            letters: byte(word.text().len()),
            is_alphabetic: word.is_alphabetic(),
            has_usual: word.usual().is_some(),
            has_master: word.master().is_some(),
        });
        self.sounds.extend_from_slice(word.sounds());
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
        let most = cost_max(word.text().len().max(shape.letters.into()));
        if word.sounds().len().abs_diff(shape.sounds.into()) > most {
            return false;
        }
        let start = shape.start as usize;
        let sounds = self.sounds.get(start..start + usize::from(shape.sounds)).unwrap_or_default();
        pattern.edits(sounds) as usize <= most
    }
}

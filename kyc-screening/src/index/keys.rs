//! The keys under which words are found.

use crate::plain_hash::{BASE, PlainMap, hash, mix};
use crate::sound::{skeleton, sounds};
use crate::word::Word;

use super::lists::{Lists, size};

/// The words under each key.
#[derive(Default)]
pub(super) struct Keyed {
    numbers: PlainMap<u64, u32>,
    lists: Lists,
}

impl Keyed {
    pub(super) fn of(words: &[Word]) -> Self {
        let mut numbers: PlainMap<u64, u32> = PlainMap::default();
        let mut pairs = Vec::new();
        for (number, word) in (0_u32..).zip(words) {
            keys(word, |key| {
                let next = size(numbers.len());
                pairs.push((*numbers.entry(key).or_insert(next), number));
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        let lists = Lists::grouped(numbers.len(), pairs);
        Self { numbers, lists }
    }

    pub(super) fn get(&self, key: u64) -> &[u32] {
        self.numbers.get(&key).map_or(&[], |number| self.lists.get(*number as usize))
    }
}

/// Shows the keys of a word. Words that are alike share one, as far as they differ in one consonant
/// at most: then what is left of their skeletons without it is the same.
pub(super) fn keys(word: &Word, mut show: impl FnMut(u64)) {
    let consonants = word.skeleton();
    show(hash(consonants));
    if let Some(usual) = word.usual() {
        show(hash(usual.as_bytes()) ^ 1);
    }
    if let Some(master) = word.master() {
        show(hash(&skeleton(&sounds(master))));
    }
    // In shorter words nothing may differ besides a consonant.
    if consonants.len() > 2 && word.sounds().len() > 5 {
        for left_out in 0..consonants.len() {
            show(hash_without(consonants, left_out));
        }
    }
    if (consonants.len() <= 3 || word.sounds().len() <= 6) && word.sounds().len() > 2 {
        show(!hash(word.sounds()));
        // Of words with few consonants too many share what is left.
        for left_out in 0..word.sounds().len() {
            show(!hash_without(word.sounds(), left_out));
        }
    }
}

fn hash_without(sounds: &[u8], left_out: usize) -> u64 {
    let mut last = 0;
    let mut hash = BASE;
    for (at, sound) in sounds.iter().enumerate() {
        // Neighbours that become the same are one, as everywhere.
        if at != left_out && *sound != last {
            hash = mix(hash, *sound);
            last = *sound;
        }
    }
    hash
}

//! The keys under which words are found.
//!
//! Words that are alike have the same skeleton of consonants, or skeletons that differ in one place:
//! another consonant there, one more, or two neighbours in turn. Short words have to differ in one
//! sound at most instead, since too many share what is left of their consonants.

use crate::plain_hash::{BASE, hash, mix};
use crate::sound::{skeleton, sounds};
use crate::word::Word;

/// Shows the keys under which a listed word is kept.
pub(super) fn kept(word: Word<'_>, mut show: impl FnMut(u64)) {
    others(word, &mut show);
    for (space, parts, may_differ) in spaces(word) {
        show(space.whole(parts));
        if may_differ {
            for at in 0..parts.len() {
                show(space.rest(parts, at) ^ Space::LONGER);
                show(space.but_for(parts, at));
            }
        }
    }
}

/// Shows the keys under which the listed words are found that may be like a word.
///
/// Whichever of two words is kept and whichever is looked up, they are found or not.
pub(super) fn looked_up(word: Word<'_>, mut show: impl FnMut(u64)) {
    others(word, &mut show);
    for (space, parts, may_differ) in spaces(word) {
        let whole = space.whole(parts);
        show(whole);
        show(whole ^ Space::LONGER);
        if may_differ {
            for at in 0..parts.len() {
                show(space.rest(parts, at));
                show(space.but_for(parts, at));
            }
        }
        for at in 1..parts.len() {
            show(space.turned(parts, at));
        }
    }
}

/// Names that are the same whatever their letters.
fn others(word: Word<'_>, mut show: impl FnMut(u64)) {
    if let Some(usual) = word.usual {
        show(hash(usual.as_str().as_bytes()) ^ 1);
    }
    if let Some(master) = word.master() {
        show(Space::SKELETON.whole(&skeleton(&sounds(master))));
    }
}

/// What is compared of a word, and whether it may differ in one place.
fn spaces(word: Word<'_>) -> impl Iterator<Item = (Space, &[u8], bool)> {
    let (consonants, sounds) = (word.skeleton, word.sounds);
    let has_skeleton_enough = consonants.len() > 2 && sounds.len() > 5;
    let is_short = (consonants.len() <= 3 || sounds.len() <= 6) && sounds.len() > 2;
    let skeleton = (Space::SKELETON, consonants, has_skeleton_enough);
    [Some(skeleton), is_short.then_some((Space::SOUNDS, sounds, true))].into_iter().flatten()
}

/// Keys of one kind, which never meet those of the other.
#[derive(Clone, Copy)]
struct Space(u64);

impl Space {
    const SKELETON: Self = Self(0);
    const SOUNDS: Self = Self(u64::MAX);
    /// Of words that have one part more than what is looked up, or than what is kept.
    const LONGER: u64 = 0x5bd1_e995_9d1d_5b17;

    fn whole(self, parts: &[u8]) -> u64 {
        self.0 ^ hash(parts)
    }

    /// What is left, as a word of its own.
    fn rest(self, parts: &[u8], left_out: usize) -> u64 {
        self.0 ^ hash_without(parts, left_out)
    }

    /// Everything but what stands there.
    fn but_for(self, parts: &[u8], at: usize) -> u64 {
        let place = u8::try_from(at + (parts.len() << 4)).unwrap_or(u8::MAX);
        self.0 ^ mix(hash_without(parts, at), place)
    }

    /// With two neighbours in turn. Where that makes equal ones meet it is the key of no word: as one
    /// they would lead to a shorter word, from which nothing leads back.
    fn turned(self, parts: &[u8], at: usize) -> u64 {
        let order = (0..parts.len()).map(|place| match place {
            _ if place == at => at - 1,
            _ if place + 1 == at => at,
            other => other,
        });
        self.0
            ^ order.filter_map(|place| parts.get(place)).fold(BASE, |hash, part| mix(hash, *part))
    }
}

fn hash_without(parts: &[u8], left_out: usize) -> u64 {
    let others = parts.iter().enumerate().filter(|(at, _)| *at != left_out);
    hash_of(others.map(|(_, part)| *part))
}

/// Neighbours that are the same are one, as everywhere.
fn hash_of(parts: impl Iterator<Item = u8>) -> u64 {
    let mut last = 0;
    parts.fold(BASE, |hash, part| {
        if std::mem::replace(&mut last, part) == part { hash } else { mix(hash, part) }
    })
}

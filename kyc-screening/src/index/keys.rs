//! The keys under which words are found.

use std::collections::BTreeSet;
use std::iter;

use crate::hangul::families;
use crate::letters::Writing;
use crate::plain_hash::{BASE, hash, mix};
use crate::sound::{group, is_soft, skeleton, sounds};
use crate::word::Word;

/// What a key is made of, and so where it leads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Of {
    /// To a group of words of that skeleton.
    #[default]
    Skeleton,
    /// To words.
    Sounds,
    Letters,
}

/// Shows the keys under which a listed word is kept. If two words differ in one consonant or one letter
/// at most, one of these is among those that are [`looked_up`] for the other, whichever of the two is
/// listed.
///
/// Those of its skeleton are the same for all words that have it and either
/// [may or may not lack a consonant](may_lack_consonant).
pub(super) fn kept(word: Word<'_>, mut show: impl FnMut(u64, Of)) {
    show(hash(word.skeleton), Of::Skeleton);
    if may_lack_consonant(word) {
        for place in 0..word.skeleton.len() {
            show(at_place(hash_without(word.skeleton, place), place), Of::Skeleton);
        }
    }
    for skeleton in other_skeletons(word) {
        show(hash(&skeleton), Of::Sounds);
    }
    whole(word, show);
}

/// Shows the keys of the listed words that may be like one.
pub(super) fn looked_up(word: Word<'_>, mut show: impl FnMut(u64, Of)) {
    whole(word, &mut show);
    if may_lack_consonant(word) {
        for place in 0..word.skeleton.len() {
            let without = hash_without(word.skeleton, place);
            // The listed word has another consonant there, or none.
            show(at_place(without, place), Of::Skeleton);
            in_any_reading(without, &mut show);
        }
    }
    for skeleton in iter::once(word.skeleton.to_vec()).chain(other_skeletons(word)) {
        let key = hash(&skeleton);
        in_any_reading(key, &mut show);
        // It has one more.
        for place in 0..=skeleton.len() {
            show(at_place(key, place), Of::Skeleton);
        }
    }
}

/// Shows the key of a skeleton that a listed word has in its own or in another reading.
fn in_any_reading(key: u64, mut show: impl FnMut(u64, Of)) {
    show(key, Of::Skeleton);
    show(key, Of::Sounds);
}

/// Whether it is also found without one of its consonants. Shorter words are found without one of their
/// sounds.
pub(super) fn may_lack_consonant(word: Word<'_>) -> bool {
    word.skeleton.len() > 2 && word.sounds.len() > 5
}

/// The skeletons of a word with two different consonants, side by side, in a fixed order.
fn ordered(sounds: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let is_pair = |pair: &[u8]| match pair {
        [one, other] => !is_soft(*one) && !is_soft(*other) && group(*one) != group(*other),
        _ => false,
    };
    let pairs = sounds.windows(2).enumerate().filter(move |(_, pair)| is_pair(pair));
    pairs.map(move |(at, _)| {
        let mut sounds = sounds.to_vec();
        if let Some(pair) = sounds.get_mut(at..at + 2) {
            pair.sort_unstable_by_key(|sound| group(*sound));
        }
        skeleton(&sounds)
    })
}

/// The key of consonants that lack one at that place.
fn at_place(hash: u64, place: usize) -> u64 {
    let [place, ..] = place.to_le_bytes();
    mix(hash, place)
}

/// Shows the keys that a word has on either side, apart from those of skeletons.
fn whole(word: Word<'_>, mut show: impl FnMut(u64, Of)) {
    if let Some(usual) = word.usual {
        show(hash(usual.as_str().as_bytes()) ^ 1, Of::Sounds);
    }
    if may_lack_consonant(word) {
        for skeleton in ordered(word.sounds) {
            show(hash(&skeleton) ^ SWAPPED, Of::Sounds);
        }
    }
    if (word.skeleton.len() <= 3 || word.sounds.len() <= 6) && word.sounds.len() > 2 {
        show(!hash(word.sounds), Of::Sounds);
        // Of words with few consonants too many share what is left.
        for left_out in 0..word.sounds.len() {
            show(!hash_without(word.sounds, left_out), Of::Sounds);
        }
    }
    // A slip of the pen falls on a letter, and may change what sounds as one.
    if word.text.len() >= SLIP_BYTES_MIN {
        show(hash(word.text) ^ LETTERS, Of::Letters);
        let (mut before, mut rest) = (BASE, word.text);
        while let [left_out, behind @ ..] = rest {
            let without = behind.iter().fold(before, |hash, letter| mix(hash, *letter));
            show(without ^ LETTERS, Of::Letters);
            (before, rest) = (mix(before, *left_out), behind);
        }
    }
}

/// In shorter words another letter is another word.
const SLIP_BYTES_MIN: usize = 4;
/// Tells keys of consonants that may be swapped from others.
const SWAPPED: u64 = 0x94d0_49bb_1331_11eb;
/// Tells keys of letters from others.
const LETTERS: u64 = 0x5bd1_e995_9d1d_5b17;

/// The skeletons of a word in its other readings, and of what follows a servant.
fn other_skeletons(word: Word<'_>) -> impl Iterator<Item = Vec<u8>> {
    let master = word.master().map(|master| skeleton(&sounds(master)));
    let others = master.into_iter().chain(other_readings(word));
    others.filter(move |other| other != word.skeleton)
}

/// The skeletons of a word whose letters are read in another way somewhere: the letters of Arabic
/// (`Thaqib`, `Saqib`; `Rajab`, `Ragab`), those that sound as one but have a vowel between them that is
/// not written (`Sahrawi`), the `ch` of French (`Rachid`, `Rashid`), and the names of Korean families.
fn other_readings(word: Word<'_>) -> impl Iterator<Item = Vec<u8>> {
    let letters = (word.is_bare() && word.is_contracted()).then(|| skeleton(word.text));
    let (readings, families): (&[(&[u8], u8)], _) = match word.writing {
        Writing::Alphabet => (&[(b"C", b'S')], ""),
        Writing::Consonants => (&[(b"TDd", b'z'), (b"j", b'g')], ""),
        Writing::Syllable(c) => (&[], families(c)),
    };
    let read = move |(sounds, other): &(&[u8], u8)| {
        let is_other = |sound: &u8| sounds.contains(sound);
        word.sounds.iter().any(is_other).then(|| {
            let sound = |sound: &u8| if is_other(sound) { *other } else { *sound };
            skeleton(&word.sounds.iter().map(sound).collect::<Vec<u8>>())
        })
    };
    let families = families.split_whitespace().map(|family| skeleton(&sounds(family.as_bytes())));
    let families: BTreeSet<Vec<u8>> = families.collect();
    readings.iter().filter_map(read).chain(letters).chain(families)
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::letters::Writing;
    use crate::words::tests::{Written, like_words, words_of_one};

    fn is_found(listed: &Written, word: &Written) -> bool {
        let (listed, word) = (words_of_one(listed), words_of_one(word));
        let mut keys = HashSet::new();
        kept(listed.view().get(0).unwrap(), |key, of| {
            keys.insert((key, of == Of::Skeleton));
        });
        let mut is_found = false;
        looked_up(word.view().get(0).unwrap(), |key, of| {
            is_found |= keys.contains(&(key, of == Of::Skeleton));
        });
        is_found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn whichever_of_two_words_is_kept_they_are_found_or_not([one, other] in like_words()) {
            prop_assert_eq!(is_found(&one, &other), is_found(&other, &one));
        }
    }

    #[test]
    fn words_are_found_by_one_consonant_more_or_other_or_two_that_are_swapped() {
        let pairs = [
            ["rachid", "rashidov"],
            ["karimova", "kasimova"],
            ["karimova", "karimovas"],
            ["adbelilah", "abdilila"],
        ];
        for pair in pairs {
            let [one, other] = pair.map(|text| (text.to_owned(), Writing::Alphabet));
            assert!(is_found(&one, &other) && is_found(&other, &one), "{pair:?}");
        }
    }

    #[test]
    fn words_of_few_sounds_or_consonants_are_not_found_by_another_consonant() {
        for pair in [["karim", "sorom"], ["aliaeo", "anoaui"]] {
            let [one, other] = pair.map(|text| (text.to_owned(), Writing::Alphabet));
            assert!(!is_found(&one, &other) && !is_found(&other, &one), "{pair:?}");
        }
    }
}

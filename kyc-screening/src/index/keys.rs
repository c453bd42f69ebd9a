//! The keys under which words are found.

use crate::plain_hash::{BASE, hash, mix};
use crate::sound::{group, is_soft, skeleton, sounds};
use crate::word::Word;

/// What a key is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Sounds,
    Letters,
}

/// Shows the keys under which a listed word is kept. Words that are alike share one with those that
/// are [`looked_up`], as far as they differ in one consonant or one letter at most: then what is left
/// without it is the same. Whichever of two words is kept and whichever is looked up, they are found or
/// not.
pub(super) fn kept(word: Word<'_>, mut show: impl FnMut(u64)) {
    whole(word, |key, _| show(key));
    if may_lack_consonant(word) {
        for place in 0..word.skeleton.len() {
            show(at_place(hash_without(word.skeleton, place), place));
        }
    }
}

/// Shows the keys of the listed words that may be like one.
pub(super) fn looked_up(word: Word<'_>, mut show: impl FnMut(u64, Of)) {
    whole(word, &mut show);
    let consonants = word.skeleton;
    if may_lack_consonant(word) {
        for place in 0..consonants.len() {
            let without = hash_without(consonants, place);
            // The listed word has another consonant there, or none.
            show(at_place(without, place), Of::Sounds);
            show(without, Of::Sounds);
        }
    }
    // It has one more.
    for place in 0..=consonants.len() {
        show(at_place(hash(consonants), place), Of::Sounds);
    }
}

/// In shorter words nothing may differ besides a consonant.
fn may_lack_consonant(word: Word<'_>) -> bool {
    word.skeleton.len() > 2 && word.sounds.len() > 5
}

/// The skeletons of a word with two consonants, side by side, in a fixed order.
fn ordered(sounds: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let pairs = sounds.windows(2).enumerate();
    let pairs = pairs.filter(|(_, pair)| pair.iter().all(|sound| !is_soft(*sound)));
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
    place.to_le_bytes().into_iter().take(1).fold(hash, mix)
}

/// Shows the keys that a word has on either side.
fn whole(word: Word<'_>, mut show: impl FnMut(u64, Of)) {
    let consonants = word.skeleton;
    show(hash(consonants), Of::Sounds);
    if let Some(usual) = word.usual {
        show(hash(usual.as_str().as_bytes()) ^ 1, Of::Sounds);
    }
    if let Some(master) = word.master() {
        show(hash(&skeleton(&sounds(master))), Of::Sounds);
    }
    for skeleton in other_readings(word) {
        show(hash(&skeleton), Of::Sounds);
    }
    if may_lack_consonant(word) {
        for skeleton in ordered(word.sounds) {
            show(hash(&skeleton) ^ SWAPPED, Of::Sounds);
        }
    }
    if (consonants.len() <= 3 || word.sounds.len() <= 6) && word.sounds.len() > 2 {
        show(!hash(word.sounds), Of::Sounds);
        // Of words with few consonants too many share what is left.
        for left_out in 0..word.sounds.len() {
            show(!hash_without(word.sounds, left_out), Of::Sounds);
        }
    }
    // A slip of the pen falls on a letter, and may change what sounds as one.
    if word.text.len() >= SLIP_BYTES_MIN {
        show(hash(word.text) ^ LETTERS, Of::Letters);
        for left_out in 0..word.text.len() {
            let letters = word.text.iter().enumerate().filter(|(at, _)| *at != left_out);
            let key = letters.fold(BASE, |hash, (_, letter)| mix(hash, *letter)) ^ LETTERS;
            show(key, Of::Letters);
        }
    }
}

/// In shorter words another letter is another word.
const SLIP_BYTES_MIN: usize = 4;
/// Tells keys of consonants that may be swapped from others.
const SWAPPED: u64 = 0x94d0_49bb_1331_11eb;
/// Tells keys of letters from others.
const LETTERS: u64 = 0x5bd1_e995_9d1d_5b17;

/// The skeletons of a word whose letters are read in another way somewhere: the letters of Arabic
/// (`Thaqib`, `Saqib`; `Rajab`, `Ragab`), those that sound as one but have a vowel between them that is
/// not written (`Sahrawi`), and the `ch` of French (`Rachid`, `Rashid`).
fn other_readings(word: Word<'_>) -> impl Iterator<Item = Vec<u8>> {
    let letters = (!word.is_alphabetic() && word.is_contracted()).then(|| skeleton(word.text));
    let readings: &[(&[u8], u8)] =
        if word.is_alphabetic() { &[(b"C", b'S')] } else { &[(b"TDd", b'z'), (b"j", b'g')] };
    let read = move |(sounds, other): &(&[u8], u8)| {
        let is_other = |sound: &u8| sounds.contains(sound);
        word.sounds.iter().any(is_other).then(|| {
            let sound = |sound: &u8| if is_other(sound) { *other } else { *sound };
            skeleton(&word.sounds.iter().map(sound).collect::<Vec<u8>>())
        })
    };
    readings.iter().filter_map(read).chain(letters)
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

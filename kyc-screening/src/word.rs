//! The words of names: what they weigh, and how alike two of them are.

/// Longer words are cut. The longest real ones have two thirds of it.
pub(crate) const WORD_BYTES_MAX: usize = 32;

/// The weight of an ordinary word; initials and particles weigh less.
pub(crate) const ORDINARY: u32 = 4;
const INITIAL: u32 = 2;
pub(crate) const MINOR: u32 = 1;

/// What an initial is worth against a word that begins with it.
pub(crate) const INITIAL_SIMILARITY: u16 = 700;

/// One word of a prepared name: lower-case ASCII letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word {
    text: Box<str>,
    skeleton: Box<str>,
    signature: u32,
    weight: u8,
}

impl Word {
    /// A word that is already folded.
    pub(crate) fn new(text: &str) -> Self {
        let skeleton = skeleton(text);
        let signature = skeleton.bytes().map(sounds).fold(0, |all, sound| all | sound);
        let weight = match text.len() {
            1 => INITIAL,
            _ if MINOR_WORDS.binary_search(&text).is_ok() => MINOR,
            _ => ORDINARY,
        };
        let weight = u8::try_from(weight).unwrap_or(u8::MAX);
        Self { text: text.into(), skeleton: skeleton.into(), signature, weight }
    }

    /// Several words written as one; `None` when they are too long or too short for that.
    pub(crate) fn joined(words: &[Self]) -> Option<Self> {
        let bytes: usize = words.iter().map(|word| word.text.len()).sum();
        let is_sensible = words.len() > 1 && (JOINED_BYTES_MIN..=WORD_BYTES_MAX).contains(&bytes);
        is_sensible.then(|| Self::new(&words.iter().map(|word| &*word.text).collect::<String>()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is left without vowels, doubled letters and differences that only spelling makes.
    pub(crate) fn skeleton(&self) -> &str {
        &self.skeleton
    }

    /// The sounds of the skeleton as a set.
    pub(crate) fn signature(&self) -> u32 {
        self.signature
    }

    pub(crate) fn weight(&self) -> u32 {
        self.weight.into()
    }

    pub(crate) fn is_ordinary(&self) -> bool {
        self.weight() == ORDINARY
    }

    /// Whether one of the two is an initial of the other.
    pub(crate) fn is_initial_with(&self, other: &Self) -> bool {
        self.text.len().min(other.text.len()) == 1
            && self.text.as_bytes().first() == other.text.as_bytes().first()
            && self.text.len() != other.text.len()
    }

    /// How alike two words are in thousandths: 0, or at least 700. Symmetric, and 1,000 only for
    /// equal words.
    pub(crate) fn similarity(&self, other: &Self) -> u16 {
        if self.text == other.text {
            return 1_000;
        }
        let (short, long) = if self.text.len() <= other.text.len() {
            (&self.text, &other.text)
        } else {
            (&other.text, &self.text)
        };
        let allowed = cost_max(long.len());
        if signature_cost(self.signature, other.signature) + long.len() - short.len() > allowed {
            return 0;
        }
        match distance(short.as_bytes(), long.as_bytes()) {
            cost if cost <= allowed => u16::try_from(1_000 - 500 * cost / long.len()).unwrap_or(0),
            _ => 0,
        }
    }
}

/// What two words cost at least, besides a cost of 1 for each letter that one has more: an edit
/// that costs 1 leaves the consonants as they are, one that costs 2 changes at most two of them.
pub(crate) fn signature_cost(one: u32, other: u32) -> usize {
    (one ^ other).count_ones() as usize
}

/// What may differ in a word of this length, in half letters. Up to two letters nothing, up to
/// four one matter of spelling; longer ones may differ in three letters of ten.
pub(crate) fn cost_max(long: usize) -> usize {
    match long {
        0..=2 => 0,
        3..=4 => 1,
        _ => long * 6 / 10,
    }
}

/// Words of one name are joined from this length on, and only compared with words that are as long;
/// shorter ones would meet by chance.
pub(crate) const JOINED_BYTES_MIN: usize = 4;

/// Edit distance in half letters, with swaps of neighbours.
///
/// An edit costs 2, or 1 where only spelling differs: a vowel or `h` more or less, a doubled
/// letter, a vowel for its neighbour, a consonant for one that sounds alike.
#[expect(clippy::indexing_slicing, reason = "i and j stay within both words and the rows")]
fn distance(a: &[u8], b: &[u8]) -> usize {
    let gaps = gaps(b);
    let mut before = [0; WORD_BYTES_MAX + 1];
    let mut last = [0; WORD_BYTES_MAX + 1];
    let mut row = [0; WORD_BYTES_MAX + 1];
    for j in 1..=b.len() {
        last[j] = last[j - 1] + gaps[j - 1];
    }
    for (i, gap) in (1..=a.len()).zip(self::gaps(a)) {
        row[0] = last[0] + gap;
        for j in 1..=b.len() {
            let substituted = last[j - 1] + substitution(a[i - 1], b[j - 1]);
            let mut cost = substituted.min(last[j] + gap).min(row[j - 1] + gaps[j - 1]);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 2);
            }
            row[j] = cost;
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()].into()
}

/// What it costs to leave out each letter. At most 2, so that a whole row fits into bytes.
fn gaps(word: &[u8]) -> [u8; WORD_BYTES_MAX] {
    let mut gaps = [2; WORD_BYTES_MAX];
    let mut before = None;
    for (gap, letter) in gaps.iter_mut().zip(word) {
        if is_soft(*letter) || before == Some(letter) {
            *gap = 1;
        }
        before = Some(letter);
    }
    gaps
}

fn substitution(a: u8, b: u8) -> u8 {
    match (a == b, sounds(a) & sounds(b)) {
        (true, _) => 0,
        (false, 0) => 2,
        (false, _) => 1,
    }
}

/// Vowels and `h`: transliterations add them, drop them and exchange them.
fn is_soft(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'h' | b'i' | b'o' | b'u' | b'y')
}

#[expect(clippy::indexing_slicing, reason = "the table has an entry for every byte")]
fn sounds(letter: u8) -> u32 {
    SOUNDS[usize::from(letter)]
}

/// One bit for each sound that a letter can stand for; transliterations exchange letters that
/// share one.
#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
static SOUNDS: [u32; 256] = {
    let groups = [
        "ckq", "sz", "vw", "eiy", "ae", "ou", "b", "d", "f", "g", "j", "l", "m", "n", "p", "r",
        "t", "x",
    ];
    let mut sounds = [0; 256];
    let mut group = 0;
    while group < groups.len() {
        let letters = groups[group].as_bytes();
        let mut at = 0;
        while at < letters.len() {
            sounds[letters[at] as usize] |= 1 << group;
            at += 1;
        }
        group += 1;
    }
    sounds
};

/// The consonants, without vowels, doubled ones, and differences of spelling.
fn skeleton(text: &str) -> String {
    let mut skeleton = String::new();
    for letter in text.bytes().filter(|letter| !is_soft(*letter)) {
        let letter = match letter {
            b'c' | b'q' => 'k',
            b'z' => 's',
            b'w' => 'v',
            _ => char::from(letter),
        };
        if !skeleton.ends_with(letter) {
            skeleton.push(letter);
        }
    }
    skeleton
}

/// Articles, particles, titles: they say little about who somebody is. Sorted.
const MINOR_WORDS: [&str; 58] = [
    "al",
    "an",
    "ar",
    "as",
    "ash",
    "at",
    "az",
    "ben",
    "bin",
    "bint",
    "binti",
    "capt",
    "captain",
    "col",
    "colonel",
    "da",
    "das",
    "de",
    "del",
    "della",
    "den",
    "der",
    "di",
    "do",
    "dos",
    "dr",
    "du",
    "el",
    "gen",
    "general",
    "hadji",
    "haj",
    "haji",
    "hajj",
    "hajji",
    "ibn",
    "ii",
    "iii",
    "jr",
    "la",
    "le",
    "maulavi",
    "mawlawi",
    "mr",
    "mrs",
    "ms",
    "mullah",
    "prof",
    "professor",
    "qari",
    "shaikh",
    "shaykh",
    "sheikh",
    "sr",
    "the",
    "ul",
    "van",
    "von",
];

const _: () = assert!(is_sorted(&MINOR_WORDS), "binary search needs sorted words");

#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
const fn is_sorted(words: &[&str]) -> bool {
    let mut at = 1;
    while at < words.len() {
        if !is_before(words[at - 1].as_bytes(), words[at].as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a bad index stops the build"
)]
const fn is_before(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

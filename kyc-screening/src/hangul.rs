//! Syllables of Hangul in the ways in which lists romanise them.
//!
//! North Korea's own romanisation, the one of 1939 without its marks, the Revised one of the South,
//! and what families there write by habit, are all in use, often in one name.

/// The syllable as North Korea writes it, which most listed Koreans are from: first consonant, vowel, and
/// last consonant. `None` for every other character.
pub(crate) fn romanised(c: char) -> Option<[&'static str; 3]> {
    let [first, vowel, last] = parts(c)?;
    Some([first, vowel, last].map(|spellings| spellings.split(' ').next().unwrap_or("")))
}

/// In which ways families write this syllable, where that is not as it sounds.
pub(crate) fn families(c: char) -> &'static str {
    FAMILIES.iter().find(|(families, _)| families.contains(c)).map_or("", |(_, all)| all)
}

/// Whether one family is meant: in the North a consonant is kept that the South no longer writes.
pub(crate) fn is_same_family(one: char, other: char) -> bool {
    FAMILIES.iter().any(|(families, _)| families.contains(one) && families.contains(other))
}

/// Whether these syllables are written so in some romanisation, a single one as a family, too.
pub(crate) fn are_written(syllables: &[char], latin: &[u8]) -> bool {
    let parts: Option<Vec<_>> = syllables.iter().map(|c| parts(*c)).collect();
    let Some(parts) = parts else { return false };
    let family = match syllables {
        [family] => families(*family),
        _ => "",
    };
    family.split_whitespace().any(|family| family.as_bytes() == latin)
        || begins(latin, parts.as_flattened())
}

/// Whether these letters are one spelling of each part, one behind the other.
fn begins(latin: &[u8], parts: &[&str]) -> bool {
    let [part, parts @ ..] = parts else { return latin.is_empty() };
    part.split(' ').any(|spelling| {
        latin.strip_prefix(spelling.as_bytes()).is_some_and(|rest| begins(rest, parts))
    })
}

/// The spellings of its three parts: Unicode orders all syllables by first consonant, vowel and last
/// consonant (section 3.12 of the standard).
fn parts(c: char) -> Option<[&'static str; 3]> {
    let number = u32::from(c).checked_sub(0xAC00)? as usize;
    let (number, last) = (number / LAST.len(), number % LAST.len());
    let (first, vowel) = (number / VOWELS.len(), number % VOWELS.len());
    Some([FIRST.get(first)?, VOWELS.get(vowel)?, LAST.get(last)?])
}

const FIRST: [&str; 19] = [
    "k g",
    "kk gg k g",
    "n",
    "t d",
    "tt dd t d",
    "r l",
    "m",
    "p b",
    "pp bb p b",
    "s sh",
    "ss s",
    "",
    "j ch",
    "jj tch j ch",
    "ch",
    "kh k",
    "th t",
    "p",
    "h",
];

const VOWELS: [&str; 21] = [
    "a",
    "ae ai ay e",
    "ya",
    "yae",
    "o eo u",
    "e",
    "yo yeo you yu",
    "ye e",
    "o",
    "wa",
    "wae",
    "oe oi oy",
    "yo",
    "u oo ou wu woo",
    "wo weo",
    "we",
    "wi",
    "yu yoo you",
    "u eu",
    "ui eui ee i",
    "i ee",
];

/// Behind a vowel alone there is an `h` now and then.
const LAST: [&str; 28] = [
    " h", "k g", "k g", "k", "n", "n", "n", "t d", "l r", "k", "m", "l", "l", "l", "p", "l", "m",
    "p b", "p", "t", "t", "ng", "t", "t", "k", "t", "p", "",
];

/// Families by how they write themselves, where that is not as the syllable sounds, or where they are
/// written with several.
const FAMILIES: [(&str, &str); 8] = [
    ("이리", "ri lee yi li rhee yee i"),
    ("임림", "rim lim im yim"),
    ("유류", "yu yoo ryu ryoo you"),
    ("노로", "no ro roh"),
    ("양량", "yang ryang"),
    ("박", "pak park bak"),
    ("안", "an ahn"),
    ("허", "ho heo hur huh"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{skeleton, sounds};

    #[test]
    fn a_syllable_is_romanised_as_in_the_north() {
        for (hangul, expected) in [
            ("김정호", "kim jong ho"),
            ("박철수", "pak chol su"),
            ("최룡해", "choe ryong hae"),
            ("현두리", "hyon tu ri"),
            ("가힣", "ka hi"),
            ("값닭", "kap tak"),
        ] {
            let syllables = hangul.chars().map(|c| romanised(c).unwrap().concat());
            assert_eq!(syllables.collect::<Vec<_>>().join(" "), expected);
        }
        for other in ['\u{ABFF}', '\u{D7A4}', '墨', 'a'] {
            assert_eq!(romanised(other), None, "{other}");
        }
    }

    #[test]
    fn each_usual_romanisation_is_known() {
        for (syllable, spellings, others) in [
            ('신', "sin shin", "san"),
            ('김', "kim gim", "kin kam ki im kimm"),
            ('정', "jong chong jeong jung chung", "jang jon jing"),
            ('박', "pak bak park", "pok par"),
            ('이', "ri lee yi li rhee i", "ra il"),
            ('최', "choe choi choy", "cho chae"),
            ('희', "hui hee heui hi", "hu ha"),
            ('철', "chol cheol chul", "chal jol"),
            ('유', "yu yoo ryu", "ya"),
            ('오', "o oh", "u ho"),
        ] {
            for spelling in spellings.split(' ') {
                assert!(are_written(&[syllable], spelling.as_bytes()), "{syllable} {spelling}");
            }
            for other in others.split(' ') {
                assert!(!are_written(&[syllable], other.as_bytes()), "{syllable} {other}");
            }
        }
        assert!(
            is_same_family('이', '리') && is_same_family('리', '이') && !is_same_family('이', '임')
        );
        assert!(are_written(&['현', '우'], b"hyunwoo") && are_written(&['영', '희'], b"younghee"));
        assert!(!are_written(&['철', '유'], b"chol"));
        assert!(!are_written(&['墨'], b"") && !are_written(&['김'], b""));
    }

    /// So an index finds them by that.
    #[test]
    fn romanisations_of_a_syllable_share_its_consonants() {
        let consonants = |text: &str| skeleton(&sounds(text.as_bytes()));
        for c in '가'..='힣' {
            let parts = parts(c).unwrap();
            let usual = consonants(&romanised(c).unwrap().concat());
            let spellings = parts.map(|part| part.split(' ').collect::<Vec<_>>());
            let [first, vowels, last] = &spellings;
            for (first, vowel) in
                first.iter().flat_map(|one| vowels.iter().map(move |two| (one, two)))
            {
                for last in last {
                    let text = [*first, *vowel, *last].concat();
                    assert_eq!(consonants(&text), usual, "{c} {text}");
                }
            }
        }
    }
}

//! Any writing as Latin letters.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use any_ascii::any_ascii_char;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};

use crate::hangul::romanised;

/// How the letters of a word were written, as far as it matters for comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Writing {
    /// With vowels.
    Alphabet,
    /// Without most vowels: Arabic and Hebrew.
    Consonants,
    /// One character for the syllable: Han and Hangul.
    Syllable(char),
}

impl Writing {
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::Alphabet => 0,
            Self::Consonants => 1,
            Self::Syllable(c) => c as u32,
        }
    }

    /// Whether one character stands for the word.
    pub(crate) fn is_syllable(self) -> bool {
        matches!(self, Self::Syllable(_))
    }

    /// The reverse of [`number`](Self::number).
    pub(crate) fn of_number(number: u32) -> Self {
        match number {
            0 => Self::Alphabet,
            1 => Self::Consonants,
            syllable => char::from_u32(syllable).map_or(Self::Alphabet, Self::Syllable),
        }
    }
}

/// What one character is in a name.
pub(crate) enum Letter {
    /// Neither ends a word nor belongs to it: apostrophes, accents, characters without width.
    Silent,
    /// Ends a word.
    Gap,
    /// Stands for some lower-case ASCII letters and digits, maybe for none.
    Latin(Cow<'static, str>, Writing),
}

/// Reads one character of a name.
pub(crate) fn letter(c: char) -> Letter {
    if is_silent(c) {
        return Letter::Silent;
    }
    if !c.is_alphanumeric() {
        return Letter::Gap;
    }
    if let Some(latin) = semitic(c) {
        return Letter::Latin(latin.into(), Writing::Consonants);
    }
    if let Some(parts) = romanised(c) {
        return Letter::Latin(parts.concat().into(), Writing::Syllable(c));
    }
    let writing = if is_syllable(c) { Writing::Syllable(c) } else { Writing::Alphabet };
    Letter::Latin(any_ascii_char(c).into(), writing)
}

/// The characters of a name in their usual form, each with its place.
pub(crate) fn characters(name: &str) -> impl Iterator<Item = (Range<u16>, char)> {
    letters(name).flat_map(|(place, letter)| letter.nfkc().map(move |c| (place.clone(), c)))
}

/// The letters of a name, each with its marks, and how many characters are before and behind it.
fn letters(name: &str) -> impl Iterator<Item = (Range<u16>, &str)> {
    let (mut start, mut rest) = (0_u16, name);
    iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (mut end, mut bytes, mut whole) = (start.saturating_add(1), first.len_utf8(), first);
        for part in rest.chars().skip(1).take_while(|part| !part.is_ascii()) {
            match compose(whole, part) {
                Some(composed) => whole = composed,
                None if is_combining_mark(part) => {}
                None => break,
            }
            (end, bytes) = (end.saturating_add(1), bytes + part.len_utf8());
        }
        let (letter, behind) = rest.split_at_checked(bytes)?;
        let place = start..end;
        (start, rest) = (end, behind);
        // The usual form of an accent alone begins with a space, and many write it for an apostrophe.
        Some((place, if first == '´' { "'" } else { letter }))
    })
}

fn is_silent(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '`' | '′' | '″' | '՚' | '׳' | '״' | 'ʼ' | 'ʻ' | 'ʿ' | 'ʾ')
        || matches!(
            c,
            'っ' | 'ッ' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | 'ـ'
        )
        || (is_combining_mark(c) && !c.is_alphanumeric())
}

fn is_syllable(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Letters of Arabic, Persian, Urdu, Pashto and Hebrew, as they are usually romanised in lists.
/// Weak letters, which may stand for a vowel, become `a`, `w` and `y`.
fn semitic(c: char) -> Option<&'static str> {
    Some(match c {
        'ا' | 'أ' | 'إ' | 'آ' | 'ٱ' | 'ى' | 'ة' | 'ۀ' | 'ع' | 'א' | 'ע' => "a",
        'ء' => "",
        'و' | 'ؤ' | 'ۇ' | 'ۆ' | 'ו' => "w",
        'ي' | 'ی' | 'ئ' | 'ې' | 'ۍ' | 'ے' | 'ۓ' | 'י' => "y",
        'ه' | 'ح' | 'ھ' | 'ہ' | 'ە' | 'ۂ' | 'ۃ' | 'ה' => "h",
        'ب' | 'ב' => "b",
        'پ' => "p",
        'ت' | 'ط' | 'ټ' | 'ٹ' | 'ט' | 'ת' => "t",
        'ث' => "th",
        'ج' => "j",
        'چ' => "ch",
        'خ' | 'ח' => "kh",
        'د' | 'ض' | 'ډ' | 'ڈ' | 'ד' => "d",
        'ذ' => "dh",
        'ر' | 'ړ' | 'ڑ' | 'ר' => "r",
        'ز' | 'ظ' | 'ځ' | 'ז' => "z",
        'ژ' => "zh",
        'س' | 'ص' | 'څ' | 'ס' => "s",
        'ش' | 'ښ' | 'ש' => "sh",
        'צ' | 'ץ' => "ts",
        'غ' => "gh",
        'ف' | 'ڤ' | 'פ' | 'ף' => "f",
        'ق' => "q",
        'ك' | 'ک' | 'ڪ' | 'כ' | 'ך' | 'ק' => "k",
        'گ' | 'ګ' | 'ڭ' | 'ږ' | 'ג' => "g",
        'ل' | 'ל' => "l",
        'م' | 'מ' | 'ם' => "m",
        'ن' | 'ں' | 'ڼ' | 'נ' | 'ן' => "n",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the characters are read as: `-` where a word ends.
    fn read(text: &str) -> (String, Vec<Writing>) {
        let mut writings = Vec::new();
        let read = characters(text).map(|(_, c)| match letter(c) {
            Letter::Silent => "".into(),
            Letter::Gap => "-".into(),
            Letter::Latin(latin, writing) => {
                writings.push(writing);
                latin
            }
        });
        (read.collect(), writings)
    }

    #[test]
    fn each_letter_of_semitic_alphabets_has_its_usual_romanisation() {
        for (alphabet, expected) in [
            ("ابتثجحخدذرزسش", "abtthjhkhddhrzssh"),
            ("صضطظعغفقكلمنهوي", "sdtzaghfqklmnhwy"),
            ("أإآٱىةۀءؤئ", "aaaaaaawy"),
            ("پچژکگیہھەۂۃںےۓ", "pchzhkgyhhhhhnyy"),
            ("ټډړځڅښګڼۍېږ", "tdrzsshgnyyg"),
            ("ٹڈڑڤڪڭۆۇ", "tdrfkgww"),
            ("אבגדהוזחטיכלמנסעפצקרשת", "abgdhwzkhtyklmnsaftskrsht"),
            ("ךםןףץ", "kmnfts"),
        ] {
            let (latin, writings) = read(alphabet);
            assert_eq!(latin, expected, "{alphabet}");
            assert!(writings.iter().all(|writing| *writing == Writing::Consonants), "{alphabet}");
        }
    }

    #[test]
    fn what_stands_for_a_syllable_is_told_from_letters() {
        for syllable in ['㐀', '鿿', '墨', '가', '힣', '\u{20000}', '\u{3134A}'] {
            assert_eq!(read(&syllable.to_string()).1, [Writing::Syllable(syllable)], "{syllable}");
        }
        for letter in ['a', 'ж', 'た', 'タ', 'ท', 'Ꭰ'] {
            assert_eq!(read(&letter.to_string()).1, [Writing::Alphabet], "{letter}");
        }
        for writing in [Writing::Alphabet, Writing::Consonants, Writing::Syllable('墨')] {
            assert_eq!(Writing::of_number(writing.number()), writing);
        }
    }

    #[test]
    fn what_has_no_sound_does_not_end_a_word() {
        assert_eq!(read("a'a’a‘a‛a`a´a′a″a՚a׳a״aʼaʻaʿaʾa").0, "a".repeat(16));
        assert_eq!(read("a\u{AD}a\u{200B}a\u{200F}a\u{2060}a\u{FEFF}aـa\u{301}a").0, "aaaaaaaa");
        assert_eq!(read("a b-c.d,e/f·g").0, "a-b-c-d-e-f-g");
    }

    #[test]
    fn each_character_knows_its_place() {
        let places: Vec<(Range<u16>, char)> = characters("ﬁe\u{301}´\u{1100}\u{1161}").collect();
        let expected = [(0..1, 'f'), (0..1, 'i'), (1..3, 'é'), (3..4, '\''), (4..6, '가')];
        assert_eq!(places, expected);
    }
}

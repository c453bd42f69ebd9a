//! Characters that sound otherwise behind another one: in Greek, Kana and Thai.

use any_ascii::any_ascii_char;

/// Adds a character to a word that ends in another one, both in lower case, where they are read otherwise
/// than one by one. Whether it was added: nothing has changed if not.
pub(crate) fn add_behind(word: &mut String, before: char, c: char) -> bool {
    let latin = any_ascii_char(c);
    match (before, c) {
        ('α'..='ω' | 'ύ', 'α'..='ω' | 'ύ') => add_greek(word, before, c, latin),
        ('ぁ'..='ヺ', 'ゃ' | 'ゅ' | 'ょ' | 'ャ' | 'ュ' | 'ョ') => add_palatal(word, latin),
        ('ぁ'..='ヺ', 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ') => {
            add_vowel(word, before, latin)
        }
        ('เ'..='ไ', 'ก'..='ฮ') => add_to_vowel(word, before, c, latin),
        ('ก'..='ู', SILENCED) => silence(word),
        _ => false,
    }
}

/// Two letters for one sound: `ΜΠ`, `ΝΤ` and `ΓΚ` at the beginning, `ΓΓ`, and vowels with `Υ`.
fn add_greek(word: &mut String, before: char, c: char, latin: &str) -> bool {
    let (last, sound) = match (before, c) {
        ('μ', 'π') if word == "m" => ("m", "b"),
        ('ν', 'τ') if word == "n" => ("n", "d"),
        ('γ', 'κ') if word == "g" => ("g", "g"),
        ('γ', 'γ') => ("g", "ng"),
        ('γ', 'χ') => ("g", "nch"),
        ('α' | 'ε', 'υ' | 'ύ') => ("", "v"),
        ('ο', 'υ' | 'ύ') => ("", "u"),
        ('υ' | 'ύ', 'θ' | 'κ' | 'ξ' | 'π' | 'σ' | 'τ' | 'φ' | 'χ' | 'ψ') => ("v", "f"),
        _ => return false,
    };
    let Some(rest) = word.strip_suffix(last).map(str::len) else { return false };
    word.truncate(rest);
    word.push_str(sound);
    if last == "v" {
        word.push_str(latin);
    }
    true
}

/// A small `ya`, `yu` or `yo` takes the place of a vowel: `kiya` is `kya`, `deyu` is `dyu`, and `shiya` is
/// `sha`.
fn add_palatal(word: &mut String, latin: &str) -> bool {
    let is_behind_vowel = word.ends_with(VOWELS);
    if is_behind_vowel {
        word.pop();
        let has_own = word.ends_with("sh") || word.ends_with("ch") || word.ends_with('j');
        word.push_str(latin.strip_prefix('y').filter(|_| has_own).unwrap_or(latin));
    }
    is_behind_vowel
}

/// A small vowel takes the place of the one before it: `fua` is `fa`, and `ui` is `wi`.
fn add_vowel(word: &mut String, before: char, latin: &str) -> bool {
    let is_behind_vowel = word.ends_with(VOWELS);
    if is_behind_vowel {
        word.pop();
        word.push_str(match before {
            'う' | 'ウ' => "w",
            'い' | 'イ' => "y",
            _ => "",
        });
        word.push_str(latin);
    }
    is_behind_vowel
}

const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];

/// Some vowels of Thai are written before the consonant that they are spoken behind.
fn add_to_vowel(word: &mut String, before: char, c: char, latin: &str) -> bool {
    let vowel = match before {
        'เ' => "e",
        'แ' => "ae",
        'โ' => "o",
        'ใ' | 'ไ' => "ai",
        _ => return false,
    };
    let Some(consonants) = word.strip_suffix(vowel).map(str::len) else { return false };
    word.truncate(consonants);
    // It carries a vowel that has no consonant of its own.
    if c != 'อ' {
        word.push_str(latin);
    }
    word.push_str(vowel);
    true
}

/// Thai's mark over a letter that is not spoken.
const SILENCED: char = '\u{E4C}';

/// What is marked is the last consonant, with a vowel where it has one.
fn silence(word: &mut String) -> bool {
    let spoken = word.trim_end_matches(['i', 'u']);
    let digraphs = ["th", "ch", "ph", "kh", "ng"];
    let digraph = digraphs.iter().find_map(|digraph| spoken.strip_suffix(digraph));
    let end = digraph.map_or(spoken.len().saturating_sub(1), str::len);
    word.truncate(end);
    true
}

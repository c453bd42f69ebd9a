//! Names of organisations: legal forms, numbers, and letters with dots.

use crate::compound::Token;
use crate::distance::is_one_edit;

/// Brings the words of an organisation's name into one spelling: letters with dots become a word
/// (`G.m.b.H.`), number words a number, and a legal form its abbreviation.
pub(crate) fn organisation(tokens: Vec<Token>) -> Vec<Token> {
    numbers(forms(letters(tokens)))
}

/// Single letters that follow each other are one word.
fn letters(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut is_letter = false;
    for token in tokens {
        let was_letter = std::mem::replace(&mut is_letter, token.text.len() == 1);
        match joined.last_mut().filter(|_| is_letter && was_letter) {
            Some(last) => last.absorb(&token),
            None => joined.push(token),
        }
    }
    joined
}

/// In shorter words another letter makes another word.
const SLIP_BYTES_MIN: usize = 5;

/// The longest legal form that begins at each word becomes its abbreviation.
fn forms(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        let begins_with = |form: &str| {
            let mut words = rest.iter().map(|token| token.text.as_str());
            // Where several words say the same, one slip of the pen in each leaves it clear.
            let is_word = |word: &str, read: &str| {
                word == read
                    || form.contains(' ')
                        && word.len() >= SLIP_BYTES_MIN
                        && is_one_edit(word.as_bytes(), read.as_bytes())
            };
            form.split(' ').all(|word| words.next().is_some_and(|read| is_word(word, read)))
        };
        if let Some((form, abbreviation)) = FORMS.iter().find(|(form, _)| begins_with(form)) {
            let last = at + form.split(' ').count() - 1;
            let to = tokens.drain(at + 1..=last).next_back().map(|token| token.to);
            if let Some(token) = tokens.get_mut(at) {
                (*abbreviation).clone_into(&mut token.text);
                token.to = to.unwrap_or(token.to);
            }
        }
        at += 1;
    }
    tokens
}

fn numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tens = false;
    for mut token in tokens {
        let Some(value) = number(&token.text) else {
            tens = false;
            read.push(token);
            continue;
        };
        if let Some(last) = read.last_mut().filter(|_| tens && value < 10)
            && let Ok(before) = last.text.parse::<u32>()
        {
            last.text = (before + value).to_string();
            last.to = token.to;
            tens = false;
            continue;
        }
        tens = value >= 20;
        token.text = value.to_string();
        read.push(token);
    }
    read
}

fn number(text: &str) -> Option<u32> {
    let at = UNITS.iter().position(|word| *word == text);
    let at = at.map(|at| u32::try_from(at + 1).unwrap_or(0));
    let tens = TENS.iter().position(|word| word.split('|').any(|word| word == text));
    let tens = tens.map(|at| u32::try_from(at * 10 + 20).unwrap_or(0));
    at.or(tens).or_else(|| text.parse().ok().filter(|number| *number < 1_000))
}

const UNITS: [&str; 19] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty|fourty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// What abbreviates a legal form; longer forms stand before their parts.
const FORMS: [(&str, &str); 60] = [
    ("open joint stock company", "jsc"),
    ("public joint stock company", "jsc"),
    ("closed joint stock company", "jsc"),
    ("private joint stock company", "jsc"),
    ("otkrytoe aktsionernoe obschestvo", "jsc"),
    ("otkrytoye aktsionernoye obshchestvo", "jsc"),
    ("joint stock company", "jsc"),
    ("aktsionernoe obshchestvo", "jsc"),
    ("aktsionernoye obshchestvo", "jsc"),
    ("aktsionernoe obschestvo", "jsc"),
    ("ojsc", "jsc"),
    ("pjsc", "jsc"),
    ("cjsc", "jsc"),
    ("oao", "jsc"),
    ("pao", "jsc"),
    ("zao", "jsc"),
    ("ao", "jsc"),
    ("limited liability company", "llc"),
    ("limited liability partnership", "llp"),
    ("obshchestvo s ogranichennoi otvetstvennostyu", "llc"),
    ("ooo", "llc"),
    ("sp zoo", "llc"),
    ("spzoo", "llc"),
    ("sp zo o", "llc"),
    ("gesellschaft mit beschrankter haftung", "gmbh"),
    ("aktiengesellschaft", "ag"),
    ("societe anonyme", "sa"),
    ("sociedad anonima", "sa"),
    ("public limited company", "plc"),
    ("private limited", "ltd"),
    ("company limited", "ltd"),
    ("co limited", "ltd"),
    ("company ltd", "ltd"),
    ("co ltd", "ltd"),
    ("pte ltd", "ltd"),
    ("pte limited", "ltd"),
    ("pvt ltd", "ltd"),
    ("pty ltd", "ltd"),
    ("sdn bhd", "ltd"),
    ("limited", "ltd"),
    ("incorporated", "inc"),
    ("corporation", "corp"),
    ("company", "co"),
    ("and co", "co"),
    ("compania", "co"),
    ("compagnie", "co"),
    ("akciova spolecnost", "as"),
    ("anonim sirketi", "as"),
    ("naamloze vennootschap", "nv"),
    ("besloten vennootschap", "bv"),
    ("aktiebolag", "ab"),
    ("osakeyhtio", "oy"),
    ("aktieselskab", "as"),
    ("societa per azioni", "spa"),
    ("perseroan terbatas", "pt"),
    ("kabushiki kaisha", "kk"),
    ("kommanditgesellschaft", "kg"),
    ("societe a responsabilite limitee", "sarl"),
    ("sociedad de responsabilidad limitada", "srl"),
    ("bros", "brothers"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::Writing;

    /// The words, each with the characters that it covers.
    fn read(name: &str) -> String {
        let mut at = 0;
        let tokens = name.split(' ').map(|text| {
            let from = at;
            at += u16::try_from(text.len() + 1).unwrap();
            Token { text: text.to_owned(), writing: Writing::Alphabet, from, to: at - 1 }
        });
        let words = organisation(tokens.collect());
        let words = words.iter().map(|Token { text, from, to, .. }| format!("{text} {from}..{to}"));
        words.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn letters_with_dots_are_a_word() {
        assert_eq!(read("petrel g m b h"), "petrel 0..6, gmbh 7..14");
        assert_eq!(read("a b petrel c"), "ab 0..3, petrel 4..10, c 11..12");
        assert_eq!(read("sp z o o petrel"), "llc 0..8, petrel 9..15");
    }

    #[test]
    fn a_legal_form_is_its_abbreviation() {
        for (name, expected) in [
            ("petrel limited", "petrel 0..6, ltd 7..14"),
            ("petrel company limited gull", "petrel 0..6, ltd 7..22, gull 23..27"),
            ("petrel limited liability company", "petrel 0..6, llc 7..32"),
            ("limited company petrel", "ltd 0..7, co 8..15, petrel 16..22"),
            // One slip of the pen in each long word of several.
            ("petrel limted liabilitty company", "petrel 0..6, llc 7..32"),
            ("petrel limted", "petrel 0..6, limted 7..13"),
            (
                "petrel lmted liability company",
                "petrel 0..6, lmted 7..12, liability 13..22, co 23..30",
            ),
            ("petrel pte ldt", "petrel 0..6, pte 7..10, ldt 11..14"),
            ("joint stock", "joint 0..5, stock 6..11"),
        ] {
            assert_eq!(read(name), expected, "{name}");
        }
    }

    #[test]
    fn number_words_are_numbers() {
        for (name, expected) in [
            ("brigade one", "brigade 0..7, 1 8..11"),
            ("brigade nineteen", "brigade 0..7, 19 8..16"),
            ("brigade twenty", "brigade 0..7, 20 8..14"),
            ("brigade ninety", "brigade 0..7, 90 8..14"),
            ("brigade fourty four", "brigade 0..7, 44 8..19"),
            ("brigade 40 4", "brigade 0..7, 44 8..12"),
            ("twenty one two", "21 0..10, 2 11..14"),
            ("twenty nine", "29 0..11"),
            ("twenty ten", "20 0..6, 10 7..10"),
            ("nineteen five", "19 0..8, 5 9..13"),
            ("twenty gull one", "20 0..6, gull 7..11, 1 12..15"),
            ("gull 007", "gull 0..4, 7 5..8"),
            ("gull 999", "gull 0..4, 999 5..8"),
            ("gull 01000", "gull 0..4, 01000 5..10"),
        ] {
            assert_eq!(read(name), expected, "{name}");
        }
    }
}

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
const FORMS: [(&str, &str); 61] = [
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
    ("sp z o o", "llc"),
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

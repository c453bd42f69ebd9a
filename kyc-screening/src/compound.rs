//! Names that are written as several words now and then, in one spelling.

use crate::letters::Writing;

/// A word as it was read, and the characters of the name that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) writing: Writing,
    /// The first character, and the one behind the last.
    pub(crate) from: u16,
    pub(crate) to: u16,
}

impl Token {
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        (self.from, self.to) = (self.from.min(other.from), self.to.max(other.to));
        if other.writing == Writing::Consonants {
            self.writing = Writing::Consonants;
        }
    }
}

/// Joins what is one name: that of a servant of God (`Abd al-Rahman`, `Abdurrahman`), of the faith
/// (`Nur al-Din`, `Nureddin`), or of God (`Habib Ullah`).
pub(crate) fn compounds(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(mut token) = tokens.next() {
        if SERVANTS.contains(&token.text.as_str()) {
            SERVANT.clone_into(&mut token.text);
            let article = tokens.next_if(|next| is_article(&next.text));
            let is_master =
                |next: &Token| next.text.len() > 2 && !SERVANTS.contains(&next.text.as_str());
            let Some(master) = tokens.next_if(is_master) else {
                joined.push(token);
                joined.extend(article);
                continue;
            };
            token.absorb(&master);
        } else if let Some(master) = servant_of(&token.text) {
            token.text = format!("{SERVANT}{master}");
        }
        token.text = with_usual_ending(token.text);
        match ending(&token.text).filter(|_| is_joinable(&joined)) {
            Some(ending) => {
                joined.pop_if(|last| is_article(&last.text));
                ending.clone_into(&mut token.text);
                if let Some(last) = joined.last_mut() {
                    last.absorb(&token);
                }
            }
            None => joined.push(token),
        }
    }
    with_master_behind(joined)
}

/// `Rahman Abdul` is `Abdul Rahman` with the family name first.
fn with_master_behind(mut tokens: Vec<Token>) -> Vec<Token> {
    if let [master, .., servant] = tokens.as_slice()
        && servant.text == SERVANT
        && MASTERS.contains(&master.text.as_str())
        && let Some(mut servant) = tokens.pop()
    {
        servant.absorb(&tokens.remove(0));
        tokens.push(servant);
    }
    tokens
}

/// Names of God that follow the servant.
const MASTERS: [&str; 40] = [
    "aziz", "azeez", "basir", "ghaffar", "ghafur", "ghani", "hadi", "hafiz", "hakim", "hakeem",
    "halim", "hamid", "hameed", "haq", "jabbar", "jalil", "kabir", "karim", "kareem", "khaliq",
    "latif", "majid", "majeed", "malik", "manan", "nasir", "qadir", "qader", "qayyum", "quddus",
    "rahim", "raheem", "rahman", "rehman", "rashid", "rauf", "salam", "samad", "wahab", "wahid",
];

/// How every servant's name begins.
pub(crate) const SERVANT: &str = "abd";

/// The servant, with an article or with a slip of the pen in it.
const SERVANTS: [&str; 14] = [
    "abd", "abdul", "abdel", "abdal", "abdol", "abdil", "abdu", "abdur", "abdus", "abdool",
    "adbul", "abdlu", "adbel", "abudl",
];

const ARTICLES: [&str; 19] = [
    "al", "el", "ul", "ol", "ur", "ar", "er", "as", "us", "es", "ad", "ud", "ed", "an", "en", "az",
    "uz", "ash", "at",
];

fn is_article(text: &str) -> bool {
    ARTICLES.contains(&text)
}

/// `rahman` of `abdurrahman`, `abdalrahman` and `abderahman`.
fn servant_of(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(SERVANT)?.strip_prefix(['u', 'a', 'e', 'o', 'i'])?;
    let master = match rest.as_bytes() {
        [b'l', ..] => rest.get(1..)?,
        [one, other, ..] if one == other => rest.get(1..)?,
        [b'r' | b's', ..] => rest,
        _ => return None,
    };
    (master.len() > 2).then_some(master)
}

/// Names that are the second half of another.
const OF_FAITH: [&str; 7] = ["din", "dine", "deen", "dien", "dyn", "uddin", "eddine"];
const OF_GOD: [&str; 6] = ["allah", "ullah", "ulla", "alla", "allh", "lah"];

/// How a name ends of which this is the second half.
fn ending(text: &str) -> Option<&'static str> {
    if OF_FAITH.contains(&text) { Some("din") } else { OF_GOD.contains(&text).then_some("lah") }
}

/// Whether there is a first half.
fn is_joinable(joined: &[Token]) -> bool {
    match joined {
        [.., _, last] if is_article(&last.text) => true,
        [.., last] => last.text.len() > 2,
        [] => false,
    }
}

/// How these names end when they are written as one word.
const ENDINGS: [(&str, &str); 17] = [
    ("uddine", "din"),
    ("eddine", "din"),
    ("uddeen", "din"),
    ("aldeen", "din"),
    ("uddin", "din"),
    ("eddin", "din"),
    ("addin", "din"),
    ("oddin", "din"),
    ("aldin", "din"),
    ("eldin", "din"),
    ("aldyn", "din"),
    ("udin", "din"),
    ("ullah", "lah"),
    ("allah", "lah"),
    ("ollah", "lah"),
    ("ulla", "lah"),
    ("allh", "lah"),
];

/// `nureddin`, `nuraldin` and `nurudin` end in `din`; `habibullah` and `habiballah` in `lah`.
fn with_usual_ending(text: String) -> String {
    for (ending, usual) in ENDINGS {
        if let Some(stem) = text.strip_suffix(ending).filter(|stem| stem.len() > 1) {
            return format!("{stem}{usual}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        let token = |text: &str| Token {
            text: text.to_owned(),
            writing: Writing::Alphabet,
            from: 0,
            to: 0,
        };
        let joined = compounds(name.split(' ').map(token).collect());
        let words: Vec<String> = joined.into_iter().map(|token| token.text).collect();
        assert_eq!(words.join(" "), expected, "{name}");
    }

    #[test]
    fn a_servants_name_is_one_word() {
        for name in ["abd al rahman", "abdul rahman", "abdurrahman", "abdalrahman", "abd el rahman"]
        {
            check(name, "abdrahman");
        }
        check("abdul aziz kole", "abdaziz kole");
        check("kole abdul", "kole abd");
        check("rahman kole abdul", "kole abdrahman");
        check("abdul", "abd");
        check("abdi kole", "abdi kole");
    }

    #[test]
    fn names_of_the_faith_and_of_god_are_one_word() {
        for name in ["nur al din", "nureddin", "nuruddin", "nur ud din", "nuraldin"] {
            check(name, "nurdin");
        }
        for name in ["habib ullah", "habibullah", "habib allah"] {
            check(name, "habiblah");
        }
        for name in ["abd allah", "abdullah", "abdallah", "abdollah"] {
            check(name, "abdlah");
        }
        check("allah dad", "allah dad");
        check("din kole", "din kole");
    }
}

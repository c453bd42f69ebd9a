//! What identifies somebody whatever the name.

use crate::{Entity, Query, wallet};

/// What identifies an entity without its name.
///
/// ```
/// use kyc_screening::{Engine, Identifier, Options, Query, Snapshot, read_plain};
///
/// let list = read_plain("id,name,documents\n7,Mira Kole,passport: X-123 4567\n".as_bytes())?;
/// let engine = Engine::new(vec![Snapshot::new("watch", list.into_entities())], Options::default());
/// let query = Query { documents: vec!["x1234567".into()], ..Query::named("Tobin Ashgrove") };
/// let (hit, explanation) = &engine.explain(&query)[0];
/// assert_eq!(hit.reasons, ["the number of an identity document is listed"]);
/// assert_eq!(explanation.identifier, Some(Identifier::Document));
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identifier {
    /// The address of a digital currency, each in its currency's one spelling.
    Wallet,
    /// The number of an identity document: letters and digits alone count, and there have to be
    /// seven of them, four digits among them. Shorter ones are given more than once.
    Document,
}

impl Identifier {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Wallet => "a wallet address is listed",
            Self::Document => "the number of an identity document is listed",
        }
    }

    /// What identifies a listed entity, each as it is looked up.
    pub(crate) fn of_entity(entity: &Entity) -> impl Iterator<Item = (Self, String)> {
        let documents = entity.documents.iter().map(|document| &document.number);
        Self::looked_up(entity.wallets.iter(), documents)
    }

    /// What identifies whoever is looked for, each as it is looked up.
    pub(crate) fn of_query(query: &Query) -> impl Iterator<Item = (Self, String)> {
        Self::looked_up(query.wallets.iter(), query.documents.iter())
    }

    fn looked_up<'t>(
        wallets: impl Iterator<Item = &'t String>,
        documents: impl Iterator<Item = &'t String>,
    ) -> impl Iterator<Item = (Self, String)> {
        let wallets = wallets.map(|text| (Self::Wallet, text));
        let all = wallets.chain(documents.map(|text| (Self::Document, text)));
        all.filter_map(|(kind, text)| Some((kind, kind.canonical(text)?)))
    }

    /// The spelling under which it is looked up; `None` if it identifies nobody.
    fn canonical(self, text: &str) -> Option<String> {
        match self {
            Self::Wallet => Some(wallet::canonical(text)),
            Self::Document => document(text),
        }
    }
}

fn document(number: &str) -> Option<String> {
    let letters = number.chars().filter(char::is_ascii_alphanumeric);
    let canonical: String = letters.map(|c| c.to_ascii_uppercase()).collect();
    let digits = canonical.bytes().filter(u8::is_ascii_digit).count();
    (canonical.len() >= LENGTH_MIN && digits >= DIGITS_MIN).then_some(canonical)
}

const LENGTH_MIN: usize = 7;
const DIGITS_MIN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_letters_and_digits() {
        assert_eq!(document("x-123 4567"), Some("X1234567".to_owned()));
        assert_eq!(document("A/1234-56"), Some("A123456".to_owned()));
    }

    #[test]
    fn short_numbers_and_words_identify_nobody() {
        for number in ["", "123456", "PASSPORT", "unknown 12", "..."] {
            assert_eq!(document(number), None, "{number}");
        }
    }
}

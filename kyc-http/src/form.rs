//! Form bodies and query strings: `name=value&name=value`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use thiserror::Error;

use crate::percent::{Plus, Undecodable, decode};

/// The arguments of a form body (`application/x-www-form-urlencoded`) or of a query string.
///
/// Unknown arguments are kept and do no harm (D17). Whether a blank value counts as absent is
/// for the caller to say (D16). There is no `Debug`, since the values are personal data.
pub(crate) struct Form(pub(crate) BTreeMap<String, String>);

impl Form {
    /// The most arguments of one form: some thirty are known, the rest is room for unknown ones.
    pub(crate) const ARGUMENTS_MAX: usize = 100;

    /// Decodes a body or query string strictly, but with the tolerance of D51.
    ///
    /// Names are decoded like values. An argument without `=` has an empty value, and nothing
    /// between two `&` is no argument.
    ///
    /// # Errors
    ///
    /// [`InvalidForm`], whichever case is met first.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, InvalidForm> {
        let mut arguments = BTreeMap::new();
        for argument in text.split(|byte| *byte == b'&').filter(|argument| !argument.is_empty()) {
            if arguments.len() == Self::ARGUMENTS_MAX {
                return Err(InvalidForm::TooManyArguments);
            }
            let mut halves = argument.splitn(2, |byte| *byte == b'=');
            let name = decode(halves.next().unwrap_or_default(), Plus::Space)?;
            let value = decode(halves.next().unwrap_or_default(), Plus::Space)?;
            match arguments.entry(name) {
                Entry::Vacant(entry) => entry.insert(value),
                Entry::Occupied(entry) => {
                    return Err(InvalidForm::Repeated { name: presentable(entry.key()) });
                }
            };
        }
        Ok(Self(arguments))
    }

    /// The value of an argument, exactly as it was meant, `None` if the argument is absent.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Why a text is not a [`Form`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidForm {
    /// The same argument twice, be it known or not (D17).
    #[error("an argument is given more than once")]
    Repeated {
        /// The name of the argument, if it is [`presentable`].
        name: Option<String>,
    },
    /// More than [`Form::ARGUMENTS_MAX`] arguments.
    #[error("the form has more than {} arguments", Form::ARGUMENTS_MAX)]
    TooManyArguments,
    /// A name or a value cannot be decoded.
    #[error(transparent)]
    Undecodable(#[from] Undecodable),
}

/// The name, if an answer may repeat it.
///
/// In a body that was joined by hand a value can stand where a name belongs, and values are never
/// repeated (D1). All names of the interface pass, hardly any personal data do.
pub(crate) fn presentable(name: &str) -> Option<String> {
    let plain = name.len() <= 32 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain.then(|| name.to_owned())
}

#[cfg(test)]
mod tests;

//! Form bodies. All people are invented.

use std::fmt::Write as _;

/// The arguments of a form, in the order in which they are sent.
#[derive(Clone)]
pub(crate) struct Sent(pub(crate) Vec<(String, String)>);

impl Sent {
    /// What is required for level 1, but for the documents.
    pub(crate) fn mira() -> Self {
        Self::mira_aml_only().with("id_type", "passport").with("kyc_level", "L1")
    }

    /// What is required for screening alone.
    pub(crate) fn mira_aml_only() -> Self {
        Self(Vec::new())
            .with("email", "mira.kole@example.org")
            .with("first_name", "Mira")
            .with("last_name", "Kole")
            .with("nationality", "Albania, ALB")
            .with("date_of_birth", "1990-05-17")
            .with("gender", "female")
    }

    /// Every optional field of `/f1` that is no document.
    pub(crate) fn with_every_option(self) -> Self {
        self.with("userid", "user-17")
            .with("middle_name", "Ana")
            .with("id_number", "X1234567")
            .with("contribution_type", "ETH")
            .with("wallet_address", "0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B")
            .with("estimated_amount", "about 3,000 €")
            .with("wallet_address1", "bc1qexample1")
            .with("wallet_address2", "bc1qexample2")
            .with("wallet_address3", "bc1qexample3")
            .with("cf1", "first \"custom\" field")
            .with("cf2", "второе поле")
            .with("cf3", "3")
            .with("ip_address", "203.0.113.7")
    }

    /// Sends a value, in the place of an earlier one of this name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(known, _)| known != name);
        self
    }

    #[track_caller]
    pub(crate) fn value(&self, name: &str) -> &str {
        let Some((_, value)) = self.0.iter().find(|(known, _)| known == name) else {
            panic!("{name} is not sent")
        };
        value
    }

    /// The body as libraries write it, everything escaped.
    pub(crate) fn body(&self) -> String {
        self.joined(escape)
    }

    /// The body as it is joined by hand, nothing escaped.
    pub(crate) fn raw_body(&self) -> String {
        self.joined(str::to_owned)
    }

    fn joined(&self, write: impl Fn(&str) -> String) -> String {
        let pairs: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}={}", write(value))).collect();
        pairs.join("&")
    }
}

/// Escapes everything but letters and digits.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            escaped.push(char::from(byte));
        } else {
            write!(escaped, "%{byte:02X}").unwrap();
        }
    }
    escaped
}

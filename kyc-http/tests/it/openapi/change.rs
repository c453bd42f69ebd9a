//! Requests with one thing that the document does not say.

use http::{HeaderValue, Method};
use serde_json::Value;

use super::document::Meant;
use super::request::{Draft, Part, UNKNOWN, USED_KEY, credential, plain};
use super::values::Maker;
use crate::routes::METHODS;
use crate::support::*;

/// What is done to a request that is as the document says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Nothing,
    Content(Content),
    Head(Head),
    Credential(Credential),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// A parameter or member that nobody knows.
    Unknown,
    /// Without a member that is required.
    Missing,
    /// A part has a value that its schema does not allow.
    Wrong,
    /// An argument comes twice.
    Repeated,
    /// An argument cannot be decoded, or the body ends too early.
    Undecodable,
    /// A well-formed id that nobody has.
    Elsewhere,
    /// The key of an earlier request.
    UsedKey,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Head {
    MediaType,
    TooLarge,
    Method,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Credential {
    None,
    Wrong,
    Twice,
    /// An inspector's token for a client's operation, and the reverse.
    OtherKind,
    /// Another client's, for what one client has.
    OtherClient,
}

impl Change {
    /// Each at least once; values can be wrong in most ways.
    pub(super) const ALL: [Self; 20] = [
        Self::Nothing,
        Self::Content(Content::Unknown),
        Self::Content(Content::Missing),
        Self::Content(Content::Wrong),
        Self::Content(Content::Wrong),
        Self::Content(Content::Wrong),
        Self::Content(Content::Wrong),
        Self::Content(Content::Wrong),
        Self::Content(Content::Repeated),
        Self::Content(Content::Undecodable),
        Self::Content(Content::Elsewhere),
        Self::Content(Content::UsedKey),
        Self::Head(Head::MediaType),
        Self::Head(Head::TooLarge),
        Self::Head(Head::Method),
        Self::Credential(Credential::None),
        Self::Credential(Credential::Wrong),
        Self::Credential(Credential::Twice),
        Self::Credential(Credential::OtherKind),
        Self::Credential(Credential::OtherClient),
    ];
}

impl Draft<'_> {
    /// Makes a change, and says what has to become of the request. Where the operation has nothing
    /// to change so, it is sent as it is.
    pub(super) fn change(&mut self, change: Change, maker: &mut Maker<'_>) -> Meant {
        let meant = match change {
            Change::Nothing => None,
            Change::Content(content) => self.change_content(content, maker),
            Change::Head(head) => self.change_head(head, maker),
            Change::Credential(credential) => self.change_credential(credential),
        };
        meant.unwrap_or_else(|| self.meant(maker))
    }

    fn change_content(&mut self, change: Content, maker: &mut Maker<'_>) -> Option<Meant> {
        let has_arguments = self.parts.iter().any(|part| part.place == "query") || self.is_form();
        let has_body = self.operation.body.is_some();
        let count = self.parts.len();
        let mut parts = self.parts.iter_mut();
        match change {
            Content::Unknown => {
                let place = if has_body { "body" } else { "query" };
                let mut part = Part::new(place, UNKNOWN, &Value::Null, false);
                part.value = Some("x".into());
                self.parts.push(part);
                return None;
            }
            Content::Missing => {
                let is_needed = |part: &&mut Part| part.place == "body" && part.is_required;
                let mut needed: Vec<&mut Part> = parts.filter(is_needed).collect();
                let at = maker.dice.below(needed.len().max(1));
                needed.get_mut(at)?.value = None;
            }
            Content::Wrong => {
                let part = parts.nth(maker.dice.below(count.max(1)))?;
                let is_json = self.media_type.as_deref() == Some("application/json");
                let wrong = if part.is_file() {
                    Some("no such format".into())
                } else {
                    maker.wrong_value(&part.schema, !(is_json && part.place == "body"))
                };
                let is_sendable = |value: &Value| {
                    part.place != "header" || HeaderValue::from_str(&plain(value)).is_ok()
                };
                part.value = Some(wrong.filter(is_sendable)?);
            }
            Content::Repeated => {
                has_arguments.then_some(())?;
                self.appended = "&x=1&x=2";
            }
            Content::Undecodable => {
                (has_arguments || has_body).then_some(())?;
                let arguments = ["&x=%zz", "&x=%ff", "&%00=1"];
                let at = maker.dice.below(arguments.len());
                self.appended = if has_arguments { arguments[at] } else { "" };
                self.is_cut = !has_arguments;
            }
            Content::Elsewhere => {
                let id =
                    parts.find(|part| (part.place, &*part.name) == ("path", "submission_id"))?;
                id.value = Some(maker.new_value(&id.schema));
            }
            Content::UsedKey => {
                parts.find(|part| part.place == "header")?.value = Some(USED_KEY.into());
            }
        }
        Some(Meant::Refused)
    }

    fn change_head(&mut self, change: Head, maker: &mut Maker<'_>) -> Option<Meant> {
        match change {
            Head::MediaType => {
                self.operation.body.as_ref()?;
                self.media_type = Some("text/plain".to_owned());
            }
            Head::TooLarge => self.headers.push(("content-length", "99999999".to_owned())),
            Head::Method => {
                // A stranger is told nothing of methods.
                self.operation.security.as_ref()?;
                let template = &self.operation.template;
                let is_other = |method: &&Method| {
                    let mut known = maker.document.operations.iter();
                    !known.any(|one| one.template == *template && one.method == **method)
                };
                let others: Vec<&Method> = METHODS.iter().filter(is_other).collect();
                self.method = (*maker.dice.pick(&others)).clone();
                return Some(Meant::OtherMethod);
            }
        }
        Some(Meant::Refused)
    }

    fn change_credential(&mut self, change: Credential) -> Option<Meant> {
        let is_clients = self.operation.security.as_ref()? == "clientKey";
        let is_anybodys = !is_clients || !self.operation.names_something();
        match change {
            Credential::None => self.credentials.clear(),
            Credential::Wrong => drop(self.credentials[0].1.pop()),
            Credential::Twice => self.credentials.push(self.credentials[0].clone()),
            Credential::OtherKind => {
                let (name, text) = if is_clients { Ines } else { Acme }.header()?;
                self.credentials = vec![(name, text.to_owned())];
            }
            Credential::OtherClient if is_anybodys => return None,
            Credential::OtherClient => {
                self.credentials = credential(self.operation, Birch).into_iter().collect();
                return Some(Meant::Refused);
            }
        }
        Some(Meant::Forbidden)
    }
}

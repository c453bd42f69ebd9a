//! Requests: as the document says, and with one thing that it does not say.

use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use serde_json::{Map, Value};

use super::document::{Meant, Operation};
use super::values::Maker;
use crate::support::*;

/// A request that is not joined yet.
pub(super) struct Draft<'d> {
    operation: &'d Operation,
    pub(super) method: Method,
    pub(super) credentials: Vec<(&'static str, String)>,
    headers: Vec<(&'static str, String)>,
    media_type: Option<String>,
    parts: Vec<Part>,
    /// What stands behind the last argument of query or body.
    appended: &'static str,
    /// Whether the body loses its end.
    is_cut: bool,
}

/// A parameter, or a member of the body.
struct Part {
    /// `path`, `query`, `header` or `body`.
    place: &'static str,
    name: String,
    schema: Value,
    is_required: bool,
    value: Option<Value>,
}

/// What is done to a request that is as the document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// A parameter or member that nobody knows.
    Unknown,
    /// Without a part that is required.
    Missing,
    /// A part has a value that its schema does not allow.
    Wrong,
    /// An argument comes twice.
    Repeated,
    /// An argument cannot be decoded, or the body ends too early.
    Undecodable,
    MediaType,
    TooLarge,
    Method,
    /// Well-formed ids that nobody has.
    Elsewhere,
    /// The ids of one client, asked for by another.
    OtherClient,
    /// The key of an earlier request.
    UsedKey,
    NoCredential,
    WrongCredential,
    TwoCredentials,
    /// An inspector's token for a client's operation, and the reverse.
    OtherCredential,
}

impl Change {
    pub(super) const ALL: [Self; 16] = [
        Self::Nothing,
        Self::Unknown,
        Self::Missing,
        Self::Wrong,
        Self::Repeated,
        Self::Undecodable,
        Self::MediaType,
        Self::TooLarge,
        Self::Method,
        Self::Elsewhere,
        Self::OtherClient,
        Self::UsedKey,
        Self::NoCredential,
        Self::WrongCredential,
        Self::TwoCredentials,
        Self::OtherCredential,
    ];
}

/// No parameter or member has this name.
const UNKNOWN: &str = "no_such_argument";
/// Under this key both callers had a request.
pub(super) const USED_KEY: &str = "used-before";

impl<'d> Draft<'d> {
    /// A request as the document says.
    pub(super) fn of(operation: &'d Operation, maker: &mut Maker<'_>) -> Self {
        let mut parts: Vec<Part> = operation
            .parameters
            .iter()
            .map(|parameter| {
                let place = match parameter.place.as_str() {
                    "path" => "path",
                    "query" => "query",
                    _ => "header",
                };
                Part::new(place, &parameter.name, &parameter.schema, place == "path")
            })
            .collect();
        if let Some((_, schema)) = &operation.body {
            let schema = maker.document.resolve(schema);
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, schema) in schema["properties"].as_object().unwrap() {
                let is_required = required.contains(&name.as_str().into());
                parts.push(Part::new("body", name, schema, is_required));
            }
        }
        for part in &mut parts {
            if part.is_required || maker.dice.chance(40) {
                part.fill(maker);
            }
        }
        let mut draft = Self {
            operation,
            method: operation.method.clone(),
            credentials: credential(operation, Acme).into_iter().collect(),
            headers: Vec::new(),
            media_type: operation.body.as_ref().map(|(media_type, _)| media_type.clone()),
            parts,
            appended: "",
            is_cut: false,
        };
        draft.fill_what_follows(maker);
        draft
    }

    /// What the other members of the body make necessary.
    fn fill_what_follows(&mut self, maker: &mut Maker<'_>) {
        let Some((_, schema)) = &self.operation.body else { return };
        let body = Value::Object(self.members());
        let document = maker.document;
        let names = document.resolve(schema)["then"]["required"].as_array();
        if names.is_some() && document.is_valid(&document.resolve(schema)["if"], &body) {
            let follows = |part: &&mut Part| names.unwrap().contains(&part.name.as_str().into());
            for part in self.parts.iter_mut().filter(|part| part.place == "body").filter(follows) {
                part.is_required = true;
                part.fill(maker);
            }
        } else if !document.is_valid(schema, &body) {
            // Too few members.
            self.parts.iter_mut().filter(|part| part.place == "body").for_each(|p| p.fill(maker));
        }
        assert!(document.is_valid(schema, &Value::Object(self.members())));
    }

    fn members(&self) -> Map<String, Value> {
        let body = self.parts.iter().filter(|part| part.place == "body");
        body.filter_map(|part| Some((part.name.clone(), part.value.clone()?))).collect()
    }

    /// Makes a change, and says what has to become of the request.
    pub(super) fn change(&mut self, change: Change, maker: &mut Maker<'_>) -> Meant {
        self.changed(change, maker).unwrap_or_else(|| self.meant(maker))
    }

    /// `None` where this operation has nothing to change so.
    fn changed(&mut self, change: Change, maker: &mut Maker<'_>) -> Option<Meant> {
        let is_open = self.operation.security.is_none();
        let has_arguments = self.parts.iter().any(|part| part.place == "query") || self.is_form();
        Some(match change {
            Change::Nothing | Change::Unknown => {
                if change == Change::Unknown {
                    self.add_unknown();
                }
                self.meant(maker)
            }
            Change::Missing => {
                let is_needed = |part: &&mut Part| part.place == "body" && part.is_required;
                let mut needed: Vec<&mut Part> = self.parts.iter_mut().filter(is_needed).collect();
                let at = maker.dice.below(needed.len().max(1));
                needed.get_mut(at)?.value = None;
                Meant::Refused
            }
            Change::Wrong => {
                let mut parts: Vec<&mut Part> = self.parts.iter_mut().collect();
                let at = maker.dice.below(parts.len().max(1));
                let part = parts.get_mut(at)?;
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
                Meant::Refused
            }
            Change::Repeated => {
                if !has_arguments {
                    return None;
                }
                self.appended = "&x=1&x=2";
                Meant::Refused
            }
            Change::Undecodable => {
                if has_arguments {
                    self.appended = *maker.dice.pick(&["&x=%zz", "&x=%ff", "&%00=1"]);
                } else {
                    self.operation.body.as_ref()?;
                    self.is_cut = true;
                }
                Meant::Refused
            }
            Change::MediaType => {
                self.operation.body.as_ref()?;
                self.media_type = Some("text/plain".to_owned());
                Meant::Refused
            }
            Change::TooLarge => {
                self.headers.push(("content-length", "99999999".to_owned()));
                Meant::Refused
            }
            Change::Method => {
                if is_open {
                    return None;
                }
                let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
                let template = &self.operation.template;
                let is_other = |method: &&str| {
                    let mut known = maker.document.operations.iter();
                    !known.any(|one| one.template == *template && one.method == **method)
                };
                let others: Vec<&str> = methods.into_iter().filter(is_other).collect();
                self.method = maker.dice.pick(&others).parse().unwrap();
                Meant::OtherMethod
            }
            Change::Elsewhere => {
                let ids = self.parts.iter_mut().filter(|part| part.name == "submission_id");
                let mut ids: Vec<&mut Part> = ids.filter(|part| part.place == "path").collect();
                let id = ids.first_mut()?;
                id.value = Some(maker.new_value(&id.schema));
                Meant::Refused
            }
            Change::OtherClient => {
                let is_clients = self.operation.security.as_deref() == Some("clientKey");
                if !is_clients || !self.operation.names_something() {
                    return None;
                }
                self.credentials = credential(self.operation, Birch).into_iter().collect();
                Meant::Refused
            }
            Change::UsedKey => {
                if self.method == Method::GET {
                    return None;
                }
                let key = self.parts.iter_mut().find(|part| part.place == "header")?;
                key.value = Some(USED_KEY.into());
                Meant::Refused
            }
            _ if is_open => return None,
            Change::NoCredential => {
                self.credentials.clear();
                Meant::Forbidden
            }
            Change::WrongCredential => {
                let (_, text) = self.credentials.first_mut()?;
                text.pop();
                Meant::Forbidden
            }
            Change::TwoCredentials => {
                let again = self.credentials.first()?.clone();
                self.credentials.push(again);
                Meant::Forbidden
            }
            Change::OtherCredential => {
                let is_clients = self.operation.security.as_deref() == Some("clientKey");
                let (name, text) = if is_clients { Ines } else { Acme }.header()?;
                self.credentials = vec![(name, text.to_owned())];
                Meant::Forbidden
            }
        })
    }

    fn is_form(&self) -> bool {
        self.media_type.as_deref() == Some("application/x-www-form-urlencoded")
    }

    fn add_unknown(&mut self) {
        let place = if self.operation.body.is_some() { "body" } else { "query" };
        let mut part = Part::new(place, UNKNOWN, &Value::Null, false);
        part.value = Some("x".into());
        self.parts.push(part);
    }

    /// Whether a request as the document says has to succeed: if it names nothing that may not be
    /// there, or be in another state.
    fn meant(&self, maker: &Maker<'_>) -> Meant {
        // A page key is of an earlier answer, and an unknown argument alone asks for no list (D46).
        let is_unsure = |part: &Part| {
            let names = ["nextpageKeyemail", "nextpageKeyid", "after", UNKNOWN];
            part.place == "query" && part.value.is_some() && names.contains(&&*part.name)
        };
        let has_unsure = maker.made_up || self.parts.iter().any(is_unsure);
        // What is answered to everybody says how the service is.
        let is_open = self.operation.security.is_none();
        if is_open || has_unsure || self.operation.names_something() {
            Meant::WellFormed
        } else {
            Meant::Taken
        }
    }

    pub(super) fn key(&self) -> Option<&Value> {
        self.parts.iter().find(|part| part.place == "header")?.value.as_ref()
    }

    /// Method, target and body, for whoever reads of a fault.
    pub(super) fn describe(&self) -> String {
        format!("{} {} {}", self.method, self.target(), String::from_utf8_lossy(&self.body()))
    }

    pub(super) fn request(&self) -> Request<Bytes> {
        let mut request = Request::builder().method(&self.method).uri(self.target());
        for (name, value) in self.credentials.iter().chain(&self.headers) {
            request = request.header(*name, value);
        }
        for part in self.parts.iter().filter(|part| part.place == "header") {
            if let Some(value) = &part.value {
                request = request.header(&part.name, plain(value));
            }
        }
        if let Some(media_type) = &self.media_type {
            let is_upload = media_type == "multipart/form-data";
            request =
                request.header("content-type", if is_upload { upload_type() } else { media_type });
        }
        request.body(self.body().into()).unwrap()
    }

    fn target(&self) -> String {
        let mut target = self.operation.template.clone();
        for part in self.parts.iter().filter(|part| part.place == "path") {
            let value = plain(part.value.as_ref().unwrap());
            target = target.replace(&format!("{{{}}}", part.name), &escape(&value));
        }
        let query = self.joined("query");
        if query.is_empty() { target } else { format!("{target}?{query}") }
    }

    fn body(&self) -> Vec<u8> {
        let mut body = match self.operation.body.as_ref().map(|(media_type, _)| media_type.as_str())
        {
            None => return Vec::new(),
            Some("application/json") => Value::Object(self.members()).to_string().into_bytes(),
            Some("multipart/form-data") => {
                let members = self.members();
                let is_selfie = members.get("type").is_some_and(|kind| kind == "selfie");
                let bytes = |value: &Value| match plain(value).as_str() {
                    "jpeg" => jpeg(),
                    "png" => png(),
                    "pdf" => {
                        if is_selfie {
                            jpeg()
                        } else {
                            pdf()
                        }
                    }
                    text => text.as_bytes().to_vec(),
                };
                let parts: Vec<(&str, Vec<u8>)> =
                    members.iter().map(|(name, value)| (name.as_str(), bytes(value))).collect();
                let parts: Vec<(&str, &[u8])> =
                    parts.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
                multipart(&parts)
            }
            Some(_) => self.joined("body").into_bytes(),
        };
        if self.is_cut {
            body.truncate(body.len() - 6);
        }
        body
    }

    fn joined(&self, place: &str) -> String {
        let parts = self.parts.iter().filter(|part| part.place == place);
        let pairs = parts.filter_map(|part| {
            Some(format!("{}={}", part.name, escape(&plain(part.value.as_ref()?))))
        });
        let has_arguments = if self.is_form() { "body" } else { "query" } == place;
        pairs.collect::<Vec<_>>().join("&") + if has_arguments { self.appended } else { "" }
    }
}

impl Part {
    fn new(place: &'static str, name: &str, schema: &Value, is_required: bool) -> Self {
        Self { place, name: name.to_owned(), schema: schema.clone(), is_required, value: None }
    }

    fn fill(&mut self, maker: &mut Maker<'_>) {
        self.value = Some(if self.is_file() {
            (*maker.dice.pick(&["jpeg", "png", "pdf"])).into()
        } else {
            maker.value(&self.name, &self.schema)
        });
    }

    fn is_file(&self) -> bool {
        self.schema["format"] == "binary"
    }
}

/// The credential that an operation asks for.
fn credential(operation: &Operation, client: Caller) -> Option<(&'static str, String)> {
    let who = if operation.security.as_deref()? == "clientKey" { client } else { Ines };
    who.header().map(|(name, text)| (name, text.to_owned()))
}

/// A value as text, where nothing else can be sent.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().unwrap().to_string(),
        other => other.to_string(),
    }
}

//! Requests as the document says.

use bytes::Bytes;
use http::{Method, Request};
use serde_json::{Map, Value};

use super::document::{Meant, Operation};
use super::values::Maker;
use crate::support::*;

/// A request that is not joined yet.
pub(super) struct Draft<'d> {
    pub(super) operation: &'d Operation,
    pub(super) method: Method,
    pub(super) credentials: Vec<(&'static str, String)>,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) media_type: Option<String>,
    pub(super) parts: Vec<Part>,
    /// What stands behind the last argument of query or body.
    pub(super) appended: &'static str,
    /// Whether the body loses its end.
    pub(super) is_cut: bool,
}

/// A parameter, or a member of the body.
pub(super) struct Part {
    /// `path`, `query`, `header` or `body`.
    pub(super) place: &'static str,
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) is_required: bool,
    pub(super) value: Option<Value>,
}

/// No parameter or member has this name.
pub(super) const UNKNOWN: &str = "no_such_argument";
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

    pub(super) fn is_form(&self) -> bool {
        self.media_type.as_deref() == Some("application/x-www-form-urlencoded")
    }

    /// Whether a request as the document says has to succeed: if it names nothing that may not be
    /// there, or be in another state.
    pub(super) fn meant(&self, maker: &Maker<'_>) -> Meant {
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
    pub(super) fn new(place: &'static str, name: &str, schema: &Value, is_required: bool) -> Self {
        Self { place, name: name.to_owned(), schema: schema.clone(), is_required, value: None }
    }

    fn fill(&mut self, maker: &mut Maker<'_>) {
        self.value = Some(if self.is_file() {
            (*maker.dice.pick(&["jpeg", "png", "pdf"])).into()
        } else if self.place == "header" {
            // Long enough to be nobody else's.
            maker.dice.text("[!-~]{20,40}").into()
        } else {
            maker.value(&self.name, &self.schema)
        });
    }

    pub(super) fn is_file(&self) -> bool {
        self.schema["format"] == "binary"
    }
}

/// The credential that an operation asks for.
pub(super) fn credential(operation: &Operation, client: Caller) -> Option<(&'static str, String)> {
    let who = if operation.security.as_deref()? == "clientKey" { client } else { Ines };
    who.header().map(|(name, text)| (name, text.to_owned()))
}

/// A value as text, where nothing else can be sent.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().unwrap().to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

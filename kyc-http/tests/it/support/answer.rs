//! Answers, and what is asked of them.

use bytes::Bytes;
use http::{HeaderMap, Response};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn of(response: Response<Bytes>) -> Self {
        let (head, body) = response.into_parts();
        Self { status: head.status.as_u16(), headers: head.headers, body }
    }

    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The text behind a JSON pointer.
    #[track_caller]
    pub(crate) fn text_at(&self, pointer: &str) -> String {
        let json = self.json();
        let Some(Value::String(text)) = json.pointer(pointer) else {
            panic!("no text at {pointer} in {}", self.text())
        };
        text.clone()
    }

    #[track_caller]
    pub(crate) fn value_at(&self, pointer: &str) -> Value {
        let json = self.json();
        let Some(value) = json.pointer(pointer) else {
            panic!("nothing at {pointer} in {}", self.text())
        };
        value.clone()
    }

    #[track_caller]
    pub(crate) fn has(&self, pointer: &str) -> bool {
        self.json().pointer(pointer).is_some()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// This answer, which is a success.
    #[track_caller]
    pub(crate) fn success(self) -> Self {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// The exact body of a success. The expected text is folded for the reader: line ends and the
    /// spaces that begin a line do not count.
    #[track_caller]
    pub(crate) fn is(&self, expected: &str) {
        assert_eq!(self.text(), unfolded(expected));
        assert_eq!(self.status, 200);
        assert_eq!(self.header("content-type"), Some("application/json"));
    }

    /// Exact bytes within the body of a success, folded as in [`is`](Self::is).
    #[track_caller]
    pub(crate) fn has_bytes(&self, expected: &str) {
        let expected = unfolded(expected);
        assert!(self.text().contains(&expected), "{}\nhas no\n{expected}", self.text());
        assert_eq!(self.status, 200);
    }

    /// The exact body of a failure, without and with faults of fields.
    #[track_caller]
    pub(crate) fn is_error(&self, status: u16, code: &str, message: &str) {
        self.is_error_with(status, code, message, "");
    }

    #[track_caller]
    pub(crate) fn is_error_in(
        &self,
        status: u16,
        code: &str,
        message: &str,
        faults: &[(&str, &str)],
    ) {
        let faults: Vec<String> = faults
            .iter()
            .map(|(name, reason)| {
                let reason = Value::from(*reason);
                format!("{{\"name\":\"{name}\",\"reason\":{reason}}}")
            })
            .collect();
        self.is_error_with(status, code, message, &format!("\"fields\":[{}],", faults.join(",")));
    }

    #[track_caller]
    fn is_error_with(&self, status: u16, code: &str, message: &str, fields: &str) {
        let request_id = self.text_at("/request_id");
        assert!(request_id.parse::<kyc_core::DocumentId>().is_ok(), "{request_id}");
        let expected = format!(
            "{{\"message\":\"{message}\",\"errorCode\":\"{code}\",{fields}\
             \"request_id\":\"{request_id}\"}}"
        );
        assert_eq!(self.text(), expected);
        assert_eq!(self.status, status);
        assert_eq!(self.header("content-type"), Some("application/json"));
    }

    /// Fields whose values have faults: `Field values are not valid`.
    #[track_caller]
    pub(crate) fn is_invalid(&self, faults: &[(&str, &str)]) {
        self.is_error_in(400, "invalid_field", "Field values are not valid", faults);
    }

    /// At least one required field is missing.
    #[track_caller]
    pub(crate) fn is_missing(&self, faults: &[(&str, &str)]) {
        let message = "Required field values are not provided";
        self.is_error_in(400, "required_field_missing", message, faults);
    }

    #[track_caller]
    pub(crate) fn is_not_found(&self) {
        self.is_error(404, "not_found", "Not Found");
    }

    #[track_caller]
    pub(crate) fn is_forbidden(&self) {
        self.is_error(403, "forbidden", "Forbidden");
    }

    /// As [`is_forbidden`](Self::is_forbidden), of an [`anonymous`](Self::anonymous) answer.
    #[track_caller]
    pub(crate) fn is_forbidden_but_for_its_id(&self) {
        let body = r#"{"message":"Forbidden","errorCode":"forbidden","request_id":"*"}"#;
        assert_eq!((self.status, self.text()), (403, body));
    }

    /// The answer with its request id blotted out, to compare it with another one.
    pub(crate) fn anonymous(&self) -> Self {
        let Ok(Value::Object(body)) = serde_json::from_slice(&self.body) else {
            return self.clone();
        };
        let Some(Value::String(request_id)) = body.get("request_id") else { return self.clone() };
        let body = Bytes::from(self.text().replace(request_id, "*"));
        Self { body, ..self.clone() }
    }
}

fn unfolded(text: &str) -> String {
    text.lines().map(str::trim_start).collect()
}

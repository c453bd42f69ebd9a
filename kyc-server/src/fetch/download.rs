//! One file: asked for, sent on, gone on with, tried again.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, DATE, ETAG, HOST,
    HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, LAST_MODIFIED, LOCATION,
    RANGE, USER_AGENT,
};
use hyper::{Request, Response, StatusCode};
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};

use super::address::Address;
use super::connect::{Ask, Connector};
use super::error::FetchError;
use super::limits::Limits;
use super::partial::{Note, Partial};

/// What names an edition of a file, as its publisher said it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Validators {
    etag: Option<String>,
    last_modified: Option<String>,
}

/// Fetches files, and tells how many bytes of one have come.
pub(super) struct Downloads<'a> {
    pub(super) connector: &'a Connector,
    pub(super) limits: &'a Limits,
    pub(super) progress: &'a dyn Fn(u64),
}

impl Downloads<'_> {
    /// Fetches a file to `path`, unpacked, and tells what names it.
    pub(super) async fn fetch(
        &self,
        address: &Address,
        path: &Path,
    ) -> Result<Validators, FetchError> {
        let fetched = self.fetch_unless(address, path, &Validators::default()).await?;
        fetched.ok_or_else(|| {
            let (address, status) = (address.clone(), StatusCode::NOT_MODIFIED);
            FetchError::Status { address, status, hint: "" }
        })
    }

    /// As [`fetch`](Self::fetch); `None` where the publisher has what `known` names.
    pub(super) async fn fetch_unless(
        &self,
        address: &Address,
        path: &Path,
        known: &Validators,
    ) -> Result<Option<Validators>, FetchError> {
        let partial = Partial::of(path);
        let mut failures = 0;
        loop {
            let before = partial.bytes();
            let attempt = self.attempt(address, path, &partial, known).await;
            // What comes in pieces comes in the end; the limit of the whole list holds all the same.
            failures = if partial.bytes() > before { 1 } else { failures + 1 };
            match attempt {
                Err(error) if error.is_passing() && failures < self.limits.attempts_max => {}
                done => return done,
            }
            sleep(self.limits.back_off.saturating_mul(1 << (failures - 1).min(16))).await;
        }
    }

    async fn attempt(
        &self,
        address: &Address,
        path: &Path,
        partial: &Partial,
        known: &Validators,
    ) -> Result<Option<Validators>, FetchError> {
        let resumed = partial.resumable(address);
        let conditions = match &resumed {
            Some((bytes, note)) => {
                vec![(RANGE, format!("bytes={bytes}-")), (IF_RANGE, note.validator.clone())]
            }
            None => known.conditions(),
        };
        let (place, answer) = self.ask(address, &conditions).await?;
        let validators = Validators::of(answer.headers());
        let encoded = is_encoded(answer.headers());
        let is_encoded = encoded.ok_or(FetchError::Encoding { address: place.clone() })?;
        let (file, before, total) = match (answer.status(), resumed) {
            (StatusCode::OK, _) => {
                let address = address.secret().to_owned();
                let validator = validators.strong(answer.headers());
                let bytes = number(answer.headers(), &CONTENT_LENGTH);
                let note =
                    validator.map(|validator| Note { address, validator, is_encoded, bytes });
                (partial.begin(note.as_ref())?, 0, None)
            }
            (StatusCode::PARTIAL_CONTENT, Some((bytes, note))) => {
                let named = validators.strong(answer.headers());
                let is_other = named.is_some_and(|validator| validator != note.validator);
                let is_whole = |total| note.bytes.is_none_or(|whole| whole == total);
                let part = Part::of(answer.headers())
                    .filter(|part| part.first == bytes && part.total.is_none_or(is_whole));
                let Some(part) = part.filter(|_| !is_other && note.is_encoded == is_encoded) else {
                    partial.clear()?;
                    return Err(FetchError::OtherPart { address: place });
                };
                (partial.go_on()?, bytes, part.total.or(note.bytes))
            }
            (StatusCode::NOT_MODIFIED, None) if *known != Validators::default() => return Ok(None),
            (status, _) => {
                if status == StatusCode::RANGE_NOT_SATISFIABLE {
                    partial.clear()?;
                }
                return Err(FetchError::Status { address: place, status, hint: hint(status) });
            }
        };
        let received = self.receive(&place, answer, (file, partial.path()), before).await;
        if let Err(FetchError::TooLarge { .. }) = received {
            partial.clear()?;
        }
        let received = received?;
        if let Some(total) = total.filter(|total| *total != received) {
            // A server may send less at once than it was asked for.
            let source = format!("the file has {total} bytes").into();
            return Err(FetchError::CutOff { address: place, received, source });
        }
        partial.finish(&place, is_encoded, path, self.limits.file_bytes_max)?;
        Ok(Some(validators))
    }

    /// Asks, and asks again where the answer sends on to.
    async fn ask(
        &self,
        address: &Address,
        conditions: &[(HeaderName, String)],
    ) -> Result<(Address, Response<Incoming>), FetchError> {
        let mut place = address.clone();
        for _ in 0..=self.limits.redirects_max {
            let answer = self.connector.send(&place, request(&place, conditions)?, self.limits);
            let answer = answer.await?;
            let location = answer.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            let Some(location) = location.filter(|_| is_redirect(answer.status())) else {
                return Ok((place, answer));
            };
            let to = place.follow(location).map_err(|source| {
                let address = place.clone();
                FetchError::Redirect { address, source }
            })?;
            if place.is_https() && !to.is_https() {
                return Err(FetchError::Downgrade { address: place, to });
            }
            place = to;
        }
        let times = self.limits.redirects_max;
        Err(FetchError::Redirects { address: address.clone(), times })
    }

    /// Writes what comes behind what came `before`, as long as it comes fast enough, and tells how
    /// much there is then.
    async fn receive(
        &self,
        address: &Address,
        answer: Response<Incoming>,
        (mut file, path): (File, &Path),
        before: u64,
    ) -> Result<u64, FetchError> {
        let bytes_max = self.limits.file_bytes_max;
        let too_large = || FetchError::TooLarge { address: address.clone(), bytes_max };
        let announced = number(answer.headers(), &CONTENT_LENGTH).unwrap_or(0);
        if before.saturating_add(announced) > bytes_max {
            return Err(too_large());
        }
        let mut body = answer.into_body();
        let mut received = before;
        let (mut since, mut bytes_since) = (Instant::now(), 0);
        loop {
            let left = self.limits.pace.saturating_sub(since.elapsed());
            let frame = match timeout(left, body.frame()).await {
                Ok(Some(Ok(frame))) => frame,
                Ok(None) => return Ok(received),
                Ok(Some(Err(error))) => {
                    let (address, source) = (address.clone(), error.into());
                    return Err(FetchError::CutOff { address, received, source });
                }
                Err(_) if bytes_since < self.limits.pace_bytes_min => {
                    let (bytes, seconds) = (self.limits.pace_bytes_min, self.limits.pace.as_secs());
                    let address = address.clone();
                    return Err(FetchError::Slow { address, received, bytes, seconds });
                }
                Err(_) => {
                    (since, bytes_since) = (Instant::now(), 0);
                    continue;
                }
            };
            let Ok(bytes) = frame.into_data() else { continue };
            received = received.saturating_add(bytes.len() as u64);
            bytes_since = bytes_since.saturating_add(bytes.len() as u64);
            if received > bytes_max {
                return Err(too_large());
            }
            file.write_all(&bytes).map_err(FetchError::disk(path))?;
            (self.progress)(received);
        }
    }
}

impl Validators {
    fn of(headers: &HeaderMap) -> Self {
        let text = |name| Some(headers.get(name)?.to_str().ok()?.to_owned());
        Self { etag: text(&ETAG), last_modified: text(&LAST_MODIFIED) }
    }

    fn conditions(&self) -> Vec<(HeaderName, String)> {
        let etag = self.etag.iter().map(|etag| (IF_NONE_MATCH, etag.clone()));
        let time = self.last_modified.iter().map(|time| (IF_MODIFIED_SINCE, time.clone()));
        etag.chain(time).collect()
    }

    /// What names these very bytes, so that a beginning can go on (RFC 9110, 13.1.5): no weak tag,
    /// and no time of a file that was still changing when it was sent.
    fn strong(&self, headers: &HeaderMap) -> Option<String> {
        if let Some(etag) = &self.etag {
            return Some(etag.clone()).filter(|etag| !etag.starts_with("W/"));
        }
        let sent = headers.get(DATE)?.to_str().ok()?;
        self.last_modified.clone().filter(|changed| changed != sent)
    }
}

fn request(address: &Address, conditions: &[(HeaderName, String)]) -> Result<Ask, FetchError> {
    let mut request = Request::get(address.target())
        .header(HOST, address.authority())
        .header(USER_AGENT, concat!("kyc/", env!("CARGO_PKG_VERSION")))
        .header(ACCEPT_ENCODING, "gzip")
        .header(CONNECTION, "close");
    for (name, value) in conditions {
        request = request.header(name, value);
    }
    let malformed = |error: hyper::http::Error| FetchError::Malformed {
        address: address.clone(),
        source: error.into(),
    };
    request.body(Empty::new()).map_err(malformed)
}

fn is_redirect(status: StatusCode) -> bool {
    [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ]
    .contains(&status)
}

/// Whether a body is compressed; `None` where it is in a way that was not asked for.
fn is_encoded(headers: &HeaderMap) -> Option<bool> {
    let Some(encoding) = headers.get(CONTENT_ENCODING) else { return Some(false) };
    match encoding.to_str().ok()?.to_ascii_lowercase().as_str() {
        "identity" | "" => Some(false),
        "gzip" | "x-gzip" => Some(true),
        _ => None,
    }
}

/// Which part of a file comes, as in `bytes 100-199/200`.
struct Part {
    first: u64,
    /// How much the file has, if the server knows.
    total: Option<u64>,
}

impl Part {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let range = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
        let (part, total) = range.split_once('/')?;
        let first = part.split('-').next()?.parse().ok()?;
        Some(Self { first, total: total.parse().ok() })
    }
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// What to do about a status.
fn hint(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 => ": it lets not everybody in; is the address complete?",
        404 | 410 => ": is the address still right?",
        407 => ": requests through a proxy are not supported",
        500.. => ": the publisher has a fault; it is tried again",
        _ => "",
    }
}

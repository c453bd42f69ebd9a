//! The rules for a request head that the HTTP parser leaves to its caller.

use http::header::{HOST, HeaderValue, TRANSFER_ENCODING, UPGRADE};
use http::request::Parts;
use http::{HeaderMap, Method, Version};

use super::Limits;
use crate::interface::Refusal;

/// Checks a parsed head: exactly one Host, a target that is a path, no encoding but
/// `chunked`, no way to another protocol.
///
/// Each rule closes a gap through which a proxy in front could see another request than this
/// server does.
pub(super) fn check(head: &Parts, limits: &Limits) -> Result<(), Refusal> {
    if head.method == Method::CONNECT {
        return Err(Refusal::BadRequest("the CONNECT method is not supported"));
    }
    let path_only = head.uri.scheme().is_none() && head.uri.authority().is_none();
    let Some(target) = head.uri.path_and_query().filter(|_| path_only) else {
        return Err(Refusal::BadRequest("the request target is a path"));
    };
    if !target.as_str().starts_with('/') {
        return Err(Refusal::BadRequest("the request target is a path"));
    }
    if !target.as_str().is_ascii() {
        return Err(Refusal::BadRequest("the request target is ASCII, other bytes are encoded"));
    }
    if target.as_str().len() > limits.target_bytes_max {
        return Err(Refusal::TargetTooLong);
    }
    if head.headers.len() > limits.headers_max {
        return Err(Refusal::HeadTooLarge);
    }
    if head.headers.contains_key(UPGRADE) {
        return Err(Refusal::BadRequest("the Upgrade header is not supported"));
    }
    check_transfer_encoding(&head.headers)?;
    check_host(head)
}

/// Other encodings under `chunked` would be taken for a part of the body.
fn check_transfer_encoding(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut encodings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |encoding: &HeaderValue| encoding.as_bytes().eq_ignore_ascii_case(b"chunked");
    if encodings.next().is_none_or(is_chunked) && encodings.next().is_none() {
        return Ok(());
    }
    Err(Refusal::BadRequest("the only transfer encoding is chunked"))
}

fn check_host(head: &Parts) -> Result<(), Refusal> {
    let mut hosts = head.headers.get_all(HOST).iter();
    let Some(host) = hosts.next() else {
        // HTTP/1.0 does not ask for a Host, and health checks of proxies send none.
        return match head.version {
            Version::HTTP_10 => Ok(()),
            _ => Err(ONE_HOST),
        };
    };
    let host = host.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+;=:[]".contains(byte);
    if hosts.next().is_some() || host.is_empty() || !host.iter().all(is_name) {
        return Err(ONE_HOST);
    }
    Ok(())
}

const ONE_HOST: Refusal = Refusal::BadRequest("exactly one Host header is required");

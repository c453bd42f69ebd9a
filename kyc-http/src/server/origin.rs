//! From where the requests of a connection come.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};
use http::request::Parts;

use super::Transport;
use crate::interface::{Peer, Refusal};

/// From where the requests of a connection come.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// Over TLS, from this address.
    Client(Peer),
    /// In clear, from a proxy that is trusted to say how it received a request, and from whom.
    Proxy(Arc<Transport>),
    /// In clear, from somebody else.
    Stranger,
}

impl Origin {
    /// Notes in the head which address the request came from, where that is known.
    pub(super) fn note(&self, head: &mut Parts) -> Result<(), Refusal> {
        let peer = match self {
            Self::Client(peer) => Some(*peer),
            Self::Proxy(transport) if came_by_https(&head.headers) => {
                forwarded_for(&head.headers, transport)
            }
            Self::Proxy(_) | Self::Stranger => return Err(Refusal::HttpsRequired),
        };
        if let Some(peer) = peer {
            head.extensions.insert(peer);
        }
        Ok(())
    }
}

/// Whether a proxy says that it received the request over TLS (D11). Exactly one word of one proxy
/// counts: in a list, the first word may be the client's own.
fn came_by_https(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(X_FORWARDED_PROTO).iter();
    let proto = values.next().map(HeaderValue::as_bytes);
    proto.is_some_and(|proto| proto.eq_ignore_ascii_case(b"https")) && values.next().is_none()
}

/// The address that the outermost of our proxies was called from (D102): the last one that is not a
/// proxy itself. What stands before it was written by whoever called, and is not looked at.
fn forwarded_for(headers: &HeaderMap, transport: &Transport) -> Option<Peer> {
    let values = headers.get_all(X_FORWARDED_FOR).iter().rev();
    let words = values.flat_map(|value| value.as_bytes().rsplit(|b| *b == b','));
    words
        .map(address)
        .find(|address| address.is_none_or(|address| !transport.trusts(address)))
        .flatten()
        .map(Peer)
}

/// An address, alone or with a port, as some proxies write it.
fn address(word: &[u8]) -> Option<IpAddr> {
    let word = std::str::from_utf8(word).ok()?.trim();
    let with_port = || word.parse().ok().map(|address: SocketAddr| address.ip());
    word.parse().ok().or_else(with_port)
}

const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of the header, as they arrive through proxies in 10.0.0.0/8.
    #[track_caller]
    fn check(lines: &[&str], expected: Option<&str>) {
        let transport = Transport::BehindProxy(vec!["10.0.0.0/8".parse().unwrap()]);
        let lines = lines.iter().map(|line| (X_FORWARDED_FOR, line.parse().unwrap()));
        let headers: HeaderMap = lines.collect();
        let expected = expected.map(|address| Peer(address.parse().unwrap()));
        assert_eq!(forwarded_for(&headers, &transport), expected, "{headers:?}");
    }

    #[test]
    fn d102_the_address_is_the_one_that_the_proxy_was_called_from() {
        check(&["192.0.2.1"], Some("192.0.2.1"));
        check(&["2001:db8::1"], Some("2001:db8::1"));
        check(&["192.0.2.1:4711"], Some("192.0.2.1"));
        check(&["[2001:db8::1]:4711"], Some("2001:db8::1"));
        check(&["192.0.2.1, 10.0.0.7"], Some("192.0.2.1"));
        check(&["192.0.2.1", "10.0.0.7 , 10.0.0.8"], Some("192.0.2.1"));
    }

    #[test]
    fn d102_what_a_caller_wrote_itself_is_not_believed() {
        check(&["203.0.113.9, 192.0.2.1"], Some("192.0.2.1"));
        check(&["10.0.0.9, 192.0.2.1"], Some("192.0.2.1"));
        check(&["203.0.113.9", "192.0.2.1"], Some("192.0.2.1"));
        check(&["203.0.113.9, 192.0.2.1, 10.0.0.7"], Some("192.0.2.1"));
    }

    #[test]
    fn d102_without_an_address_nothing_is_guessed() {
        check(&[], None);
        check(&[""], None);
        check(&["unknown"], None);
        check(&["192.0.2.1, unknown"], None);
        check(&["192.0.2.1,"], None);
        check(&["192.0.2.1, unknown, 10.0.0.7"], None);
        check(&["10.0.0.7"], None);
    }
}

//! Where a file is fetched from.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use url::{Host, Url};

/// An address that may be fetched from: over HTTPS, or in clear from this machine itself (D76).
///
/// Shown without its query, which may hold a secret of the operator. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address(Arc<Url>);

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidAddress {
    #[error("expected an address, such as https://lists.example.org/watch.csv")]
    Malformed,
    #[error("expected https://; in clear a list is fetched from this machine alone")]
    InClear,
    #[error("expected an address without a user and a password")]
    NamesUser,
}

impl Address {
    /// Where an answer of this address sends on to.
    pub(super) fn follow(&self, location: &str) -> Result<Self, InvalidAddress> {
        Self::of(self.0.join(location).map_err(|_| InvalidAddress::Malformed)?)
    }

    /// A file in this folder.
    pub(super) fn file(&self, name: &str) -> Self {
        let mut url = Url::clone(&self.0);
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(name);
        }
        Self(Arc::new(url))
    }

    /// The whole of it, query included.
    pub(super) fn secret(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn is_https(&self) -> bool {
        self.0.scheme() == HTTPS
    }

    /// Name or number of the machine.
    pub(super) fn host(&self) -> String {
        match self.0.host() {
            Some(Host::Ipv6(number)) => number.to_string(),
            Some(Host::Ipv4(number)) => number.to_string(),
            Some(Host::Domain(name)) => name.to_owned(),
            None => String::new(),
        }
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// The `Host` header of a request.
    pub(super) fn authority(&self) -> &str {
        self.0.authority()
    }

    /// The target of a request: path and query.
    pub(super) fn target(&self) -> &str {
        &self.0[url::Position::BeforePath..url::Position::AfterQuery]
    }

    fn of(mut url: Url) -> Result<Self, InvalidAddress> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidAddress::NamesUser);
        }
        let is_here = match url.host() {
            Some(Host::Ipv4(number)) => number.is_loopback(),
            Some(Host::Ipv6(number)) => number.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => return Err(InvalidAddress::Malformed),
        };
        url.set_fragment(None);
        match url.scheme() {
            HTTPS => Ok(Self(Arc::new(url))),
            "http" if is_here => Ok(Self(Arc::new(url))),
            "http" => Err(InvalidAddress::InClear),
            _ => Err(InvalidAddress::Malformed),
        }
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        Self::of(Url::parse(text).map_err(|_| InvalidAddress::Malformed)?)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0[..url::Position::AfterPath])
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

const HTTPS: &str = "https";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, InvalidAddress>) {
        let shown = text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(shown, expected.map(str::to_owned));
    }

    #[test]
    fn d76_in_clear_a_list_comes_from_this_machine_alone() {
        check("https://lists.example.org/a.csv", Ok("https://lists.example.org/a.csv"));
        check("http://127.0.0.1:8080/a.csv", Ok("http://127.0.0.1:8080/a.csv"));
        check("http://[::1]/a.csv", Ok("http://[::1]/a.csv"));
        check("http://localhost/a.csv", Ok("http://localhost/a.csv"));
        check("http://lists.example.org/a.csv", Err(InvalidAddress::InClear));
        check("http://localhost.example.org/", Err(InvalidAddress::InClear));
        check("http://10.0.0.1/a.csv", Err(InvalidAddress::InClear));
        check("ftp://lists.example.org/a.csv", Err(InvalidAddress::Malformed));
        check("file:///etc/passwd", Err(InvalidAddress::Malformed));
        check("a.csv", Err(InvalidAddress::Malformed));
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        check("https://lists.example.org/a?token=7#x", Ok("https://lists.example.org/a"));
        check("https://ines:7@lists.example.org/a", Err(InvalidAddress::NamesUser));
        let address: Address = "https://lists.example.org/a?token=7".parse().unwrap();
        assert_eq!(format!("{address:?}"), "Address(https://lists.example.org/a)");
        assert_eq!(address.target(), "/a?token=7");
    }

    #[test]
    fn files_are_in_their_folder_and_redirects_relative_to_where_they_came_from() {
        let address = |text: &str| text.parse::<Address>().unwrap();
        for folder in ["https://lists.example.org/ofac", "https://lists.example.org/ofac/"] {
            let file = address(folder).file("sdn.csv");
            assert_eq!(file.to_string(), "https://lists.example.org/ofac/sdn.csv");
        }
        let from = address("https://lists.example.org/ofac/sdn.csv");
        let to = |location: &str| from.follow(location).map(|address| address.to_string());
        assert_eq!(to("alt.csv").unwrap(), "https://lists.example.org/ofac/alt.csv");
        assert_eq!(to("/alt.csv").unwrap(), "https://lists.example.org/alt.csv");
        assert_eq!(to("//b.example.org/").unwrap(), "https://b.example.org/");
        assert_eq!(to("http://b.example.org/"), Err(InvalidAddress::InClear));
    }
}

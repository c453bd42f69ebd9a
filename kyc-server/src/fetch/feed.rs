//! Which list is fetched from where.

use std::str::FromStr;

use kyc_screening::PUBLISHED_LISTS;

use super::address::{Address, InvalidAddress};

/// A list and the files that it is fetched as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Feed {
    pub(crate) list: String,
    /// Of the file, or of the folder of a set.
    pub(super) address: Address,
    /// The main one first.
    pub(super) files: Vec<RemoteFile>,
}

/// One file of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemoteFile {
    /// What it is called here, which for the files of a set is what its publisher calls it.
    pub(super) name: String,
    pub(super) address: Address,
}

/// Why a text names no list to be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidFeed {
    #[error(
        "expected UN, EU, UK, US-CSL, OFAC-SDN, OFAC-CONS, or a list of your own in lower-case \
         letters, digits, - and _"
    )]
    Name,
    #[error("expected NAME=ADDRESS: a list of your own has no other address")]
    NoAddress,
    #[error(transparent)]
    Address(#[from] InvalidAddress),
}

impl Feed {
    /// The published lists, each from its publisher.
    pub(crate) fn published() -> Vec<Self> {
        PUBLISHED_LISTS.into_iter().filter_map(|list| list.parse().ok()).collect()
    }
}

impl FromStr for Feed {
    type Err = InvalidFeed;

    /// Reads `NAME`, or `NAME=ADDRESS`; the address of an OFAC set is that of the folder of its
    /// files.
    fn from_str(text: &str) -> Result<Self, InvalidFeed> {
        let (list, address) = match text.trim().split_once('=') {
            Some((list, address)) => (list.trim(), Some(address.trim())),
            None => (text.trim(), None),
        };
        let official = OFFICIAL.iter().find(|(name, ..)| *name == list);
        if official.is_none() && !is_own_name(list) {
            return Err(InvalidFeed::Name);
        }
        let of_publisher = official.map(|(_, address, _)| *address);
        let address: Address = address.or(of_publisher).ok_or(InvalidFeed::NoAddress)?.parse()?;
        let files = match official {
            Some((_, _, names)) if !names.is_empty() => {
                let file = |name: &&str| {
                    let name = (*name).to_owned();
                    RemoteFile { address: address.file(&name), name }
                };
                names.iter().map(file).collect()
            }
            Some(_) | None => {
                vec![RemoteFile { name: format!("{list}.list"), address: address.clone() }]
            }
        };
        Ok(Self { list: list.to_owned(), address, files })
    }
}

/// Whether a list of an operator may be called so. No published list may, in any letter case.
pub(crate) fn is_own_name(name: &str) -> bool {
    let is_published = |other: &&str| other.eq_ignore_ascii_case(name);
    (1..=64).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_lowercase() || "0123456789-_".contains(c))
        && !PUBLISHED_LISTS.iter().any(is_published)
}

/// Where each published list is, and the names of its files where it is a set in a folder.
const OFFICIAL: [(&str, &str, &[&str]); 6] = [
    ("UN", "https://scsanctions.un.org/resources/xml/en/consolidated.xml", &[]),
    // The token is part of the public address, the same for everybody.
    (
        "EU",
        "https://webgate.ec.europa.eu/fsd/fsf/public/files/csvFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw",
        &[],
    ),
    ("UK", "https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv", &[]),
    (
        "US-CSL",
        "https://data.trade.gov/downloadable_consolidated_screening_list/v1/consolidated.csv",
        &[],
    ),
    ("OFAC-SDN", OFAC, &["sdn.csv", "alt.csv", "add.csv", "sdn_comments.csv"]),
    ("OFAC-CONS", OFAC, &["cons_prim.csv", "cons_alt.csv", "cons_add.csv", "cons_comments.csv"]),
];
const OFAC: &str = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/";

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(text: &str) -> Vec<String> {
        let feed: Feed = text.parse().unwrap();
        feed.files.iter().map(|file| file.address.to_string()).collect()
    }

    #[test]
    fn every_published_list_has_its_publishers_address() {
        let names: Vec<String> = Feed::published().into_iter().map(|feed| feed.list).collect();
        assert_eq!(names, PUBLISHED_LISTS);
        let sdn = addresses("OFAC-SDN");
        assert_eq!(sdn.len(), 4);
        assert!(sdn.iter().all(|address| address.starts_with(OFAC)), "{sdn:?}");
    }

    #[test]
    fn a_published_list_may_come_from_elsewhere() {
        assert_eq!(addresses("UN=https://m.example.org/un"), ["https://m.example.org/un"]);
        assert_eq!(
            addresses("OFAC-CONS = https://m.example.org/ofac/")[3],
            "https://m.example.org/ofac/cons_comments.csv"
        );
    }

    #[test]
    fn a_list_of_ones_own_needs_a_name_and_an_address() {
        let refused = |text: &str| text.parse::<Feed>().unwrap_err();
        assert_eq!(addresses("watch_1=https://m.example.org/w"), ["https://m.example.org/w"]);
        assert_eq!(refused("watch_1"), InvalidFeed::NoAddress);
        for name in ["", "un", "Watch", "a/b", "..", "UN,EU", "sample list"] {
            assert_eq!(refused(&format!("{name}=https://m.example.org/")), InvalidFeed::Name);
        }
        assert!(matches!(refused("watch=http://m.example.org"), InvalidFeed::Address(_)));
    }
}

//! What a file is, from its first bytes.

use super::table::Known;
use super::{eu, open_sanctions, plain, rows, uk, us_csl};

/// What a file is, found from its content.
///
/// ```
/// use kyc_screening::Format;
///
/// assert_eq!(Format::detect(b"id,name\n1,Mira Kole\n"), Some(Format::Plain));
/// assert_eq!(Format::detect(b"36,12,\"aka\",\"AERO\",-0- \n"), Some(Format::OfacAliases));
/// assert_eq!(Format::detect(b"%PDF-1.7"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The consolidated list of the United Nations, XML.
    Un,
    /// The consolidated list of the European Union, CSV 1.1.
    Eu,
    /// The UK Sanctions List, CSV.
    Uk,
    /// The consolidated screening list of the United States, CSV.
    UsCsl,
    /// The main file of an OFAC set: `sdn.csv` or `cons_prim.csv`.
    OfacPrimary,
    /// The aliases of an OFAC set: `alt.csv` or `cons_alt.csv`.
    OfacAliases,
    /// The addresses of an OFAC set: `add.csv` or `cons_add.csv`.
    OfacAddresses,
    /// What did not fit into the main file's remarks: `sdn_comments.csv` or `cons_comments.csv`.
    OfacComments,
    /// `targets.simple.csv` of `OpenSanctions`.
    OpenSanctionsTargets,
    /// `entities.ftm.json` of `OpenSanctions`: `FollowTheMoney`, JSON lines.
    OpenSanctionsEntities,
    /// An operator's own list, CSV with a header row.
    Plain,
}

impl Format {
    /// How many bytes of a file [`detect`](Self::detect) looks at.
    pub const HEAD_BYTES: usize = 8 * 1024;

    /// Finds the format from the beginning of a file. `None` when it is no known one.
    ///
    /// A header row that shares most columns with a format is taken for it, so that its reader can
    /// say which one is missing; one known column is enough for [`Plain`](Self::Plain).
    pub fn detect(head: &[u8]) -> Option<Self> {
        let head = head.get(..Self::HEAD_BYTES).unwrap_or(head);
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start();
        if text.starts_with('<') {
            return text.contains("<CONSOLIDATED_LIST").then_some(Self::Un);
        }
        if text.starts_with('{') {
            return is_entity(text).then_some(Self::OpenSanctionsEntities);
        }
        let has = |delimiter, known: &Known, count| {
            rows::first(text, delimiter).is_some_and(|row| known.count_in(&row) >= count)
        };
        if has(b';', &eu::COLUMNS, 2) {
            return Some(Self::Eu);
        }
        if has(b',', &us_csl::COLUMNS, 5) {
            return Some(Self::UsCsl);
        }
        if has(b',', &open_sanctions::COLUMNS, 6) {
            return Some(Self::OpenSanctionsTargets);
        }
        let first = rows::first(text, b',')?;
        if uk::report_date(&first).is_some() {
            return Some(Self::Uk);
        }
        let is_number = |field: &str| field.parse::<u64>().is_ok();
        if !first.get(0).is_some_and(is_number) {
            return has(b',', &plain::COLUMNS, 1).then_some(Self::Plain);
        }
        match first.len() {
            2 => Some(Self::OfacComments),
            5 => Some(Self::OfacAliases),
            6 => Some(Self::OfacAddresses),
            12 => Some(Self::OfacPrimary),
            _ => None,
        }
    }
}

/// Whether an object has two of the keys that every entity has, in whatever order.
fn is_entity(text: &str) -> bool {
    let keys = ["\"id\"", "\"schema\"", "\"properties\"", "\"datasets\""];
    keys.iter().filter(|key| text.contains(**key)).count() > 1
}

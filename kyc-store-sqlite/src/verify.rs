//! Proving that what is stored is whole.

mod answers;
mod audited;
mod certificates;
mod database;
mod directory;
mod documents;
mod submissions;
mod usage;

use std::fmt;

use kyc_core::StoreError;
use rusqlite::Connection;

use crate::{SqliteStore, VerifiedChain};

use certificates::Certificates;

/// What is checked, in this order.
///
/// ```
/// use kyc_store_sqlite::Check;
///
/// assert_eq!(Check::ALL[0].to_string(), "pages");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// The pages of the database: its trees, its indexes, and what its tables demand of each row.
    Pages,
    /// The schema is the one that this release makes, and no other.
    Schema,
    /// What rows refer to is there.
    References,
    /// Clients, keys and inspectors can be read, and are as the audit says.
    Directory,
    /// Each submission can be read, and its columns say what its record says.
    Submissions,
    /// Each submission stands in the queue that it belongs in: the approved without a result wait
    /// for screening.
    Queues,
    /// Each document has its row, its file and its checksum.
    Documents,
    /// What is counted of each client is what there is.
    Usage,
    /// Each answer that is kept for retries can be opened, and what it tells of is there.
    Answers,
    /// Each chain of the audit is as it was written.
    Audit,
    /// Each certificate is the store's own, and the audit tells of its erasure; each erasure has one.
    Erasures,
    /// Files without a row: left-overs of uploads that a crash cut short. They are no fault, and the
    /// next start removes them.
    LeftOvers,
}

impl Check {
    /// Every check, in its order.
    pub const ALL: [Self; 12] = [
        Self::Pages,
        Self::Schema,
        Self::References,
        Self::Directory,
        Self::Submissions,
        Self::Queues,
        Self::Documents,
        Self::Usage,
        Self::Answers,
        Self::Audit,
        Self::Erasures,
        Self::LeftOvers,
    ];
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pages => "pages",
            Self::Schema => "schema",
            Self::References => "references",
            Self::Directory => "directory",
            Self::Submissions => "submissions",
            Self::Queues => "queues",
            Self::Documents => "documents",
            Self::Usage => "usage",
            Self::Answers => "answers",
            Self::Audit => "audit",
            Self::Erasures => "erasures",
            Self::LeftOvers => "left-overs",
        })
    }
}

/// Something that is not as it should be. Names a place, never what is there.
///
/// ```
/// use kyc_store_sqlite::{Check, Fault};
///
/// let fault = Fault {
///     check: Check::Submissions,
///     table: "submission".into(),
///     key: "01jd3v9k8m2q4r5s6t7v8w9x0w".into(),
///     what: "the record ends too early".into(),
/// };
/// assert_eq!(
///     fault.to_string(),
///     "submission 01jd3v9k8m2q4r5s6t7v8w9x0w: the record ends too early",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What found it.
    pub check: Check,
    /// Where it is.
    pub table: String,
    /// Which row: an id or a number; empty where there is none.
    pub key: String,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, key, what, .. } = self;
        let space = if key.is_empty() { "" } else { " " };
        write!(f, "{table}{space}{key}: {what}")
    }
}

/// What a verification tells on its way.
///
/// ```
/// use kyc_store_sqlite::{Check, Options, SqliteStore, Told};
///
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStore::open(folder.path(), Options::default())?;
/// let mut faults = Vec::new();
/// let checked = store.verify(&mut |told| {
///     if let Told::Fault(fault) = told {
///         faults.push(fault);
///     }
/// })?;
/// assert_eq!(faults, []);
/// assert_eq!(checked.len(), Check::ALL.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Told {
    /// So many more were looked at.
    Looked(Check, u64),
    /// Something is wrong.
    Fault(Fault),
}

/// What came of one check; there is an example at [`Told`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Which one.
    pub check: Check,
    /// How many rows, files or parts it looked at.
    pub count: u64,
    /// How many faults it found.
    pub faults: u64,
}

impl SqliteStore {
    /// Looks at everything that is stored, beside whoever reads and writes, and tells of each fault.
    ///
    /// Rows are read in portions, each of one moment, so that the log can start over. Memory stays
    /// bounded but for the ids of what was erased. What is erased meanwhile is no fault. A check that
    /// cannot go on tells why, and the next one begins.
    ///
    /// # Errors
    ///
    /// When the storage fails, so that there is no telling. A fault that was found is no error.
    pub fn verify(&self, tell: &mut dyn FnMut(Told)) -> Result<Vec<Checked>, StoreError> {
        let mut tally = Tally::new(&Check::ALL, tell);
        for (check, verify) in VERIFIERS {
            if let Err(error) = verify(self, &mut tally) {
                tally.corrupt(*check, error)?;
            }
        }
        Ok(tally.checked)
    }
}

type Verifier = fn(&SqliteStore, &mut Tally<'_>) -> Result<(), StoreError>;

/// What looks, and what it looks at first.
const VERIFIERS: &[(Check, Verifier)] = &[
    (Check::Pages, |store, tally| {
        store.readers().read_now(|reader| database::verify(reader, tally))
    }),
    (Check::Submissions, submissions::verify),
    (Check::Documents, documents::verify),
    (Check::Usage, usage::verify),
    (Check::Answers, answers::verify),
    (Check::Audit, audit),
    (Check::LeftOvers, documents::left_overs),
];

/// What can be told of a database without its keys.
pub(crate) fn of_database(
    connection: &Connection,
    tell: &mut dyn FnMut(Told),
) -> Result<Vec<Checked>, StoreError> {
    let mut tally = Tally::new(&Check::ALL[..4], tell);
    database::verify(connection, &mut tally)?;
    Ok(tally.checked)
}

fn audit(store: &SqliteStore, tally: &mut Tally<'_>) -> Result<(), StoreError> {
    // Before the chains, which then tell of each of them.
    let mut certificates = Certificates::read(store, tally)?;
    let mut clients = store.readers().read_now(usage::clients)?;
    clients.extend(store.readers().read_now(directory::clients)?);
    directory::inspectors(store, tally)?;
    for VerifiedChain { chain, rows, fault } in store.verify_audit(&[])? {
        tally.looked(Check::Audit, rows);
        if let Some(fault) = fault {
            let key = chain.map_or("of the service".to_owned(), |client| client.get().to_string());
            tally.fault(Check::Audit, "audit", key, fault);
        }
        clients.extend(chain);
    }
    for client in clients {
        audited::verify(store, client, &mut certificates, tally)?;
    }
    certificates.tell_untold(tally);
    Ok(())
}

/// Counts what is told.
struct Tally<'a> {
    tell: &'a mut dyn FnMut(Told),
    checked: Vec<Checked>,
}

impl<'a> Tally<'a> {
    fn new(checks: &[Check], tell: &'a mut dyn FnMut(Told)) -> Self {
        let none = |check: &Check| Checked { check: *check, count: 0, faults: 0 };
        Self { tell, checked: checks.iter().map(none).collect() }
    }

    fn looked(&mut self, check: Check, count: u64) {
        self.count(check, count, 0);
        (self.tell)(Told::Looked(check, count));
    }

    fn fault(
        &mut self,
        check: Check,
        table: impl Into<String>,
        key: impl fmt::Display,
        what: impl fmt::Display,
    ) {
        self.count(check, 0, 1);
        let (key, what) = (key.to_string(), what.to_string());
        (self.tell)(Told::Fault(Fault { check, table: table.into(), key, what }));
    }

    /// Tells of a row that cannot be read. Other failures end the verification.
    fn corrupt(&mut self, check: Check, error: StoreError) -> Result<(), StoreError> {
        let StoreError::Corrupt { table, key, source } = error else { return Err(error) };
        self.fault(check, table, key, source);
        Ok(())
    }

    fn count(&mut self, check: Check, count: u64, faults: u64) {
        for checked in self.checked.iter_mut().filter(|checked| checked.check == check) {
            checked.count += count;
            checked.faults += faults;
        }
    }
}

//! The ends of the audit's chains, kept in a file beside the database: lines of JSON, the oldest
//! first (D97).

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use kyc_core::{AccountName, AuditHash, ClientId, Directory, StoreError, Timestamp};
use kyc_store_sqlite::{AuditAnchor, SqliteStore};
use serde::{Deserialize, Serialize};

use crate::exit::{Code, Failure};

#[derive(Serialize, Deserialize)]
struct Line {
    at: String,
    /// `None`: the service's own chain.
    client: Option<String>,
    position: u64,
    hash: String,
}

/// Appends the end of every chain to a file, and says how many there are. Returns when the disk has
/// them.
pub(crate) fn append(store: &SqliteStore, at: Timestamp, path: &Path) -> Result<usize, Failure> {
    let ends = store.audit_ends()?;
    let mut text = String::new();
    for AuditAnchor { chain, position, hash } in &ends {
        let client = chain.map(|client| name(store, client)).transpose()?;
        let line = Line { at: at.to_string(), client, position: *position, hash: hex(hash) };
        let line = serde_json::to_string(&line);
        text += &line.map_err(|error| Failure::because("cannot write an anchor", &error))?;
        text.push('\n');
    }
    write(path, &text).map_err(|error| unusable("write to", path, &error))?;
    Ok(ends.len())
}

/// The anchors in a file.
pub(crate) fn read(store: &SqliteStore, path: &Path) -> Result<Vec<AuditAnchor>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| unusable("read", path, &error))?;
    if text.is_empty() {
        let sentence =
            format!("{} is empty: it anchors nothing, so it proves nothing", path.display());
        return Err(Failure::new(Code::Fault, sentence));
    }
    (1..).zip(text.lines()).map(|(number, line)| anchor(store, path, number, line)).collect()
}

fn anchor(
    store: &SqliteStore,
    path: &Path,
    number: usize,
    line: &str,
) -> Result<AuditAnchor, Failure> {
    let fault = |what: &str| {
        let sentence = format!("line {number} of {} {what}", path.display());
        Failure::new(Code::Fault, sentence)
    };
    let no_anchor = || fault("is no anchor: was it cut off by a power loss?");
    let Line { client, position, hash, .. } =
        serde_json::from_str(line).map_err(|_| no_anchor())?;
    let chain = match client {
        None => None,
        Some(name) => {
            let name: AccountName = name.parse().map_err(|_| no_anchor())?;
            let known = store.client_named(&name)?;
            Some(known.ok_or_else(|| fault("names a client that the database does not have"))?.id)
        }
    };
    Ok(AuditAnchor { chain, position, hash: of_hex(&hash).ok_or_else(no_anchor)? })
}

/// The name of a client.
pub(crate) fn name(store: &SqliteStore, client: ClientId) -> Result<String, StoreError> {
    let clients = store.clients()?;
    let known = clients.iter().find(|known| known.id == client);
    Ok(known.map_or_else(|| client.get().to_string(), |known| known.name.to_string()))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file =
        OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(path)?;
    // A line that was cut off stays one of its own.
    let is_cut_off = file.seek(SeekFrom::End(-1)).is_ok() && {
        let mut last = [0];
        file.read_exact(&mut last)?;
        last != *b"\n"
    };
    if is_cut_off {
        file.write_all(b"\n")?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn unusable(action: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::because(&format!("cannot {action} {}", path.display()), error)
}

/// 64 digits: those of the two halves.
fn hex(hash: &[u8; 32]) -> String {
    let (halves, _) = hash.as_chunks();
    halves.iter().map(|half| AuditHash::from_bytes(*half).to_string()).collect()
}

fn of_hex(text: &str) -> Option<[u8; 32]> {
    let (left, right) = text.split_at_checked(32)?;
    let halves: [AuditHash; 2] = [left.parse().ok()?, right.parse().ok()?];
    halves.map(AuditHash::to_bytes).concat().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_back_from_its_digits() {
        let hash: [u8; 32] = std::array::from_fn(|at| u8::try_from(at * 8).unwrap());
        assert_eq!(of_hex(&hex(&hash)), Some(hash));
        assert_eq!(of_hex(&hex(&hash)[1..]), None);
        assert_eq!(of_hex(&"g".repeat(64)), None);
    }

    #[test]
    fn a_line_that_was_cut_off_stays_one_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("anchors");
        write(&path, "first\n").unwrap();
        fs::write(&path, "first\nsec").unwrap();
        write(&path, "third\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first\nsec\nthird\n");
    }
}

use std::sync::{Arc, Mutex};

use kyc_core::conformance::{document_store, document_store_survives};
use kyc_core::{ClientId, Document, DocumentHandle, DocumentId, DocumentStore, StoreError};

use super::finds;

/// What a store does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    ClientsAreMixed,
    AbsentIsAnError,
    IdIsTakenTwice,
    IdIsTakenOnceForAllClients,
    SecondPutOverwrites,
    BytesAreCut,
    BytesAreText,
    SpellingIsLost,
}

type Row = (ClientId, Document, Vec<u8>);

/// A store like the one in memory, but for its fault.
#[derive(Clone, Default)]
struct Broken {
    fault: Option<Fault>,
    rows: Arc<Mutex<Vec<Row>>>,
}

impl Broken {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn row(
        &self,
        client: ClientId,
        id: DocumentId,
    ) -> Result<Option<(Document, Vec<u8>)>, StoreError> {
        let rows = self.rows.lock().unwrap();
        let found = rows.iter().find(|(owner, document, _)| {
            (*owner == client || self.has(Fault::ClientsAreMixed)) && document.handle.id() == id
        });
        match found {
            Some((_, document, bytes)) => Ok(Some((document.clone(), bytes.clone()))),
            None if self.has(Fault::AbsentIsAnError) => {
                Err(StoreError::Unavailable("no such file".into()))
            }
            None => Ok(None),
        }
    }
}

impl DocumentStore for Broken {
    fn put(&self, client: ClientId, document: &Document, bytes: &[u8]) -> Result<(), StoreError> {
        let mut rows = self.rows.lock().unwrap();
        let taken = rows.iter().position(|(owner, other, _)| {
            (*owner == client || self.has(Fault::IdIsTakenOnceForAllClients))
                && other.handle.id() == document.handle.id()
        });
        let kept = match self.fault {
            Some(Fault::BytesAreCut) => bytes[..bytes.len().min(1_000_000)].to_vec(),
            Some(Fault::BytesAreText) => String::from_utf8_lossy(bytes).into_owned().into_bytes(),
            _ => bytes.to_vec(),
        };
        let mut document = document.clone();
        if self.has(Fault::SpellingIsLost) {
            let text = document.handle.to_text().replace("governmentid", "government_id");
            let handle: DocumentHandle = text.parse().unwrap();
            document = Document { handle, ..document };
        }
        let row = (client, document, kept);
        match taken {
            Some(place) if self.has(Fault::SecondPutOverwrites) => rows[place] = row,
            Some(_) if !self.has(Fault::IdIsTakenTwice) => return Err(StoreError::Duplicate),
            Some(_) | None => rows.push(row),
        }
        Ok(())
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        Ok(self.row(client, id)?.map(|(document, _)| document))
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.row(client, id)?.map(|(_, bytes)| bytes))
    }
}

#[test]
fn a_store_without_a_fault_passes() {
    document_store(Broken::default);
    let kept = Broken::default();
    document_store_survives(|| kept.clone());
}

#[test]
fn every_fault_of_a_store_is_found() {
    let faults = [
        Fault::ClientsAreMixed,
        Fault::AbsentIsAnError,
        Fault::IdIsTakenTwice,
        Fault::IdIsTakenOnceForAllClients,
        Fault::SecondPutOverwrites,
        Fault::BytesAreCut,
        Fault::BytesAreText,
        Fault::SpellingIsLost,
    ];
    for fault in faults {
        let open = || Broken { fault: Some(fault), ..Broken::default() };
        finds(&format!("{fault:?}"), || document_store(open));
    }
}

#[test]
fn a_store_that_forgets_does_not_survive() {
    finds("everything is lost", || document_store_survives(Broken::default));
}

use std::sync::{Arc, Mutex};

use kyc_core::conformance::fixture::client;
use kyc_core::conformance::{document_store, document_store_survives};
use kyc_core::memory::MemoryAnswers;
use kyc_core::{
    AnswerStore, Beside, Caller, ClientId, Document, DocumentHandle, DocumentId, DocumentStore,
    Fingerprint, Kept, KeyedRequest, StoreError, Timestamp,
};

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
    NoAnswerIsKept,
    AnswersAreKeptWithoutADocument,
    TakenKeysAreToldTooLate,
    TheLastAnswerIsKept,
    CallersShareKeys,
    RequestsAreNotCompared,
    AnswersAreKeptForEver,
    NothingIsForgotten,
    ForgettingHasNoLimit,
    AnswersAreText,
}

type Row = (ClientId, Document, Vec<u8>);

/// A store like the one in memory, but for its fault.
#[derive(Clone, Default)]
struct Broken {
    fault: Option<Fault>,
    rows: Arc<Mutex<Vec<Row>>>,
    answers: Arc<Mutex<MemoryAnswers>>,
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

impl Broken {
    fn asked(&self, request: &KeyedRequest) -> KeyedRequest {
        let mut request = request.clone();
        if self.has(Fault::CallersShareKeys) {
            request.caller = Caller::Client(client(1));
        }
        if self.has(Fault::RequestsAreNotCompared) {
            request.fingerprint = Fingerprint([0; 32]);
        }
        request
    }

    fn kept(&self, mut beside: Beside) -> Beside {
        if self.has(Fault::NoAnswerIsKept) {
            return Beside::NOTHING;
        }
        if let Some(replay) = &mut beside.answer {
            replay.request = self.asked(&replay.request);
            if self.has(Fault::AnswersAreText) {
                let text = String::from_utf8_lossy(&replay.answer.body).into_owned();
                replay.answer.body = text.into_bytes();
            }
            if self.has(Fault::AnswersAreKeptForEver) {
                replay.at = Timestamp::LATEST;
            }
        }
        beside
    }
}

impl AnswerStore for Broken {
    fn find_answer(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        Ok(self.answers.lock().unwrap().find(&self.asked(request), now))
    }

    fn forget_answers(&self, now: Timestamp, count_max: usize) -> Result<usize, StoreError> {
        let count_max = match self.fault {
            Some(Fault::NothingIsForgotten) => 0,
            Some(Fault::ForgettingHasNoLimit) => usize::MAX,
            _ => count_max,
        };
        Ok(self.answers.lock().unwrap().forget(now, count_max))
    }
}

impl DocumentStore for Broken {
    fn put_with(
        &self,
        client: ClientId,
        document: &Document,
        bytes: &[u8],
        beside: Beside,
    ) -> Result<(), StoreError> {
        let (mut rows, mut answers) = (self.rows.lock().unwrap(), self.answers.lock().unwrap());
        let beside = self.kept(beside);
        let about = document.handle.id().to_bytes();
        let refused = answers.check(&beside);
        if !self.has(Fault::TakenKeysAreToldTooLate) && !self.has(Fault::TheLastAnswerIsKept) {
            refused?;
        }
        if self.has(Fault::AnswersAreKeptWithoutADocument) {
            answers.keep(client, about, beside.clone());
        }
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
        if self.has(Fault::TakenKeysAreToldTooLate) {
            answers.check(&beside)?;
        }
        answers.keep(client, about, beside);
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
        Fault::NoAnswerIsKept,
        Fault::AnswersAreKeptWithoutADocument,
        Fault::TakenKeysAreToldTooLate,
        Fault::TheLastAnswerIsKept,
        Fault::CallersShareKeys,
        Fault::RequestsAreNotCompared,
        Fault::AnswersAreKeptForEver,
        Fault::NothingIsForgotten,
        Fault::ForgettingHasNoLimit,
        Fault::AnswersAreText,
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

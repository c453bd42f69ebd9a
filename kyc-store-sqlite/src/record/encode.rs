use kyc_core::{
    Actor, Aml, AmlSummary, Approval, Basis, Event, Evidence, HistoryEntry, HitChanges,
    Identification, Listed, Rejection, Retake, RetentionDecision, Review, Scope, Status,
    Submission,
};

use super::codes::{self, NO_VERDICT, actor, basis, event, level, state};
use super::output::Output;
use super::{FORMAT, LISTED_TEXTS};

/// Writes a submission as a record.
pub(crate) fn encode(submission: &Submission) -> Vec<u8> {
    let mut record = Output(Vec::with_capacity(512));
    record.head(submission);
    match &submission.form().scope {
        Scope::AmlOnly => {}
        Scope::Identity(identification) => record.identification(identification),
    }
    match submission.renewed_from() {
        None => record.byte(0),
        Some(id) => {
            record.byte(1);
            record.bytes(&id.to_bytes());
        }
    }
    record.review(submission.review());
    record.list(submission.history(), Output::history_entry);
    record.decisions(submission.decisions());
    record.0
}

// The parts, in the order in which a record has them.
impl Output {
    fn head(&mut self, submission: &Submission) {
        let listed = Listed::from(submission);
        let Listed { email, first_name, last_name, .. } = listed;
        let texts: [Option<&str>; LISTED_TEXTS] = [
            Some(email),
            listed.user_id,
            Some(first_name),
            listed.middle_name,
            Some(last_name),
            listed.id_number,
            listed.address_street,
            listed.address_city,
            listed.address_state,
            listed.address_zipcode,
            listed.contribution_type,
            listed.wallet_address,
            listed.estimated_amount,
        ];
        self.byte(FORMAT);
        self.bytes(&listed.id.to_bytes());
        self.time(listed.created_at);
        self.bytes(&submission.version().to_le_bytes());
        self.byte(state_of(listed.status, listed.aml));
        let id_type = listed.id_type.map_or(0, codes::id_type::encode);
        let has_ip = if listed.ip_address.is_some() { codes::HAS_IP_ADDRESS } else { 0 };
        let gender = codes::gender::encode(listed.gender);
        self.byte(gender | (id_type << codes::ID_TYPE_SHIFT) | has_ip);
        self.bytes(&submission.form().applicant.birth_date.days().to_le_bytes());
        self.bytes(listed.nationality.alpha3().as_bytes());
        self.bytes(listed.address_country.map_or("\0\0\0", |country| country.alpha3()).as_bytes());
        self.bytes(&listed.ip_address.map_or([0; 4], |address| address.octets()));
        for text in texts {
            let length = u16::try_from(text.map_or(0, str::len)).unwrap_or(u16::MAX);
            self.bytes(&length.to_le_bytes());
        }
        for text in texts.into_iter().flatten() {
            self.bytes(text.as_bytes());
        }
    }

    fn identification(&mut self, identification: &Identification) {
        let Identification { evidence, extra_wallets, extra_images, custom, .. } = identification;
        match evidence {
            Evidence::L1 { photo_id, selfie, address: _, proof } => {
                self.byte(level::L1);
                self.handle(photo_id);
                self.handle(selfie);
                self.optional_handle(proof.as_ref());
            }
            Evidence::L2 { photo_id, selfie, address: _, proof } => {
                self.byte(level::L2);
                self.handle(photo_id);
                self.handle(selfie);
                self.handle(proof);
            }
        }
        for wallet in extra_wallets {
            self.text(wallet.as_ref().map_or("", |wallet| wallet.as_str()));
        }
        for image in extra_images {
            self.optional_handle(image.as_ref());
        }
        for custom in custom {
            self.text(custom.as_ref().map_or("", |custom| custom.as_str()));
        }
    }

    fn review(&mut self, review: &Review) {
        match review {
            Review::Pending => {}
            Review::Incomplete(Retake { at, missing, comment }) => {
                self.time(*at);
                self.slots(*missing);
                self.text(comment.as_ref().map_or("", |comment| comment.as_str()));
            }
            Review::Rejected(Rejection { at, comment, reason_codes }) => {
                self.time(*at);
                self.text(comment.as_str());
                self.list(reason_codes, |out, code| out.text(code.as_str()));
            }
            Review::Approved(Approval { at, basis, aml }) => {
                self.time(*at);
                self.basis(*basis);
                match aml {
                    Aml::Queued => {}
                    Aml::Stalled(stall) => self.byte(codes::stall::encode(*stall)),
                    Aml::Screened(result) => self.result(result),
                }
            }
        }
    }

    fn basis(&mut self, basis: Basis) {
        match basis {
            Basis::Declared => self.byte(basis::DECLARED),
            Basis::Inspected { id_expires, address_issued } => {
                self.byte(basis::INSPECTED);
                self.day(id_expires);
                self.optional_day(address_issued);
            }
        }
    }

    fn history_entry(&mut self, entry: &HistoryEntry) {
        let HistoryEntry { at, by, event } = entry;
        self.time(*at);
        match by {
            Actor::Client => self.byte(actor::CLIENT),
            Actor::Service => self.byte(actor::SERVICE),
            Actor::Operator => self.byte(actor::OPERATOR),
            Actor::Inspector(name) => {
                self.byte(actor::INSPECTOR);
                self.text(name.as_str());
            }
        }
        match event {
            Event::Approved(basis) => {
                self.byte(event::APPROVED);
                self.basis(*basis);
            }
            Event::Rejected { comment, reason_codes } => {
                self.byte(event::REJECTED);
                self.text(comment.as_str());
                self.list(reason_codes, |out, code| out.text(code.as_str()));
            }
            Event::RetakeAsked { documents, comment } => {
                self.byte(event::RETAKE_ASKED);
                self.slots(*documents);
                self.text(comment.as_ref().map_or("", |comment| comment.as_str()));
            }
            Event::Supplied { slot, replaced } => {
                self.byte(event::SUPPLIED);
                self.byte(codes::slot::encode(*slot));
                self.handle(replaced);
            }
            Event::Reopened { reason } => {
                self.byte(event::REOPENED);
                self.text(reason.as_str());
            }
            Event::Screened(risk) => {
                self.byte(event::SCREENED);
                self.byte(codes::risk::encode(*risk));
            }
            Event::Rescreened { changes: HitChanges { added, gone, altered }, risk } => {
                self.byte(event::RESCREENED);
                for keys in [added, gone, altered] {
                    self.list(keys, Self::hit_key);
                }
                self.byte(codes::risk::encode(*risk));
            }
            Event::HitDecided { hit, verdict, note, risk } => {
                self.byte(event::HIT_DECIDED);
                self.hit_key(hit);
                self.byte(verdict.map_or(NO_VERDICT, codes::verdict::encode));
                self.text(note.as_str());
                self.byte(codes::risk::encode(*risk));
            }
            Event::Acknowledged => self.byte(event::ACKNOWLEDGED),
            Event::DocumentErased { document, slot } => {
                self.byte(event::DOCUMENT_ERASED);
                self.bytes(&document.to_bytes());
                self.slots(slot.iter().copied().collect());
            }
            Event::Retention(RetentionDecision::End { on }) => {
                self.byte(event::ENDED);
                self.optional_day(*on);
            }
            Event::Retention(RetentionDecision::Hold { reason, until }) => {
                self.byte(event::HELD);
                self.text(reason.as_str());
                self.optional_day(*until);
            }
            Event::Retention(RetentionDecision::Release { reason }) => {
                self.byte(event::RELEASED);
                self.text(reason.as_str());
            }
        }
    }
}

fn state_of(status: Status, aml: AmlSummary) -> u8 {
    match (status, aml) {
        (Status::Pending, _) => state::PENDING,
        (Status::Incomplete, _) => state::INCOMPLETE,
        (Status::Rejected, _) => state::REJECTED,
        (Status::Approved, AmlSummary::NotStarted | AmlSummary::Waiting) => state::QUEUED,
        (Status::Approved, AmlSummary::Stalled) => state::STALLED,
        (Status::Approved, AmlSummary::Screened(risk)) => {
            state::SCREENED + codes::risk::encode(risk)
        }
    }
}

use kyc_core::{
    Actor, Aml, Approval, Basis, DocumentHandle, Event, Evidence, HistoryEntry, Hit,
    Identification, ListVersion, Listed, Rejection, Retake, Review, Scope, Screening, Slots,
    Spelling, Submission, Timestamp,
};
use time::Date;

use super::codes::{self, actor, basis, event, level, state};
use super::{FORMAT, LISTED_TEXTS};

/// Stands where a handle could: no code of a kind has this value.
pub(super) const NO_HANDLE: u8 = 0xff;

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
    record.0
}

struct Output(Vec<u8>);

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
        self.byte(state_of(submission.review()));
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
                    Aml::Screened(screening) => self.screening(screening),
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

    /// Without the risk, which is part of the state.
    fn screening(&mut self, screening: &Screening) {
        let Screening { risk: _, at, lists, hits, configuration } = screening;
        self.time(*at);
        self.list(lists, |out, list| {
            let ListVersion { list, version, source_date, sample } = list;
            out.text(list);
            out.text(version);
            out.optional_day(*source_date);
            out.byte(u8::from(*sample));
        });
        self.list(hits, |out, hit| {
            let Hit { list, entity, name, matched, score, programmes, reasons } = hit;
            out.text(list);
            out.text(entity);
            out.text(name);
            out.text(matched);
            out.bytes(&score.thousandths().to_le_bytes());
            out.list(programmes, |out, programme| out.text(programme));
            out.list(reasons, |out, reason| out.text(reason));
        });
        self.text(configuration);
    }

    fn history_entry(&mut self, entry: &HistoryEntry) {
        let HistoryEntry { at, by, event } = entry;
        self.time(*at);
        match by {
            Actor::Client => self.byte(actor::CLIENT),
            Actor::Service => self.byte(actor::SERVICE),
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
        }
    }
}

// What the parts are made of.
impl Output {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.byte(u8::try_from(number & 0x7f).unwrap_or(0) | 0x80);
            number >>= 7;
        }
        self.byte(u8::try_from(number).unwrap_or(0));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.bytes(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.number(items.len());
        for each in items {
            item(self, each);
        }
    }

    fn time(&mut self, time: Timestamp) {
        self.bytes(&time.unix_millis().to_le_bytes());
    }

    fn day(&mut self, day: Date) {
        self.bytes(&day.to_julian_day().to_le_bytes());
    }

    fn optional_day(&mut self, day: Option<Date>) {
        self.byte(u8::from(day.is_some()));
        if let Some(day) = day {
            self.day(day);
        }
    }

    fn handle(&mut self, handle: &DocumentHandle) {
        let kind = handle.kind();
        let is_joined = handle.word() != kind.word(Spelling::Underscored);
        let spelling = if is_joined { Spelling::Joined } else { Spelling::Underscored };
        self.byte(codes::kind::encode(kind) | codes::spelling::encode(spelling));
        let text = handle.to_text();
        let prefix = text.split('/').next().unwrap_or_default();
        self.bytes(prefix.as_bytes());
        self.bytes(&handle.id().to_bytes());
    }

    fn optional_handle(&mut self, handle: Option<&DocumentHandle>) {
        match handle {
            None => self.byte(NO_HANDLE),
            Some(handle) => self.handle(handle),
        }
    }

    fn slots(&mut self, slots: Slots) {
        self.byte(slots.iter().map(codes::slot::encode).sum());
    }
}

fn state_of(review: &Review) -> u8 {
    match review {
        Review::Pending => state::PENDING,
        Review::Incomplete(_) => state::INCOMPLETE,
        Review::Rejected(_) => state::REJECTED,
        Review::Approved(approval) => match &approval.aml {
            Aml::Queued => state::QUEUED,
            Aml::Stalled(_) => state::STALLED,
            Aml::Screened(screening) => state::SCREENED + codes::risk::encode(screening.risk),
        },
    }
}

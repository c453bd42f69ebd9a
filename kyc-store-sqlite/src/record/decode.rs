use std::collections::BTreeMap;
use std::str::FromStr;

use kyc_core::{
    Actor, Address, Aml, AmlSummary, Applicant, Approval, Basis, DocumentId, Event, Evidence, Form,
    HistoryEntry, HitChanges, IdType, Identification, Listed, PartialAddress, Rejection, Retake,
    RetentionDecision, Review, Scope, Status, Submission, SubmissionId, SubmissionParts,
};

use super::codes::{self, NO_VERDICT, actor, basis, event, level};
use super::input::Input;
use super::listed::Head;
use super::{Damage, FORMAT_1};

/// Reads a record back.
///
/// Every value is parsed again: a record is as foreign as the network. An older release, a restored
/// backup or a curious hand may have written it.
pub(crate) fn decode(record: &[u8]) -> Result<Submission, Damage> {
    let mut input = Input(record);
    let Head { format, listed, birth_date, version } = Head::read(&mut input)?;
    let scope = match listed.id_type {
        None => Scope::AmlOnly,
        Some(id_type) => Scope::Identity(Box::new(identification(&mut input, &listed, id_type)?)),
    };
    let renewed_from =
        if input.flag()? { Some(SubmissionId::from_bytes(input.array()?)) } else { None };
    let review = review(&mut input, &listed, format)?;
    let history = input.list(history_entry)?;
    let decisions = if format == FORMAT_1 { BTreeMap::new() } else { input.decisions()? };
    if !input.0.is_empty() {
        return Err(Damage::TooLong);
    }
    let applicant = Applicant {
        first_name: parse(listed.first_name, "first name")?,
        middle_name: optional(listed.middle_name, "middle name")?,
        last_name: parse(listed.last_name, "last name")?,
        nationality: listed.nationality,
        birth_date,
        gender: listed.gender,
    };
    let email = parse(listed.email, "e-mail")?;
    let user_id = optional(listed.user_id, "user id")?;
    let form = Form { email, user_id, applicant, scope };
    let (id, created_at) = (listed.id, listed.created_at);
    let parts =
        SubmissionParts { id, created_at, renewed_from, form, review, version, history, decisions };
    let submission = Submission::from_parts(parts).ok_or(Damage::Contradiction)?;
    // The risk that lists show is the one that follows from hits and decisions.
    let is_whole = AmlSummary::of(&submission) == listed.aml;
    if is_whole { Ok(submission) } else { Err(Damage::Contradiction) }
}

pub(super) fn parse<T: FromStr>(text: &str, what: &'static str) -> Result<T, Damage> {
    text.parse().map_err(|_| Damage::Value(what))
}

fn optional<T: FromStr>(text: Option<&str>, what: &'static str) -> Result<Option<T>, Damage> {
    text.map(|text| parse(text, what)).transpose()
}

fn identification(
    input: &mut Input<'_>,
    listed: &Listed<'_>,
    id_type: IdType,
) -> Result<Identification, Damage> {
    Ok(Identification {
        id_type,
        id_number: optional(listed.id_number, "id number")?,
        evidence: evidence(input, listed)?,
        contribution_type: optional(listed.contribution_type, "contribution type")?,
        wallet_address: optional(listed.wallet_address, "wallet")?,
        estimated_amount: optional(listed.estimated_amount, "amount")?,
        extra_wallets: [
            input.optional("wallet")?,
            input.optional("wallet")?,
            input.optional("wallet")?,
        ],
        extra_images: [
            input.optional_handle()?,
            input.optional_handle()?,
            input.optional_handle()?,
            input.optional_handle()?,
        ],
        custom: [
            input.optional("custom field")?,
            input.optional("custom field")?,
            input.optional("custom field")?,
        ],
        ip_address: listed.ip_address,
    })
}

fn evidence(input: &mut Input<'_>, listed: &Listed<'_>) -> Result<Evidence, Damage> {
    let level = input.byte()?;
    let (photo_id, selfie) = (input.handle()?, input.handle()?);
    let address = PartialAddress {
        street: optional(listed.address_street, "street")?,
        city: optional(listed.address_city, "city")?,
        state: optional(listed.address_state, "state")?,
        zipcode: optional(listed.address_zipcode, "zipcode")?,
        country: listed.address_country,
    };
    match level {
        level::L1 => {
            Ok(Evidence::L1 { photo_id, selfie, address, proof: input.optional_handle()? })
        }
        level::L2 => {
            let address = whole(address).ok_or(Damage::Value("address"))?;
            Ok(Evidence::L2 { photo_id, selfie, address, proof: input.handle()? })
        }
        _ => Err(Damage::Value("level")),
    }
}

fn whole(address: PartialAddress) -> Option<Address> {
    let PartialAddress { street, city, state, zipcode, country } = address;
    Some(Address {
        street: street?,
        city: city?,
        state: state?,
        zipcode: zipcode?,
        country: country?,
    })
}

fn review(input: &mut Input<'_>, listed: &Listed<'_>, format: u8) -> Result<Review, Damage> {
    Ok(match listed.status {
        Status::Pending => Review::Pending,
        Status::Incomplete => Review::Incomplete(Retake {
            at: input.time()?,
            missing: input.slots()?,
            comment: input.optional("comment")?,
        }),
        Status::Rejected => Review::Rejected(Rejection {
            at: input.time()?,
            comment: input.parsed("comment")?,
            reason_codes: input.list(|input| input.parsed("reason code"))?,
        }),
        Status::Approved => Review::Approved(Approval {
            at: input.time()?,
            basis: basis(input)?,
            aml: aml(input, listed.aml, format)?,
        }),
    })
}

fn basis(input: &mut Input<'_>) -> Result<Basis, Damage> {
    match input.byte()? {
        basis::DECLARED => Ok(Basis::Declared),
        basis::INSPECTED => {
            let (id_expires, address_issued) = (input.day()?, input.optional_day()?);
            Ok(Basis::Inspected { id_expires, address_issued })
        }
        _ => Err(Damage::Value("basis")),
    }
}

fn aml(input: &mut Input<'_>, summary: AmlSummary, format: u8) -> Result<Aml, Damage> {
    Ok(match summary {
        // Only approved submissions are asked for it, and each of their states says more.
        AmlSummary::NotStarted => return Err(Damage::Contradiction),
        AmlSummary::Waiting => Aml::Queued,
        AmlSummary::Stalled => {
            Aml::Stalled(codes::stall::decode(input.byte()?).ok_or(Damage::Value("stall"))?)
        }
        AmlSummary::Screened(risk) => Aml::Screened(Box::new(input.result(format, risk)?)),
    })
}

fn history_entry(input: &mut Input<'_>) -> Result<HistoryEntry, Damage> {
    let at = input.time()?;
    let by = match input.byte()? {
        actor::CLIENT => Actor::Client,
        actor::SERVICE => Actor::Service,
        actor::OPERATOR => Actor::Operator,
        actor::INSPECTOR => Actor::Inspector(input.parsed("name of an inspector")?),
        _ => return Err(Damage::Value("actor")),
    };
    let event = match input.byte()? {
        event::APPROVED => Event::Approved(basis(input)?),
        event::REJECTED => Event::Rejected {
            comment: input.parsed("comment")?,
            reason_codes: input.list(|input| input.parsed("reason code"))?,
        },
        event::RETAKE_ASKED => {
            Event::RetakeAsked { documents: input.slots()?, comment: input.optional("comment")? }
        }
        event::SUPPLIED => Event::Supplied {
            slot: codes::slot::decode(input.byte()?).ok_or(Damage::Value("document"))?,
            replaced: input.handle()?,
        },
        event::REOPENED => Event::Reopened { reason: input.parsed("reason")? },
        event::SCREENED => Event::Screened(input.risk()?),
        event::RESCREENED => Event::Rescreened {
            changes: HitChanges {
                added: input.list(Input::hit_key)?,
                gone: input.list(Input::hit_key)?,
                altered: input.list(Input::hit_key)?,
            },
            risk: input.risk()?,
        },
        event::HIT_DECIDED => Event::HitDecided {
            hit: input.hit_key()?,
            verdict: match input.byte()? {
                NO_VERDICT => None,
                code => Some(codes::verdict::decode(code).ok_or(Damage::Value("verdict"))?),
            },
            note: input.parsed("note")?,
            risk: input.risk()?,
        },
        event::ACKNOWLEDGED => Event::Acknowledged,
        event::DOCUMENT_ERASED => Event::DocumentErased {
            document: DocumentId::from_bytes(input.array()?),
            slot: match input.byte()? {
                0 => None,
                code => Some(codes::slot::decode(code).ok_or(Damage::Value("document"))?),
            },
        },
        event::ENDED => Event::Retention(RetentionDecision::End { on: input.optional_day()? }),
        event::HELD => Event::Retention(RetentionDecision::Hold {
            reason: input.parsed("reason")?,
            until: input.optional_day()?,
        }),
        event::RELEASED => {
            Event::Retention(RetentionDecision::Release { reason: input.parsed("reason")? })
        }
        _ => return Err(Damage::Value("event")),
    };
    Ok(HistoryEntry { at, by, event })
}

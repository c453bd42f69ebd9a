use kyc_core::{
    Actor, Event, FreeText, HistoryEntry, HitChanges, HitKey, HitVerdict, ReasonCode,
    RetentionDecision, day,
};
use serde::Serialize;

use super::{address_issued, names};
use crate::review::slot_name;
use crate::v2;

/// What happened, with what it said: a decision can be read here also when it was reopened later.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    at: String,
    by: &'a str,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reason_codes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id_expired_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_issued_date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<&'static str>,
    /// The handle of the document that another one took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<String>,
    /// The id of the document that was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<Record>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    added: Vec<Record>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<Record>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    altered: Vec<Record>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<&'static str>,
    /// The last day of a relationship or a hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

/// The record of a list that a hit is about.
#[derive(Serialize)]
pub(super) struct Record {
    list: String,
    entity: String,
}

impl Record {
    pub(super) fn of(key: &HitKey) -> Self {
        let HitKey { list, entity } = key.clone();
        Self { list, entity }
    }

    pub(super) fn all(keys: &[HitKey]) -> Vec<Self> {
        keys.iter().map(Self::of).collect()
    }
}

impl<'a> Entry<'a> {
    pub(super) fn of(entry: &'a HistoryEntry) -> Self {
        let bare = |event| Self {
            at: entry.at.to_string(),
            by: match &entry.by {
                Actor::Client => "client",
                Actor::Inspector(name) => name.as_str(),
                Actor::Service => "service",
                Actor::Operator => "operator",
            },
            event,
            text: None,
            reason_codes: Vec::new(),
            id_expired_date: None,
            address_issued_date: None,
            documents: Vec::new(),
            replaced: None,
            erased: None,
            hit: None,
            verdict: None,
            added: Vec::new(),
            gone: Vec::new(),
            altered: Vec::new(),
            score: None,
            day: None,
        };
        match &entry.event {
            Event::Approved(basis) => Self {
                id_expired_date: basis.id_expires().map(|day| day.to_string()),
                address_issued_date: address_issued(*basis),
                ..bare("approved")
            },
            Event::Rejected { comment, reason_codes } => Self {
                text: Some(comment.as_str()),
                reason_codes: reason_codes.iter().map(ReasonCode::as_str).collect(),
                ..bare("rejected")
            },
            Event::RetakeAsked { documents, comment } => Self {
                text: comment.as_ref().map(FreeText::as_str),
                documents: names(*documents),
                ..bare("retake_asked")
            },
            Event::Supplied { slot, replaced } => Self {
                documents: vec![slot_name(*slot)],
                replaced: Some(replaced.to_text()),
                ..bare("document_supplied")
            },
            Event::Reopened { reason } => Self { text: Some(reason.as_str()), ..bare("reopened") },
            Event::Screened(risk) => Self { score: Some(v2::risk_word(*risk)), ..bare("screened") },
            Event::Rescreened { changes: HitChanges { added, gone, altered }, risk } => Self {
                added: Record::all(added),
                gone: Record::all(gone),
                altered: Record::all(altered),
                score: Some(v2::risk_word(*risk)),
                ..bare("rescreened")
            },
            Event::HitDecided { hit, verdict, note, risk } => Self {
                text: Some(note.as_str()),
                hit: Some(Record::of(hit)),
                verdict: Some(verdict_word(*verdict)),
                score: Some(v2::risk_word(*risk)),
                ..bare("hit_decided")
            },
            Event::Acknowledged => bare("acknowledged"),
            Event::DocumentErased { document, slot } => Self {
                documents: slot.iter().copied().map(slot_name).collect(),
                erased: Some(document.to_string()),
                ..bare("document_erased")
            },
            Event::Retention(RetentionDecision::End { on }) => Self {
                day: on.map(day::text),
                ..bare(if on.is_some() { "ended" } else { "goes_on" })
            },
            Event::Retention(RetentionDecision::Hold { reason, until }) => {
                Self { text: Some(reason.as_str()), day: until.map(day::text), ..bare("held") }
            }
            Event::Retention(RetentionDecision::Release { reason }) => {
                Self { text: Some(reason.as_str()), ..bare("released") }
            }
        }
    }
}

/// What a decision on a hit is called; `undecided` where it was taken back.
pub(in crate::review) fn verdict_word(verdict: Option<HitVerdict>) -> &'static str {
    match verdict {
        Some(HitVerdict::TruePositive) => "true_positive",
        Some(HitVerdict::FalsePositive) => "false_positive",
        None => "undecided",
    }
}

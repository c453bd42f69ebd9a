//! The bodies of decisions.

use std::fmt::Display;
use std::str::FromStr;

use kyc_core::service::Decision;
use kyc_core::{
    EnglishComment, FreeText, HitKey, HitVerdict, InvalidDay, ReasonCode, RetentionDecision, Slot,
    Slots, UnknownWord, day,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use time::Date;

use super::case::verdict_word;
use crate::error::{ApiError, FieldFault};
use crate::route::DecisionWord;

/// Every member that some decision has; each reads its own and ignores the others.
#[derive(Deserialize)]
struct Body {
    #[serde(default, deserialize_with = "whole_number")]
    version: Option<u32>,
    id_expired_date: Option<String>,
    address_issued_date: Option<String>,
    comment: Option<String>,
    reason_codes: Option<Vec<String>>,
    documents: Option<Vec<String>>,
    reason: Option<String>,
    list: Option<String>,
    entity: Option<String>,
    verdict: Option<String>,
    note: Option<String>,
    on: Option<String>,
    until: Option<String>,
}

/// JSON has one kind of number, so `3.0` is 3 (D126). Every version is exact as a double, and a whole
/// one is written without its fraction.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    number.map(|number| number.to_string().parse().map_err(D::Error::custom)).transpose()
}

/// Reads a decision and the version that it was made on.
pub(super) fn read(word: DecisionWord, body: &[u8]) -> Result<(u32, Decision), ApiError> {
    // The parser would take an array of the values too, and its own words could repeat one.
    let body = Some(body)
        .filter(|body| body.trim_ascii_start().starts_with(b"{"))
        .and_then(|body| serde_json::from_slice::<Body>(body).ok());
    let Some(body) = body else {
        let message = "The body has to be a JSON object with members of the right types";
        return Err(ApiError::BadRequest(message.to_owned()));
    };
    let mut faults = Faults::default();
    let version = faults.present("version", body.version);
    let decision = match word {
        DecisionWord::Approve => {
            let id_expires = faults.required("id_expired_date", body.id_expired_date, day::parse);
            let address_issued =
                faults.optional("address_issued_date", body.address_issued_date, day::parse);
            id_expires.map(|id_expires| Decision::Approve { id_expires, address_issued })
        }
        DecisionWord::Reject => {
            let comment = faults.required("comment", body.comment, EnglishComment::from_str);
            let reason_codes = faults.reason_codes(&body.reason_codes.unwrap_or_default());
            comment.map(|comment| Decision::Reject { comment, reason_codes })
        }
        DecisionWord::Retake => {
            let documents = faults.present("documents", body.documents);
            let comment = faults.optional("comment", body.comment, FreeText::from_str);
            documents.map(|names| Decision::Retake { documents: faults.slots(&names), comment })
        }
        DecisionWord::Reopen => faults
            .required("reason", body.reason, FreeText::from_str)
            .map(|reason| Decision::Reopen { reason }),
        DecisionWord::Hit => {
            let list = faults.present("list", body.list);
            let entity = faults.present("entity", body.entity);
            let verdict = faults.required("verdict", body.verdict, verdict);
            let note = faults.required("note", body.note, FreeText::from_str);
            hit(list, entity).zip(verdict).zip(note).map(|((hit, verdict), note)| Decision::Hit {
                hit,
                verdict,
                note,
            })
        }
        DecisionWord::Acknowledge => Some(Decision::Acknowledge),
        DecisionWord::End => faults
            .required("on", body.on, end)
            .map(|on| Decision::Retention(RetentionDecision::End { on })),
        DecisionWord::Hold => {
            let until = faults.optional("until", body.until, day::parse);
            let reason = faults.required("reason", body.reason, FreeText::from_str);
            reason.map(|reason| Decision::Retention(RetentionDecision::Hold { reason, until }))
        }
        DecisionWord::Release => faults
            .required("reason", body.reason, FreeText::from_str)
            .map(|reason| Decision::Retention(RetentionDecision::Release { reason })),
    };
    match (version, decision) {
        (Some(version), Some(decision)) if faults.0.is_empty() => Ok((version, decision)),
        _ => Err(ApiError::Fields(faults.0)),
    }
}

#[derive(Default)]
struct Faults(Vec<FieldFault>);

impl Faults {
    fn present<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.0.push(FieldFault::missing(name));
        }
        value
    }

    fn required<T, E: Display>(
        &mut self,
        name: &str,
        text: Option<String>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.present(name, text.filter(|text| !text.trim().is_empty()));
        self.optional(name, text, parse)
    }

    fn optional<T, E: Display>(
        &mut self,
        name: &str,
        text: Option<String>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        parse(text.trim())
            .map_err(|error| self.0.push(FieldFault::invalid(name, error.to_string())))
            .ok()
    }

    fn reason_codes(&mut self, codes: &[String]) -> Vec<ReasonCode> {
        if codes.len() > ReasonCode::COUNT_MAX {
            let reason = format!("must be at most {} codes", ReasonCode::COUNT_MAX);
            self.0.push(FieldFault::invalid("reason_codes", reason));
            return Vec::new();
        }
        let parsed: Result<Vec<ReasonCode>, _> = codes.iter().map(|code| code.parse()).collect();
        parsed
            .map_err(|error| self.0.push(FieldFault::invalid("reason_codes", error.to_string())))
            .unwrap_or_default()
    }

    fn slots(&mut self, names: &[String]) -> Slots {
        let slots: Option<Slots> = names.iter().map(|name| slot(name)).collect();
        slots.filter(|slots| !slots.is_empty()).unwrap_or_else(|| {
            let names = Slot::ALL.map(super::slot_name).join(", ");
            let reason = format!("must name at least one of: {names}");
            self.0.push(FieldFault::invalid("documents", reason));
            Slots::NONE
        })
    }
}

fn hit(list: Option<String>, entity: Option<String>) -> Option<HitKey> {
    Some(HitKey { list: list?, entity: entity? })
}

/// `None` takes a decision back.
fn verdict(word: &str) -> Result<Option<HitVerdict>, UnknownWord> {
    let verdicts = [Some(HitVerdict::FalsePositive), Some(HitVerdict::TruePositive), None];
    let found = verdicts.into_iter().find(|verdict| verdict_word(*verdict) == word);
    found.ok_or(UnknownWord { expected: "false_positive, true_positive, undecided" })
}

/// `never` takes back what was said before.
fn end(text: &str) -> Result<Option<Date>, InvalidDay> {
    if text == "never" { Ok(None) } else { day::parse(text).map(Some) }
}

fn slot(name: &str) -> Option<Slot> {
    Slot::ALL.into_iter().find(|slot| super::slot_name(*slot) == name)
}

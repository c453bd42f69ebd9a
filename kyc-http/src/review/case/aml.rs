//! How far the screening is, what it found, and what inspectors made of it (D80–D82).

use kyc_core::{
    Aml, Fact, FactChange, Hit, HitDecision, HitKey, HitStanding, ListVersion, Screened, Screening,
    Submission,
};
use serde::Serialize;

use super::history::{Record, verdict_word};
use crate::v2;

#[derive(Serialize)]
pub(super) struct AmlState<'a> {
    /// `-` until there is a result.
    score: &'static str,
    /// Why there is no result.
    stalled: Option<&'static str>,
    screening: Option<ScreeningResult<'a>>,
    /// Decisions on records that are no hit at present.
    kept_decisions: Vec<KeptDecision<'a>>,
}

#[derive(Serialize)]
struct ScreeningResult<'a> {
    at: String,
    configuration: &'a str,
    lists: Vec<ListUsed<'a>>,
    hits: Vec<HitFound<'a>>,
    /// The highest risk of what was found beyond `hits`.
    unreported: &'static str,
    /// What a later screening changed since an inspector looked.
    changed: Option<Changed>,
}

#[derive(Serialize)]
struct ListUsed<'a> {
    list: &'a str,
    version: &'a str,
    source_date: Option<String>,
    sample: bool,
}

#[derive(Serialize)]
struct HitFound<'a> {
    list: &'a str,
    entity: &'a str,
    name: &'a str,
    matched: &'a str,
    score: String,
    risk: &'static str,
    programmes: &'a [String],
    reasons: &'a [String],
    evidence: Vec<FactFound<'a>>,
    standing: &'static str,
    decision: Option<Decision<'a>>,
    /// How the evidence differs from that of the decision, where it reopened the hit.
    changes: Vec<FactChanged>,
}

#[derive(Serialize)]
struct FactFound<'a> {
    field: &'a str,
    listed: &'a str,
}

#[derive(Serialize)]
struct FactChanged {
    field: String,
    before: Option<String>,
    now: Option<String>,
}

#[derive(Serialize)]
struct Decision<'a> {
    verdict: &'static str,
    note: &'a str,
    by: &'a str,
    at: String,
}

#[derive(Serialize)]
struct KeptDecision<'a> {
    #[serde(flatten)]
    record: Record,
    #[serde(flatten)]
    decision: Decision<'a>,
}

#[derive(Serialize)]
struct Changed {
    /// The score that an inspector could see last.
    score: &'static str,
    added: Vec<Record>,
    gone: Vec<Record>,
    altered: Vec<Record>,
}

impl<'a> AmlState<'a> {
    pub(super) fn of(submission: &'a Submission) -> Option<Self> {
        let result = submission.result();
        let hits = || result.into_iter().flat_map(|result| &result.screening.hits);
        let is_kept = |key: &HitKey| hits().all(|hit| hit.key() != *key);
        let kept = submission.decisions().iter().filter(|(key, _)| is_kept(key));
        Some(Self {
            score: submission.risk().map_or("-", v2::risk_word),
            stalled: match submission.review().aml()? {
                Aml::Stalled(stall) => Some(stall.as_str()),
                Aml::Queued | Aml::Screened(_) => None,
            },
            screening: result.map(|result| ScreeningResult::of(submission, result)),
            kept_decisions: kept
                .map(|(key, decision)| KeptDecision {
                    record: Record::of(key),
                    decision: Decision::of(decision),
                })
                .collect(),
        })
    }
}

impl<'a> ScreeningResult<'a> {
    fn of(submission: &'a Submission, result: &'a Screened) -> Self {
        let Screening { at, lists, hits, unreported, configuration } = &result.screening;
        Self {
            at: at.to_string(),
            configuration,
            lists: lists.iter().map(ListUsed::of).collect(),
            hits: hits.iter().map(|hit| HitFound::of(hit, submission.standing(hit))).collect(),
            unreported: v2::risk_word(*unreported),
            changed: Changed::of(result),
        }
    }
}

impl<'a> ListUsed<'a> {
    fn of(version: &'a ListVersion) -> Self {
        Self {
            list: &version.list,
            version: &version.version,
            source_date: version.source_date.map(|day| day.to_string()),
            sample: version.sample,
        }
    }
}

impl<'a> HitFound<'a> {
    fn of(hit: &'a Hit, standing: HitStanding<'a>) -> Self {
        let word = standing.as_str();
        let (decision, changes) = match standing {
            HitStanding::Open => (None, Vec::new()),
            HitStanding::Reopened { decision, changes } => (Some(decision), changes),
            HitStanding::Cleared(decision) | HitStanding::Confirmed(decision) => {
                (Some(decision), Vec::new())
            }
        };
        Self {
            list: &hit.list,
            entity: &hit.entity,
            name: &hit.name,
            matched: &hit.matched,
            score: hit.score.to_string(),
            risk: v2::risk_word(hit.risk),
            programmes: &hit.programmes,
            reasons: &hit.reasons,
            evidence: hit.evidence.iter().map(FactFound::of).collect(),
            standing: word,
            decision: decision.map(Decision::of),
            changes: changes.into_iter().map(FactChanged::of).collect(),
        }
    }
}

impl<'a> FactFound<'a> {
    fn of(Fact { field, listed }: &'a Fact) -> Self {
        Self { field, listed }
    }
}

impl FactChanged {
    fn of(FactChange { field, before, now }: FactChange) -> Self {
        Self { field, before, now }
    }
}

impl<'a> Decision<'a> {
    fn of(decision: &'a HitDecision) -> Self {
        Self {
            verdict: verdict_word(Some(decision.verdict)),
            note: decision.note.as_str(),
            by: decision.by.as_str(),
            at: decision.at.to_string(),
        }
    }
}

impl Changed {
    fn of(result: &Screened) -> Option<Self> {
        let (seen, changes) = result.news()?;
        Some(Self {
            score: v2::risk_word(seen.risk),
            added: Record::all(&changes.added),
            gone: Record::all(&changes.gone),
            altered: Record::all(&changes.altered),
        })
    }
}

//! What screening one person gave, as people and programs read it.

use kyc_core::{Hit, ListVersion, RiskLevel, ScreenError, Screening};
use serde::Serialize;

use crate::cli::words;
use crate::exit::chain;

/// What screening one person gave.
#[derive(Debug)]
pub(super) struct Verdict {
    /// `None` where there is no result.
    pub(super) risk: Option<RiskLevel>,
    pub(super) hits: Vec<Hit>,
    lists: Vec<ListVersion>,
    is_sample: bool,
    /// Why there is no result.
    pub(super) reason: Option<String>,
}

/// A verdict as JSON.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    risk: &'static str,
    sample: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    hits: Vec<HitRecord<'a>>,
    lists: Vec<ListRecord<'a>>,
}

#[derive(Serialize)]
struct HitRecord<'a> {
    list: &'a str,
    entity: &'a str,
    name: &'a str,
    matched: &'a str,
    score: String,
    programmes: &'a [String],
    reasons: &'a [String],
}

#[derive(Serialize)]
struct ListRecord<'a> {
    list: &'a str,
    version: &'a str,
    source_date: Option<String>,
    sample: bool,
}

impl Verdict {
    pub(super) fn of(screened: Result<Screening, ScreenError>, is_sample: bool) -> Self {
        match screened {
            Ok(screening) => {
                let risk = Some(screening.risk());
                let Screening { hits, lists, .. } = screening;
                Self { risk, hits, lists, is_sample, reason: None }
            }
            Err(error) => Self { is_sample, ..Self::none(chain(&error)) },
        }
    }

    /// No result.
    pub(super) fn none(reason: String) -> Self {
        let (hits, lists) = (Vec::new(), Vec::new());
        Self { risk: None, hits, lists, is_sample: false, reason: Some(reason) }
    }

    pub(super) fn record(&self) -> Record<'_> {
        Record {
            risk: words::risk(self.risk),
            sample: self.is_sample,
            reason: self.reason.as_deref(),
            hits: self.hits.iter().map(HitRecord::from).collect(),
            lists: self.lists.iter().map(ListRecord::from).collect(),
        }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mark = if self.is_sample { "  (SAMPLE: invented people)" } else { "" };
        let mut lines = vec![format!("risk  {}{mark}", words::risk(self.risk))];
        lines.extend(self.reason.iter().map(|reason| format!("      {reason}")));
        for hit in &self.hits {
            lines.push(format!("\n{}  {}  ({} {})", hit.score, hit.name, hit.list, hit.entity));
            if hit.matched != hit.name {
                lines.push(format!("       listed also as {}", hit.matched));
            }
            if !hit.programmes.is_empty() {
                lines.push(format!("       listed for {}", hit.programmes.join(", ")));
            }
            lines.extend(hit.reasons.iter().map(|reason| format!("       - {reason}")));
        }
        if !self.lists.is_empty() {
            let list = |list: &ListVersion| match list.source_date {
                Some(date) => format!("{} of {date}", list.list),
                None => list.list.clone(),
            };
            let searched: Vec<_> = self.lists.iter().map(list).collect();
            lines.push(format!("\nsearched  {}", searched.join(", ")));
        }
        lines.join("\n")
    }

    /// The cells of a CSV row behind the ones of the person: those of the strongest hit.
    pub(super) fn cells(&self) -> [String; 9] {
        let best = self.hits.first();
        let of_best = |cell: &dyn Fn(&Hit) -> String| best.map_or_else(String::new, cell);
        [
            words::risk(self.risk).to_owned(),
            self.hits.len().to_string(),
            of_best(&|hit| hit.list.clone()),
            of_best(&|hit| hit.entity.clone()),
            of_best(&|hit| hit.matched.clone()),
            of_best(&|hit| hit.score.to_string()),
            of_best(&|hit| hit.reasons.join("; ")),
            self.is_sample.to_string(),
            self.reason.clone().unwrap_or_default(),
        ]
    }
}

impl<'a> From<&'a Hit> for HitRecord<'a> {
    fn from(hit: &'a Hit) -> Self {
        let Hit { list, entity, name, matched, score, programmes, reasons, .. } = hit;
        Self { list, entity, name, matched, score: score.to_string(), programmes, reasons }
    }
}

impl<'a> From<&'a ListVersion> for ListRecord<'a> {
    fn from(version: &'a ListVersion) -> Self {
        let ListVersion { list, version, source_date, sample } = version;
        let source_date = source_date.map(|date| date.to_string());
        Self { list, version, source_date, sample: *sample }
    }
}

/// The titles of [`Verdict::cells`].
pub(super) const TITLES: [&str; 9] =
    ["risk", "hits", "list", "entity", "matched", "score", "reasons", "sample", "not_screened"];

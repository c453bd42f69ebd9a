//! Results of screenings and decisions on their hits.

use std::collections::BTreeMap;

use kyc_core::{
    Fact, Hit, HitDecision, HitKey, ListVersion, RiskLevel, Score, Screened, Screening, Seen,
};

use super::codes;
use super::input::Input;
use super::output::Output;
use super::{Damage, FORMAT_1};

impl Output {
    pub(super) fn result(&mut self, result: &Screened) {
        let Screened { screening, seen } = result;
        let Screening { at, lists, hits, unreported, configuration } = screening;
        self.time(*at);
        self.list(lists, |out, list| {
            let ListVersion { list, version, source_date, sample } = list;
            out.text(list);
            out.text(version);
            out.optional_day(*source_date);
            out.byte(u8::from(*sample));
        });
        self.list(hits, Self::hit);
        self.text(configuration);
        self.byte(codes::risk::encode(*unreported));
        self.byte(u8::from(seen.is_some()));
        if let Some(Seen { hits, risk }) = seen {
            self.list(hits, Self::hit);
            self.byte(codes::risk::encode(*risk));
        }
    }

    fn hit(&mut self, hit: &Hit) {
        let Hit { list, entity, name, matched, score, risk, programmes, reasons, evidence } = hit;
        self.text(list);
        self.text(entity);
        self.text(name);
        self.text(matched);
        self.bytes(&score.thousandths().to_le_bytes());
        self.list(programmes, |out, programme| out.text(programme));
        self.list(reasons, |out, reason| out.text(reason));
        self.byte(codes::risk::encode(*risk));
        self.evidence(evidence);
    }

    pub(super) fn decisions(&mut self, decisions: &BTreeMap<HitKey, HitDecision>) {
        self.number(decisions.len());
        for (key, decision) in decisions {
            let HitDecision { verdict, note, by, at, evidence } = decision;
            self.hit_key(key);
            self.byte(codes::verdict::encode(*verdict));
            self.text(note.as_str());
            self.text(by.as_str());
            self.time(*at);
            self.evidence(evidence);
        }
    }

    pub(super) fn hit_key(&mut self, key: &HitKey) {
        let HitKey { list, entity } = key;
        self.text(list);
        self.text(entity);
    }

    fn evidence(&mut self, evidence: &[Fact]) {
        self.list(evidence, |out, Fact { field, listed }| {
            out.text(field);
            out.text(listed);
        });
    }
}

impl Input<'_> {
    /// A result; `risk` is the one that the record's head tells.
    ///
    /// Format 1 knew that risk alone. Each of its hits has it then, and so has what it may have left
    /// out: until the applicant is screened anew, no decision on a hit makes the risk lower than it
    /// may be.
    pub(super) fn result(&mut self, format: u8, risk: RiskLevel) -> Result<Screened, Damage> {
        let is_old = format == FORMAT_1;
        let at = self.time()?;
        let lists = self.list(|input| {
            Ok(ListVersion {
                list: input.string()?,
                version: input.string()?,
                source_date: input.optional_day()?,
                sample: input.flag()?,
            })
        })?;
        let hits = self.list(|input| input.hit(is_old.then_some(risk)))?;
        let configuration = self.string()?;
        let unreported = if is_old { risk } else { self.risk()? };
        let seen = if !is_old && self.flag()? {
            Some(Seen { hits: self.list(|input| input.hit(None))?, risk: self.risk()? })
        } else {
            None
        };
        Ok(Screened { screening: Screening { at, lists, hits, unreported, configuration }, seen })
    }

    /// A hit, which has no risk and no evidence of its own in format 1.
    fn hit(&mut self, risk: Option<RiskLevel>) -> Result<Hit, Damage> {
        Ok(Hit {
            list: self.string()?,
            entity: self.string()?,
            name: self.string()?,
            matched: self.string()?,
            score: Score::from_thousandths(u16::from_le_bytes(self.array()?))
                .ok_or(Damage::Value("score"))?,
            programmes: self.list(Self::string)?,
            reasons: self.list(Self::string)?,
            risk: risk.map_or_else(|| self.risk(), Ok)?,
            evidence: if risk.is_some() { Vec::new() } else { self.evidence()? },
        })
    }

    pub(super) fn decisions(&mut self) -> Result<BTreeMap<HitKey, HitDecision>, Damage> {
        let decisions = self.list(|input| {
            let key = input.hit_key()?;
            let verdict = codes::verdict::decode(input.byte()?).ok_or(Damage::Value("verdict"))?;
            let decision = HitDecision {
                verdict,
                note: input.parsed("note")?,
                by: input.parsed("name of an inspector")?,
                at: input.time()?,
                evidence: input.evidence()?,
            };
            Ok((key, decision))
        })?;
        let count = decisions.len();
        let decisions: BTreeMap<HitKey, HitDecision> = decisions.into_iter().collect();
        if decisions.len() == count { Ok(decisions) } else { Err(Damage::Contradiction) }
    }

    pub(super) fn hit_key(&mut self) -> Result<HitKey, Damage> {
        Ok(HitKey { list: self.string()?, entity: self.string()? })
    }

    fn evidence(&mut self) -> Result<Vec<Fact>, Damage> {
        self.list(|input| Ok(Fact { field: input.string()?, listed: input.string()? }))
    }

    pub(super) fn risk(&mut self) -> Result<RiskLevel, Damage> {
        codes::risk::decode(self.byte()?).ok_or(Damage::Value("risk"))
    }
}

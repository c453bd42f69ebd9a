//! How far monitoring is, as one value.
//!
//! Layout: the format `1`; a flag and the editions that are covered; a flag and the walk under way.

use std::collections::BTreeMap;

use kyc_core::{ClientId, Covered, Editions, MonitoringState, QueuePlace, SubmissionId, Walk};

use super::Damage;
use super::input::Input;
use super::output::Output;

const FORMAT: u8 = 1;

/// Writes the state; the same bytes for the same state.
pub(crate) fn encode_monitoring(state: &MonitoringState) -> Vec<u8> {
    let MonitoringState { covered, under_way } = state;
    let mut out = Output(vec![FORMAT]);
    out.byte(u8::from(covered.is_some()));
    if let Some(Covered { editions, since }) = covered {
        out.editions(editions);
        out.time(*since);
    }
    out.byte(u8::from(under_way.is_some()));
    if let Some(Walk { target, full, begun, after, done, failed }) = under_way {
        out.editions(target);
        out.byte(u8::from(*full));
        out.time(*begun);
        out.byte(u8::from(after.is_some()));
        if let Some(QueuePlace { client, submission }) = after {
            out.bytes(&client.get().to_le_bytes());
            out.bytes(&submission.to_bytes());
        }
        out.bytes(&done.to_le_bytes());
        out.bytes(&failed.to_le_bytes());
    }
    out.0
}

/// Reads the state back.
pub(crate) fn decode_monitoring(state: &[u8]) -> Result<MonitoringState, Damage> {
    let mut input = Input(state);
    match input.byte()? {
        FORMAT => {}
        format => return Err(Damage::Format(format)),
    }
    let covered = if input.flag()? { Some(input.covered()?) } else { None };
    let under_way = if input.flag()? { Some(input.walk()?) } else { None };
    if !input.0.is_empty() {
        return Err(Damage::TooLong);
    }
    Ok(MonitoringState { covered, under_way })
}

impl Output {
    fn editions(&mut self, editions: &Editions) {
        let Editions { lists, configuration } = editions;
        self.number(lists.len());
        for (list, version) in lists {
            self.text(list);
            self.text(version);
        }
        self.text(configuration);
    }
}

impl Input<'_> {
    fn editions(&mut self) -> Result<Editions, Damage> {
        let lists = self.list(|input| Ok((input.string()?, input.string()?)))?;
        let lists: BTreeMap<String, String> = lists.into_iter().collect();
        Ok(Editions { lists, configuration: self.string()? })
    }

    fn covered(&mut self) -> Result<Covered, Damage> {
        Ok(Covered { editions: self.editions()?, since: self.time()? })
    }

    fn walk(&mut self) -> Result<Walk, Damage> {
        Ok(Walk {
            target: self.editions()?,
            full: self.flag()?,
            begun: self.time()?,
            after: if self.flag()? { Some(self.place()?) } else { None },
            done: u64::from_le_bytes(self.array()?),
            failed: u64::from_le_bytes(self.array()?),
        })
    }

    fn place(&mut self) -> Result<QueuePlace, Damage> {
        let number = u32::from_le_bytes(self.array()?);
        Ok(QueuePlace {
            client: ClientId::new(number).ok_or(Damage::Value("client"))?,
            submission: SubmissionId::from_bytes(self.array()?),
        })
    }
}

use std::str::FromStr;

use kyc_core::{DocumentHandle, DocumentId, Slot, Slots, Timestamp};
use time::Date;

use super::Damage;
use super::codes;

/// The part of a record that was not read yet. Every read is bounded by what is there.
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl<'a> Input<'a> {
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (array, rest) = self.0.split_first_chunk().ok_or(Damage::Truncated)?;
        self.0 = rest;
        Ok(*array)
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Damage> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(Damage::Truncated)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn flag(&mut self) -> Result<bool, Damage> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damage::Value("flag")),
        }
    }

    pub(super) fn number(&mut self) -> Result<usize, Damage> {
        let mut number: u64 = 0;
        // Ten groups of seven bits hold any u64; what they shift out is no number of ours.
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(number).map_err(|_| Damage::Value("number"));
            }
        }
        Err(Damage::Value("number"))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Damage> {
        let count = self.number()?;
        str::from_utf8(self.bytes(count)?).map_err(|_| Damage::NotText)
    }

    pub(super) fn string(&mut self) -> Result<String, Damage> {
        self.text().map(str::to_owned)
    }

    /// A text that is parsed again.
    pub(super) fn parsed<T: FromStr>(&mut self, what: &'static str) -> Result<T, Damage> {
        self.text()?.parse().map_err(|_| Damage::Value(what))
    }

    /// As [`parsed`](Self::parsed); the empty text stands for none.
    pub(super) fn optional<T: FromStr>(&mut self, what: &'static str) -> Result<Option<T>, Damage> {
        let text = self.text()?;
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| Damage::Value(what))
    }

    /// A list. Every item takes at least a byte, so a count beyond what is left is damage, and
    /// memory is taken only for what is there.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Damage>,
    ) -> Result<Vec<T>, Damage> {
        let count = self.number()?;
        if count > self.0.len() {
            return Err(Damage::Truncated);
        }
        (0..count).map(|_| item(self)).collect()
    }

    pub(super) fn time(&mut self) -> Result<Timestamp, Damage> {
        let millis = i64::from_le_bytes(self.array()?);
        Timestamp::from_unix_millis(millis).ok_or(Damage::Value("time"))
    }

    pub(super) fn day(&mut self) -> Result<Date, Damage> {
        let day = i32::from_le_bytes(self.array()?);
        Date::from_julian_day(day).map_err(|_| Damage::Value("day"))
    }

    pub(super) fn optional_day(&mut self) -> Result<Option<Date>, Damage> {
        if self.flag()? { self.day().map(Some) } else { Ok(None) }
    }

    pub(super) fn handle(&mut self) -> Result<DocumentHandle, Damage> {
        let code = self.byte()?;
        self.handle_of(code)
    }

    pub(super) fn optional_handle(&mut self) -> Result<Option<DocumentHandle>, Damage> {
        match self.byte()? {
            super::output::NO_HANDLE => Ok(None),
            code => self.handle_of(code).map(Some),
        }
    }

    fn handle_of(&mut self, code: u8) -> Result<DocumentHandle, Damage> {
        let kind = codes::kind::decode(code & 7).ok_or(Damage::Value("document kind"))?;
        let spelling = codes::spelling::decode(code & !7).ok_or(Damage::Value("document kind"))?;
        let prefix = str::from_utf8(self.bytes(10)?).map_err(|_| Damage::NotText)?;
        let prefix = prefix.parse().map_err(|_| Damage::Value("document prefix"))?;
        let id = DocumentId::from_bytes(self.array()?);
        Ok(DocumentHandle::new(prefix, kind, spelling, id))
    }

    pub(super) fn slots(&mut self) -> Result<Slots, Damage> {
        let bits = self.byte()?;
        if bits >= 8 {
            return Err(Damage::Value("set of documents"));
        }
        let is_in = |slot: &Slot| bits & codes::slot::encode(*slot) != 0;
        Ok(Slot::ALL.into_iter().filter(is_in).collect())
    }
}

use kyc_core::{DocumentHandle, Slots, Spelling, Timestamp};
use time::Date;

use super::codes;

/// A record under way.
pub(super) struct Output(pub(super) Vec<u8>);

/// Stands where a handle could: no code of a kind has this value.
pub(super) const NO_HANDLE: u8 = 0xff;

impl Output {
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.byte(u8::try_from(number & 0x7f).unwrap_or(0) | 0x80);
            number >>= 7;
        }
        self.byte(u8::try_from(number).unwrap_or(0));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len());
        self.bytes(text.as_bytes());
    }

    pub(super) fn list<T>(&mut self, items: &[T], item: impl Fn(&mut Self, &T)) {
        self.number(items.len());
        for each in items {
            item(self, each);
        }
    }

    pub(super) fn time(&mut self, time: Timestamp) {
        self.bytes(&time.unix_millis().to_le_bytes());
    }

    pub(super) fn day(&mut self, day: Date) {
        self.bytes(&day.to_julian_day().to_le_bytes());
    }

    pub(super) fn optional_day(&mut self, day: Option<Date>) {
        self.byte(u8::from(day.is_some()));
        if let Some(day) = day {
            self.day(day);
        }
    }

    pub(super) fn handle(&mut self, handle: &DocumentHandle) {
        let kind = handle.kind();
        let is_joined = handle.word() != kind.word(Spelling::Underscored);
        let spelling = if is_joined { Spelling::Joined } else { Spelling::Underscored };
        self.byte(codes::kind::encode(kind) | codes::spelling::encode(spelling));
        let text = handle.to_text();
        let prefix = text.split('/').next().unwrap_or_default();
        self.bytes(prefix.as_bytes());
        self.bytes(&handle.id().to_bytes());
    }

    pub(super) fn optional_handle(&mut self, handle: Option<&DocumentHandle>) {
        match handle {
            None => self.byte(NO_HANDLE),
            Some(handle) => self.handle(handle),
        }
    }

    pub(super) fn slots(&mut self, slots: Slots) {
        self.byte(slots.iter().map(codes::slot::encode).sum());
    }
}

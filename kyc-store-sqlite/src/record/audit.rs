//! A row of the audit as one value.
//!
//! Layout: the number of the client, 0 for the service; the position; the time; who, with the name
//! of an inspector or the id of a client's key; whether there is a hash, and the hash; what, with
//! what belongs to it. The place stands in the value, so that a row cannot be put into another
//! place unnoticed.

use kyc_core::{
    AuditActor, AuditEntry, AuditEvent, AuditHash, ClientId, DocumentId, RotatedKey, SubmissionId,
};

use super::input::Input;
use super::output::Output;
use super::{Damage, codes};

/// Where a row stands: the chain of a client, or that of the service; positions begin at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) chain: Option<ClientId>,
    pub(crate) position: u64,
}

/// Writes a row; the same bytes for the same row.
pub(crate) fn encode_audit(place: Place, entry: &AuditEntry) -> Vec<u8> {
    let AuditEntry { at, by, event, about } = entry;
    let mut out = Output(Vec::with_capacity(64));
    out.long(place.chain.map_or(0, |client| client.get().into()));
    out.long(place.position);
    out.time(*at);
    match by {
        AuditActor::Client(None) => out.byte(CLIENT),
        AuditActor::Client(Some(key)) => {
            out.byte(CLIENT_KEY);
            out.text(key.as_str());
        }
        AuditActor::Inspector(name) => {
            out.byte(INSPECTOR);
            out.text(name.as_str());
        }
        AuditActor::Operator => out.byte(OPERATOR),
        AuditActor::Service => out.byte(SERVICE),
    }
    out.byte(u8::from(about.is_some()));
    if let Some(about) = about {
        out.bytes(&about.to_bytes());
    }
    out.event(event);
    out.0
}

/// Reads a row back.
pub(crate) fn decode_audit(record: &[u8]) -> Result<(Place, AuditEntry), Damage> {
    let mut input = Input(record);
    let chain = match u32::try_from(input.long()?) {
        Ok(0) => None,
        Ok(number) => Some(ClientId::new(number).ok_or(Damage::Value("client"))?),
        Err(_) => return Err(Damage::Value("client")),
    };
    let place = Place { chain, position: input.long()? };
    let at = input.time()?;
    let by = match input.byte()? {
        CLIENT => AuditActor::Client(None),
        CLIENT_KEY => AuditActor::Client(Some(input.parsed("id of a key")?)),
        INSPECTOR => AuditActor::Inspector(input.parsed("name of an inspector")?),
        OPERATOR => AuditActor::Operator,
        SERVICE => AuditActor::Service,
        _ => return Err(Damage::Value("actor")),
    };
    let about = if input.flag()? { Some(AuditHash::from_bytes(input.array()?)) } else { None };
    let entry = AuditEntry { at, by, event: input.event()?, about };
    if input.0.is_empty() { Ok((place, entry)) } else { Err(Damage::TooLong) }
}

impl Output {
    fn long(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(u8::try_from(number & 0x7f).unwrap_or(0) | 0x80);
            number >>= 7;
        }
        self.byte(u8::try_from(number).unwrap_or(0));
    }

    fn event(&mut self, event: &AuditEvent) {
        let id = |id: &SubmissionId| id.to_bytes().to_vec();
        let pair = |id: &SubmissionId, other: [u8; 16]| [id.to_bytes(), other].concat();
        let text = |text: &str| {
            let mut out = Self(Vec::new());
            out.text(text);
            out.0
        };
        let (code, rest) = match event {
            AuditEvent::Begun => (0, Vec::new()),
            AuditEvent::ChainBegun(client) => (1, client.get().to_le_bytes().to_vec()),
            AuditEvent::DocumentUploaded(document) => (2, document.to_bytes().to_vec()),
            AuditEvent::Submitted(it) => (3, id(it)),
            AuditEvent::Renewed { id: it, from } => (4, pair(it, from.to_bytes())),
            AuditEvent::Approved(it) => (5, id(it)),
            AuditEvent::Rejected(it) => (6, id(it)),
            AuditEvent::RetakeAsked(it) => (7, id(it)),
            AuditEvent::Supplied { id: it, slot } => {
                (8, [id(it).as_slice(), &[codes::slot::encode(*slot)]].concat())
            }
            AuditEvent::Reopened(it) => (9, id(it)),
            AuditEvent::Screened(it) => (10, id(it)),
            AuditEvent::Rescreened(it) => (11, id(it)),
            AuditEvent::HitDecided { id: it, verdict } => {
                let verdict = verdict.map_or(codes::NO_VERDICT, codes::verdict::encode);
                (12, [id(it).as_slice(), &[verdict]].concat())
            }
            AuditEvent::Acknowledged(it) => (13, id(it)),
            AuditEvent::QueueRead(shown) => {
                let mut out = Self(Vec::new());
                out.list(shown, |out, id| out.bytes(&id.to_bytes()));
                (14, out.0)
            }
            AuditEvent::CaseRead(it) => (15, id(it)),
            AuditEvent::DocumentRead { id: it, document } => (16, pair(it, document.to_bytes())),
            AuditEvent::ClientAdded => (17, Vec::new()),
            AuditEvent::KeyCreated { key } => (18, text(key)),
            AuditEvent::KeyRevoked { key } => (19, text(key)),
            AuditEvent::InspectorAdded { name, clients, token } => {
                let mut out = Self(Vec::new());
                out.text(name.as_str());
                out.byte(u8::from(clients.is_some()));
                if let Some(clients) = clients {
                    out.list(clients, |out, client| out.bytes(&client.get().to_le_bytes()));
                }
                out.text(token);
                (20, out.0)
            }
            AuditEvent::InspectorRemoved { name } => (21, text(name.as_str())),
            AuditEvent::KeyRotated { key, version } => {
                let kind = match key {
                    RotatedKey::Master => 0,
                    RotatedKey::Client => 1,
                };
                (22, [&[kind], version.to_le_bytes().as_slice()].concat())
            }
            AuditEvent::RelationshipEnded(it) => (23, id(it)),
            AuditEvent::HoldSet(it) => (24, id(it)),
            AuditEvent::HoldLifted(it) => (25, id(it)),
            AuditEvent::Erased(it) => (26, id(it)),
            AuditEvent::DocumentErased { document, of: None } => (27, document.to_bytes().to_vec()),
            AuditEvent::DocumentErased { document, of: Some(it) } => {
                (32, pair(it, document.to_bytes()))
            }
            AuditEvent::BackupMade => (28, Vec::new()),
            AuditEvent::Restored => (29, Vec::new()),
            AuditEvent::AnswerRepeated => (30, Vec::new()),
            AuditEvent::RelationshipGoesOn(it) => (31, id(it)),
            AuditEvent::DuplicatesRead { of, shown } => {
                let mut out = Self(id(of));
                out.list(shown, |out, id| out.bytes(&id.to_bytes()));
                (33, out.0)
            }
            AuditEvent::SandboxClockSet { ahead_ms } => (34, ahead_ms.to_le_bytes().to_vec()),
        };
        self.byte(code);
        self.bytes(&rest);
    }
}

impl Input<'_> {
    fn long(&mut self) -> Result<u64, Damage> {
        u64::try_from(self.number()?).map_err(|_| Damage::Value("number"))
    }

    fn client(&mut self) -> Result<ClientId, Damage> {
        let number = u32::from_le_bytes(self.array()?);
        ClientId::new(number).ok_or(Damage::Value("client"))
    }

    fn submission(&mut self) -> Result<SubmissionId, Damage> {
        self.array().map(SubmissionId::from_bytes)
    }

    fn document(&mut self) -> Result<DocumentId, Damage> {
        self.array().map(DocumentId::from_bytes)
    }

    fn event(&mut self) -> Result<AuditEvent, Damage> {
        Ok(match self.byte()? {
            0 => AuditEvent::Begun,
            1 => AuditEvent::ChainBegun(self.client()?),
            2 => AuditEvent::DocumentUploaded(self.document()?),
            3 => AuditEvent::Submitted(self.submission()?),
            4 => AuditEvent::Renewed { id: self.submission()?, from: self.submission()? },
            5 => AuditEvent::Approved(self.submission()?),
            6 => AuditEvent::Rejected(self.submission()?),
            7 => AuditEvent::RetakeAsked(self.submission()?),
            8 => {
                let (id, slot) = (self.submission()?, codes::slot::decode(self.byte()?));
                AuditEvent::Supplied { id, slot: slot.ok_or(Damage::Value("slot"))? }
            }
            9 => AuditEvent::Reopened(self.submission()?),
            10 => AuditEvent::Screened(self.submission()?),
            11 => AuditEvent::Rescreened(self.submission()?),
            12 => {
                let id = self.submission()?;
                let verdict = match self.byte()? {
                    codes::NO_VERDICT => None,
                    code => Some(codes::verdict::decode(code).ok_or(Damage::Value("verdict"))?),
                };
                AuditEvent::HitDecided { id, verdict }
            }
            13 => AuditEvent::Acknowledged(self.submission()?),
            14 => AuditEvent::QueueRead(self.list(Self::submission)?),
            15 => AuditEvent::CaseRead(self.submission()?),
            16 => AuditEvent::DocumentRead { id: self.submission()?, document: self.document()? },
            17 => AuditEvent::ClientAdded,
            18 => AuditEvent::KeyCreated { key: self.text()?.into() },
            19 => AuditEvent::KeyRevoked { key: self.text()?.into() },
            20 => {
                let name = self.parsed("name of an inspector")?;
                let clients = if self.flag()? { Some(self.list(Self::client)?) } else { None };
                AuditEvent::InspectorAdded { name, clients, token: self.text()?.into() }
            }
            21 => AuditEvent::InspectorRemoved { name: self.parsed("name of an inspector")? },
            22 => {
                let key = match self.byte()? {
                    0 => RotatedKey::Master,
                    1 => RotatedKey::Client,
                    _ => return Err(Damage::Value("key")),
                };
                AuditEvent::KeyRotated { key, version: u32::from_le_bytes(self.array()?) }
            }
            23 => AuditEvent::RelationshipEnded(self.submission()?),
            24 => AuditEvent::HoldSet(self.submission()?),
            25 => AuditEvent::HoldLifted(self.submission()?),
            26 => AuditEvent::Erased(self.submission()?),
            27 => AuditEvent::DocumentErased { document: self.document()?, of: None },
            28 => AuditEvent::BackupMade,
            29 => AuditEvent::Restored,
            30 => AuditEvent::AnswerRepeated,
            31 => AuditEvent::RelationshipGoesOn(self.submission()?),
            32 => {
                let of = Some(self.submission()?);
                AuditEvent::DocumentErased { document: self.document()?, of }
            }
            33 => {
                let of = self.submission()?;
                AuditEvent::DuplicatesRead { of, shown: self.list(Self::submission)? }
            }
            34 => AuditEvent::SandboxClockSet { ahead_ms: u64::from_le_bytes(self.array()?) },
            _ => return Err(Damage::Value("event")),
        })
    }
}

const CLIENT: u8 = 0;
const SERVICE: u8 = 1;
const INSPECTOR: u8 = 2;
const OPERATOR: u8 = 3;
const CLIENT_KEY: u8 = 4;

use std::net::Ipv4Addr;

use kyc_core::{AmlSummary, BirthDate, Country, Listed, Status, SubmissionId};

use super::codes::{self, state};
use super::input::Input;
use super::{Damage, FORMAT, FORMAT_1, LISTED_TEXTS};

/// What a list shows of a record, borrowed from it.
pub(crate) fn listed(record: &[u8]) -> Result<Listed<'_>, Damage> {
    Head::read(&mut Input(record)).map(|head| head.listed)
}

/// The fixed part of a record and the listed texts.
pub(super) struct Head<'a> {
    pub(super) format: u8,
    pub(super) listed: Listed<'a>,
    pub(super) birth_date: BirthDate,
    pub(super) version: u32,
}

impl<'a> Head<'a> {
    pub(super) fn read(input: &mut Input<'a>) -> Result<Self, Damage> {
        let format = match input.byte()? {
            format @ (FORMAT_1 | FORMAT) => format,
            format => return Err(Damage::Format(format)),
        };
        let id = SubmissionId::from_bytes(input.array()?);
        let created_at = input.time()?;
        let version = u32::from_le_bytes(input.array()?);
        let (status, aml) = read_state(input.byte()?)?;
        let bits = input.byte()?;
        let gender = codes::gender::decode(bits & 1).ok_or(Damage::Value("gender"))?;
        let id_type = codes::id_type::decode((bits >> codes::ID_TYPE_SHIFT) & 3);
        let birth_date = BirthDate::from_days(u32::from_le_bytes(input.array()?))
            .ok_or(Damage::Value("date of birth"))?;
        let nationality = country(input)?.ok_or(Damage::Value("nationality"))?;
        let address_country = country(input)?;
        let ip_address = Ipv4Addr::from(input.array()?);
        let ip_address = (bits & codes::HAS_IP_ADDRESS != 0).then_some(ip_address);
        let [
            email,
            user_id,
            first_name,
            middle_name,
            last_name,
            id_number,
            address_street,
            address_city,
            address_state,
            address_zipcode,
            contribution_type,
            wallet_address,
            estimated_amount,
        ] = texts(input)?;
        let listed = Listed {
            id,
            created_at,
            email: email.ok_or(Damage::Value("e-mail"))?,
            user_id,
            first_name: first_name.ok_or(Damage::Value("first name"))?,
            middle_name,
            last_name: last_name.ok_or(Damage::Value("last name"))?,
            nationality,
            birth_date: birth_date.date(),
            gender,
            id_type,
            id_number,
            address_street,
            address_city,
            address_state,
            address_zipcode,
            address_country,
            contribution_type,
            wallet_address,
            estimated_amount,
            ip_address,
            status,
            aml,
        };
        Ok(Self { format, listed, birth_date, version })
    }
}

fn read_state(state: u8) -> Result<(Status, AmlSummary), Damage> {
    Ok(match state {
        state::PENDING => (Status::Pending, AmlSummary::NotStarted),
        state::INCOMPLETE => (Status::Incomplete, AmlSummary::NotStarted),
        state::REJECTED => (Status::Rejected, AmlSummary::NotStarted),
        state::QUEUED => (Status::Approved, AmlSummary::Waiting),
        state::STALLED => (Status::Approved, AmlSummary::Stalled),
        _ => {
            let risk = state.checked_sub(state::SCREENED).and_then(codes::risk::decode);
            (Status::Approved, AmlSummary::Screened(risk.ok_or(Damage::Value("state"))?))
        }
    })
}

fn country(input: &mut Input<'_>) -> Result<Option<Country>, Damage> {
    let code: [u8; 3] = input.array()?;
    if code == [0; 3] {
        return Ok(None);
    }
    let known = str::from_utf8(&code).ok().and_then(Country::from_alpha3);
    known.map(Some).ok_or(Damage::Value("country"))
}

/// The texts, checked to be UTF-8 in one go. An empty text stands for none.
fn texts<'a>(input: &mut Input<'a>) -> Result<[Option<&'a str>; LISTED_TEXTS], Damage> {
    let mut lengths = [0; LISTED_TEXTS];
    for length in &mut lengths {
        *length = usize::from(u16::from_le_bytes(input.array()?));
    }
    let joined = input.bytes(lengths.iter().sum())?;
    let mut rest = str::from_utf8(joined).map_err(|_| Damage::NotText)?;
    let mut texts = [None; LISTED_TEXTS];
    for (text, length) in texts.iter_mut().zip(lengths) {
        let (head, tail) = rest.split_at_checked(length).ok_or(Damage::NotText)?;
        *text = (length > 0).then_some(head);
        rest = tail;
    }
    Ok(texts)
}

//! The same person under other addresses (D39).
//!
//! The rows of a person are walked from the most recent on, until enough of other addresses were
//! met. Those of the own address are passed over, so there must not be many. Of each address, only
//! the most recent [`Duplicate::COUNT_MAX`] can ever be reported, since nothing that is older can
//! become more recent: from time to time a write takes the others out of the index.

use kyc_core::{
    Applicant, ClientId, Duplicate, Email, Listed, PersonKey, PersonName, StoreError, Submission,
    SubmissionId,
};
use rusqlite::params;

use super::find::Found;
use super::row::{self, Reading};
use crate::error::unavailable;
use crate::pepper::Pepper;
use crate::record::{Damage, decode, listed};

/// The most recent submissions of a person under other addresses, most recent first.
///
/// Mostly the person has the one row that was found, and a look at the index is enough.
pub(super) fn duplicates(
    reading: Reading<'_>,
    pepper: &Pepper,
    client: ClientId,
    found: &Found,
) -> Result<Vec<Duplicate>, StoreError> {
    if let Some(person_key) = found.person_key {
        let mut others = reading.connection.prepare_cached(HAS_OTHERS).map_err(unavailable)?;
        if !others.exists(params![person_key, found.key]).map_err(unavailable)? {
            return Ok(Vec::new());
        }
    }
    Person::of(pepper, client, &found.submission).duplicates(reading)
}

/// A person under one address.
pub(super) struct Person {
    client: ClientId,
    digest: i64,
    key: PersonKey,
    applicant: Applicant,
    email: Email,
}

impl Person {
    pub(super) fn of(pepper: &Pepper, client: ClientId, submission: &Submission) -> Self {
        let key = submission.person_key();
        let digest = pepper.person(client, &key);
        let form = submission.form();
        let (applicant, email) = (form.applicant.clone(), form.email.clone());
        Self { client, digest, key, applicant, email }
    }

    fn duplicates(&self, reading: Reading<'_>) -> Result<Vec<Duplicate>, StoreError> {
        let mut met: Vec<(i64, Duplicate)> = Vec::new();
        self.walk(reading, |row| {
            if is_behind(&met, row.created_ms) {
                return false;
            }
            if let Some(email) = row.other_email {
                met.push((row.created_ms, Duplicate { email, id: row.id }));
            }
            true
        })?;
        met.sort_by_key(|(created_ms, duplicate)| std::cmp::Reverse((*created_ms, duplicate.id)));
        met.truncate(Duplicate::COUNT_MAX);
        Ok(met.into_iter().map(|(_, duplicate)| duplicate).collect())
    }

    /// The rows of the address that are passed over in each walk and can never be reported.
    fn surplus(&self, reading: Reading<'_>) -> Result<Vec<i64>, StoreError> {
        let (mut others, mut own, mut surplus) = (Vec::new(), Vec::new(), Vec::new());
        self.walk(reading, |row| {
            if is_behind(&others, row.created_ms) || surplus.len() >= SURPLUS_MAX {
                return false;
            }
            if row.other_email.is_some() {
                others.push((row.created_ms, ()));
            } else if is_behind(&own, row.created_ms) {
                surplus.push(row.key);
            } else {
                own.push((row.created_ms, ()));
            }
            true
        })?;
        Ok(surplus)
    }

    /// Shows the person's rows, most recent first, as long as `visit` says so.
    fn walk(
        &self,
        reading: Reading<'_>,
        mut visit: impl FnMut(PersonRow) -> bool,
    ) -> Result<(), StoreError> {
        let mut buffer = Vec::new();
        let mut statement = reading.connection.prepare_cached(BY_PERSON).map_err(unavailable)?;
        let mut rows = statement.query([self.digest]).map_err(unavailable)?;
        while let Some(row) = rows.next().map_err(unavailable)? {
            let id = row::id(row, 2)?;
            let record = reading.record(row, 3, self.client, id, &mut buffer)?;
            let listed = listed(record).map_err(|damage| damage.of(id))?;
            // Another person may have the same digest.
            if !self.is_same(&listed, record).map_err(|damage| damage.of(id))? {
                continue;
            }
            let row = PersonRow {
                created_ms: row.get(0).map_err(unavailable)?,
                key: row.get(1).map_err(unavailable)?,
                id,
                other_email: self.other_email(&listed).map_err(|damage| damage.of(id))?,
            };
            if !visit(row) {
                break;
            }
        }
        Ok(())
    }

    fn is_same(&self, listed: &Listed<'_>, record: &[u8]) -> Result<bool, Damage> {
        let known = &self.applicant;
        // Mostly the spelling is the same too, which spares making the key.
        let is_spelled_alike = listed.first_name == known.first_name.as_str()
            && listed.middle_name == known.middle_name.as_ref().map(PersonName::as_str)
            && listed.last_name == known.last_name.as_str()
            && listed.birth_date == known.birth_date.date()
            && listed.gender == known.gender
            && listed.nationality == known.nationality;
        Ok(is_spelled_alike || decode(record)?.person_key() == self.key)
    }

    /// The address of a row, unless it is the own one.
    fn other_email(&self, listed: &Listed<'_>) -> Result<Option<Email>, Damage> {
        if listed.email == self.email.as_str() {
            return Ok(None);
        }
        let email: Email = listed.email.parse().map_err(|_| Damage::Value("e-mail"))?;
        Ok(Some(email).filter(|email| *email != self.email))
    }
}

struct PersonRow {
    created_ms: i64,
    key: i64,
    id: SubmissionId,
    /// The address, unless it is the one of the walk.
    other_email: Option<Email>,
}

/// Whether enough rows were met that are all more recent than `created_ms`. Rows of one instant are
/// told apart by id, so all of them have to be seen.
fn is_behind<T>(met: &[(i64, T)], created_ms: i64) -> bool {
    met.get(Duplicate::COUNT_MAX - 1).is_some_and(|(last, _)| created_ms < *last)
}

/// Whether a write of this id also thins out the index. One of 64 does; ids are random, so nobody
/// can avoid it.
pub(super) fn is_time_to_thin_out(id: SubmissionId) -> bool {
    let [.., last] = id.to_bytes();
    last.is_multiple_of(64)
}

/// Takes rows that can never be reported out of the index.
pub(super) fn thin_out(reading: Reading<'_>, person: &Person) -> Result<(), StoreError> {
    for key in person.surplus(reading)? {
        let mut statement =
            reading.connection.prepare_cached(FORGET_PERSON).map_err(unavailable)?;
        statement.execute(params![key]).map_err(unavailable)?;
    }
    Ok(())
}

/// How many rows are taken out at once, so that other writes need not wait long.
const SURPLUS_MAX: usize = 256;

pub(crate) const BY_PERSON: &str = "
    SELECT created_ms, key, id, record, data_key FROM submission
    WHERE person_key = :person_key
    ORDER BY created_ms DESC";

pub(crate) const HAS_OTHERS: &str = "
    SELECT 1 FROM submission WHERE person_key = :person_key AND key <> :own";

pub(crate) const FORGET_PERSON: &str = "
    UPDATE submission SET person_key = NULL WHERE key = :key";

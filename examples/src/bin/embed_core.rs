//! The domain inside a program of one's own: documents, a form, a decision, a screening. No server
//! and no database; a real program would give `Service` stores that keep things.

use std::error::Error;
use std::io::{Write, stdout};

use examples::service_in_memory;
use kyc_core::service::Decision;
use kyc_core::{
    CountrySyntax, DocumentKind, Email, Field, Lookup, RiskLevel, ScreenError, Screener, Screening,
    ScreeningQueue, Spelling, Subject, Timestamp,
};
use time::macros::date;

const PASSPORT: &[u8] = include_bytes!("../../specimens/passport.jpg");
const SELFIE: &[u8] = include_bytes!("../../specimens/selfie.png");

/// A list of one name. `kyc-screening` is the real thing.
struct OneName(&'static str);

impl Screener for OneName {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        let is_listed = subject.name.eq_ignore_ascii_case(self.0);
        Ok(Screening {
            at,
            lists: Vec::new(),
            hits: Vec::new(),
            unreported: if is_listed { RiskLevel::High } else { RiskLevel::NotApplicable },
            configuration: "exact".into(),
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (service, client, inspector) = service_in_memory()?;

    let photo = service.upload(&client, DocumentKind::Passport, Spelling::Joined, PASSPORT)?;
    let selfie = service.upload(&client, DocumentKind::Selfie, Spelling::Joined, SELFIE)?;
    let (photo, selfie) = (photo.handle.to_text(), selfie.handle.to_text());

    // A form is whatever gives a text for each field: a web form, a JSON body, a spreadsheet row.
    let sent = [
        (Field::Email, "mira@example.org"),
        (Field::FirstName, "Mira"),
        (Field::LastName, "Kole"),
        (Field::Nationality, "Albania, ALB"),
        (Field::DateOfBirth, "1990-05-17"),
        (Field::Gender, "female"),
        (Field::IdType, "passport"),
        (Field::KycLevel, "L1"),
        (Field::PhotoId, photo.as_str()),
        (Field::Selfie, selfie.as_str()),
    ];
    let form = |field| sent.iter().find(|(name, _)| *name == field).map(|(_, text)| *text);
    let submission = service.submit(client.id, &form, CountrySyntax::Combined)?;

    let decision = Decision::Approve { id_expires: date!(2031 - 01 - 01), address_issued: None };
    service.decide(&inspector, submission.id(), submission.version(), decision)?;

    let pass =
        service.screen_queue(ScreeningQueue::New, &OneName("Rolf Wick"), &|| false, &|_| ())?;

    let email: Email = "MIRA@example.org".parse()?;
    let lookup = Lookup { email: Some(&email), ..Lookup::default() };
    let (standing, _) = service.status(client.id, &lookup)?;
    let risk = standing.risk();
    writeln!(stdout(), "{}: {risk:?}, {} screened", standing.status().as_str(), pass.screened)?;
    Ok(())
}

//! Submissions in every state, some of which clients and inspectors alone do not lead to.

use http::Request;
use kyc_core::{ErasureCause, RiskLevel, Stall};

use super::document::{Exchange, Meant};
use super::request::USED_KEY;
use crate::support::*;

/// Makes them, with documents of every kind and one request of each caller under a key. What is
/// read and uploaded meanwhile is where the requests behind take their ids from.
pub(super) fn settle(world: &World) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    for kind in ["passport", "government_id", "drivers_license", "selfie", "address", "other"] {
        let answer = world.upload(Acme, "/f1/submissions/upload", kind, &jpeg());
        exchanges.push(taken("f1Upload", kind, answer));
    }
    exchanges.extend(screened(world));
    exchanges.extend(stalled(world));
    exchanges.extend(reviewed(world));
    exchanges.extend(erased(world));
    read(world, &hand_in(world, "pending@example.org"), &mut exchanges);

    let keyed = |who: Caller, target: &str, body: String| {
        let (name, text) = who.header().unwrap();
        let request = Request::post(target).header(name, text);
        let request = request.header("idempotency-key", USED_KEY);
        world.handle(request.body(body.into()).unwrap()).success().text_at("/id")
    };
    let id = keyed(Acme, "/v2/amlonly", Sent::mira_aml_only().body());
    let hold = r#"{"version":1,"reason":"Case 4"}"#.to_owned();
    keyed(Ines, &format!("/review/v1/submissions/{id}/hold"), hold);
    exchanges
}

/// A hit that inspectors decided on, in results that changed.
fn screened(world: &World) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let id = hand_in(world, "screened@example.org");
    world.approve_l2(&id);
    read(world, &id, &mut exchanges);
    world.screen(Ok(RiskLevel::Low));
    read(world, &id, &mut exchanges);
    for verdict in ["true_positive", "undecided", "false_positive"] {
        let hit = r#""list":"sample","entity":"S-12","note":"Compared.""#;
        world.decide(&id, "hits", &format!(r#"{hit},"verdict":"{verdict}""#)).success();
        read(world, &id, &mut exchanges);
    }
    let (nothing, high) = (RiskLevel::NotApplicable, RiskLevel::High);
    for (risk, born) in [(nothing, "1990"), (high, "1991"), (high, "1992")] {
        world.rescreen(risk, born);
        read(world, &id, &mut exchanges);
    }
    exchanges
}

/// Approved, without a result.
fn stalled(world: &World) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    for stall in [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed] {
        let id = world.submit_aml_only(Acme);
        world.screen(Err(stall));
        read(world, &id, &mut exchanges);
    }
    exchanges
}

/// Everything that an inspector decides before an approval, and what it is worth afterwards.
fn reviewed(world: &World) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let id = hand_in(world, "reviewed@example.org");
    world.decide(&id, "retake", r#""documents":["selfie_res"],"comment":"Too dark.""#).success();
    read(world, &id, &mut exchanges);
    let selfie = Sent(Vec::new()).with("selfie_res", &world.document(Acme, "selfie"));
    let target = format!("/v2/submissions/reviewed@example.org/{id}/documents");
    world.post(Acme, &target, &selfie.body()).success();
    world.decide(&id, "reject", r#""comment":"Blurred.","reason_codes":["blurred"]"#).success();
    read(world, &id, &mut exchanges);
    world.reopen(&id);
    world.erase_document(Acme, &id, selfie.value("selfie_res"));
    read(world, &id, &mut exchanges);
    for (word, members) in [
        ("end", r#""on":"2031-01-31""#),
        ("end", r#""on":"never""#),
        ("hold", r#""reason":"Case 3","until":"2031-01-31""#),
        ("release", r#""reason":"Case 3 is closed""#),
    ] {
        world.decide(&id, word, members).success();
    }
    read(world, &id, &mut exchanges);
    exchanges
}

fn erased(world: &World) -> Vec<Exchange> {
    let causes = [ErasureCause::Period, ErasureCause::Request("asked".parse().unwrap())];
    let erase = |cause| {
        let id = hand_in(world, "erased@example.org");
        world.erase(Acme, &id, cause);
        let asked = format!("/review/v1/submissions/{id}/certificate");
        taken("reviewCertificate", &asked, world.get(Ines, &asked))
    };
    causes.map(erase).into()
}

fn hand_in(world: &World, email: &str) -> String {
    let full = world.full(Acme).with("email", email);
    world.post(Acme, "/f1/submissions", &full.body()).success().text_at("/id")
}

/// A submission as its client and its inspector see it.
fn read(world: &World, id: &str, exchanges: &mut Vec<Exchange>) {
    let case = format!("/review/v1/submissions/{id}");
    exchanges.push(taken("reviewCase", &case, world.get(Ines, &case)));
    let item = format!("/f1/submissions?submission_id={id}");
    exchanges.push(taken("f1Read", &item, world.get(Acme, &item)));
    let email = exchanges[exchanges.len() - 1].answer.text_at("/Items/0/email");
    let status = format!("/v2/submissions/{email}/{id}");
    exchanges.push(taken("v2StatusOfOne", &status, world.get(Acme, &status)));
}

fn taken(operation: &str, asked: &str, answer: Answer) -> Exchange {
    let (operation, asked) = (operation.to_owned(), asked.to_owned());
    Exchange { operation, asked, meant: Meant::Taken, answer }
}

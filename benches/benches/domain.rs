//! Benches of the domain: parsing a form, best status, filling a page.

use std::hint::black_box;

use benches::applicants::{fields, form};
use criterion::{Criterion, criterion_group, criterion_main};
use kyc_core::conformance::fixture::handle;
use kyc_core::{
    CountrySyntax, DocumentKind, Form, IdSource, OsIds, PageBudget, Preference, Submission,
    Timestamp,
};
use time::macros::date;

fn documents() -> benches::applicants::Documents {
    benches::applicants::Documents {
        photo_id: handle(DocumentKind::Passport, 1),
        selfie: handle(DocumentKind::Selfie, 2),
    }
}

fn parsing(criterion: &mut Criterion) {
    let documents = documents();
    let fields = fields(42, &documents);
    let value =
        |field| fields.iter().find(|(name, _)| *name == field).map(|(_, text)| text.as_str());
    let known = [documents.photo_id, documents.selfie];
    criterion.bench_function("parse a form", |bencher| {
        bencher.iter(|| {
            let today = date!(2026 - 01 - 01);
            Form::parse(black_box(&value), CountrySyntax::Combined, today, &known).is_ok()
        });
    });
}

fn best_status(criterion: &mut Criterion) {
    let documents = documents();
    let history: Vec<Submission> = (0..10)
        .filter_map(|number| {
            let at = Timestamp::EARLIEST.plus_millis(number);
            let form = form(u64::from(number), &documents).ok()?;
            Some(Submission::new(form, OsIds.submission_id(at), at))
        })
        .collect();
    criterion.bench_function("best of ten", |bencher| {
        bencher.iter(|| Preference::Best.pick(black_box(&history)).map(Submission::id));
    });
}

fn page(criterion: &mut Criterion) {
    criterion.bench_function("budget of a page of 1,600 items", |bencher| {
        bencher.iter(|| {
            let mut budget = PageBudget::new(1_048_576);
            while budget.take(black_box(650)) {}
            budget.taken()
        });
    });
}

criterion_group!(domain, parsing, best_status, page);
criterion_main!(domain);

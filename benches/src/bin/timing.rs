//! Whether the time of a refusal tells what is right of an API key (T3, G11).
//!
//! ```text
//! cargo run --release -p benches --bin timing -- --samples 1000000
//! ```
//!
//! Refused keys are presented in random turns: with an unknown id, with a wrong secret, and with a
//! secret that is right but for its last character. Each is made anew from one of many keys, so that
//! nothing is measured which one text has by chance. They are compared with Welch's t-test. The slowest
//! tenth of all, which other work of the machine has disturbed, is left out. The exit code is 1 where
//! `|t|` reaches 4.5.
//!
//! The gate takes a tenth of these samples. Its `refusals_take_the_same_time`, of the store, looks for
//! differences that are larger than what else the machine does.

use std::hint::black_box;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use benches::Failure;
use bytes::Bytes;
use clap::Parser;
use hyper::{Request, StatusCode};
use kyc_core::service::{Options, Service};
use kyc_core::{Clock, OsIds, SystemClock};
use kyc_http::Api;
use kyc_store_sqlite::SqliteStore;

/// Compares how long refusals of wrong API keys take.
#[derive(Parser)]
struct Arguments {
    /// How often each kind of key is presented.
    #[arg(long, default_value_t = 100_000)]
    samples: usize,
}

const KINDS: [&str; 3] = ["unknown id", "wrong secret", "secret right but for its end"];

/// How many keys there are to be guessed.
const KEYS: usize = 256;

fn main() -> Result<ExitCode, Failure> {
    let Arguments { samples } = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path(), kyc_store_sqlite::Options::default())?;
    let client = store.add_client(&"acme".parse()?, SystemClock.now())?;
    let keys = (0..KEYS)
        .map(|_| Ok(store.create_key(client.id, SystemClock.now())?.as_str().to_owned()))
        .collect::<Result<Vec<String>, Failure>>()?;

    let store = Arc::new(store);
    let (clock, ids) = (Arc::new(SystemClock), Arc::new(OsIds));
    let (submissions, documents, audit) = (store.clone(), store.clone(), store.clone());
    let options = Options::default();
    let service = Service::new(submissions, documents, store, audit, clock, ids, options);
    let measured = measure(&Api::new(service), &keys, samples)?;

    let mut is_passed = true;
    let mut out = stdout().lock();
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        let (Some(a), Some(b)) = (measured.get(first), measured.get(second)) else { continue };
        let (Some(name), Some(other)) = (KINDS.get(first), KINDS.get(second)) else { continue };
        let error = (a.squared_error + b.squared_error).sqrt();
        let t = (a.mean - b.mean) / error;
        is_passed &= t.abs() < T_MAX;
        let visible = T_MAX * error / a.mean * 100.0;
        writeln!(
            out,
            "t = {t:6.2}  {name} ({:.3} us) and {other} ({:.3} us); {visible:.3} % would show",
            a.mean, b.mean,
        )?;
    }
    let verdict = if is_passed { "passed" } else { "FAILED" };
    writeln!(out, "{verdict}: |t| < {T_MAX} with {samples} samples each")?;
    Ok(if is_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Beyond this, chance is no explanation: one pair in 150,000.
const T_MAX: f64 = 4.5;

/// What ids and secrets are made of.
const ALPHABET: &str = "0123456789abcdefghjkmnpqrstvwxyz";

/// The key with each character of a part changed: its id, its secret, or the last of its secret.
///
/// All kinds are the same work, lest what is measured afterwards shows it.
fn spoil(key: &str, kind: usize, turns: &mut Turns) -> String {
    let secret = key.rfind('_').map_or(0, |before| before + 1);
    let wrong = match kind {
        0 => 0..secret,
        1 => secret..key.len(),
        _ => key.len() - 1..key.len(),
    };
    let change = |(at, right): (usize, char)| {
        let place = ALPHABET.find(right).filter(|_| at >= "kyc_".len());
        let other = place.map(|place| (place + 1 + turns.next(31)) % 32);
        let other = other.and_then(|other| ALPHABET.chars().nth(other)).unwrap_or(right);
        if wrong.contains(&at) { other } else { right }
    };
    key.chars().enumerate().map(change).collect()
}

struct Measured {
    /// Microseconds.
    mean: f64,
    /// The square of the mean's standard error.
    squared_error: f64,
}

fn measure(api: &Api, keys: &[String], samples: usize) -> Result<Vec<Measured>, Failure> {
    let mut taken = vec![Vec::with_capacity(samples); KINDS.len()];
    let mut turns = Turns(0x9E37_79B9_7F4A_7C15);
    while taken.iter().any(|times: &Vec<f64>| times.len() < samples) {
        let (kind, key) = (turns.next(KINDS.len()), turns.next(keys.len()));
        let (Some(key), Some(times)) = (keys.get(key), taken.get_mut(kind)) else { continue };
        let key = spoil(key, kind, &mut turns);
        let request = Request::get("/v2/submissions/resultall").header("x-api-key", key);
        let request = request.body(Bytes::new())?;
        let began = Instant::now();
        let answer = black_box(api.handle(black_box(request)));
        let time = began.elapsed();
        if answer.status() != StatusCode::FORBIDDEN {
            return Err(format!("{} instead of a refusal", answer.status()).into());
        }
        times.push(time.as_secs_f64() * 1e6);
    }
    let mut all: Vec<f64> = taken.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let slow = all.get(all.len() / 10 * 9).copied().unwrap_or(f64::INFINITY);
    Ok(taken.iter().map(|times| Measured::of(times, slow)).collect())
}

impl Measured {
    fn of(times: &[f64], slow: f64) -> Self {
        let kept: Vec<f64> = times.iter().copied().filter(|time| *time < slow).collect();
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
        let count = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / count;
        let variance = kept.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { mean, squared_error: variance / count }
    }
}

/// Whose turn it is, in an order that nothing else follows (xorshift).
struct Turns(u64);

impl Turns {
    fn next(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % count
    }
}

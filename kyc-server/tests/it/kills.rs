//! kill -9 under load (T27): what was acknowledged is there, and nothing is there by half. What was
//! not is sent again under its key (T28): it is there once, and each request has one answer.
//!
//! `KYC_KILLS` says how often; five times unless it is set.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::load::{
    Acknowledged, Load, Stopped, check, check_answers, check_rows, send_again, text,
};
use crate::program::{Site, eventually};

#[test]
fn t27_what_was_acknowledged_survives_kills() {
    let kills: usize =
        std::env::var("KYC_KILLS").map_or(5, |count| count.parse().expect("a count in KYC_KILLS"));
    let site = Site::new();
    let mut service = site.develop();
    let (key, token) = (text(&service.ready["api_key"]), text(&service.ready["inspector_token"]));
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
    let mut number = 0;
    let mut slowest_start = Duration::ZERO;
    for kill in 0..kills {
        let done = Arc::new(AtomicUsize::new(0));
        let ends = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                let load = Load {
                    client: service.client_with(&key),
                    inspector: service.inspector_with(&token),
                    number,
                    acknowledged: Arc::clone(&acknowledged),
                    done: Arc::clone(&done),
                };
                number += 1;
                let ends = &ends;
                scope.spawn(move || run(&load, ends));
            }
            // Each time at another point of the work, down to the microsecond.
            let enough = 10 + kill * 7 % 60;
            eventually(|| done.load(Ordering::Relaxed) >= enough);
            thread::sleep(Duration::from_micros((kill as u64 * 137) % 1_000));
            service.child.kill().unwrap();
            service.child.wait().unwrap();
            ends.store(true, Ordering::Relaxed);
        });
        let killed = Instant::now();
        service = site.develop();
        slowest_start = slowest_start.max(killed.elapsed());
        check_rows(&site.data());
        let log = site.data().join("kyc.sqlite-wal").metadata().map_or(0, |log| log.len());
        assert!(log < LOG_BYTES_MAX, "the log has grown to {log} bytes after {kill} kills");
        let (client, inspector) = (service.client_with(&key), service.inspector_with(&token));
        send_again(&client, &inspector, &mut acknowledged.lock().unwrap());
    }
    eprintln!("{kills} kills; the slowest start took {slowest_start:?}");
    let (client, inspector) = (service.client_with(&key), service.inspector_with(&token));
    let acknowledged = acknowledged.lock().unwrap();
    check_answers(&client, &inspector, &acknowledged);
    check(&client, &inspector, &acknowledged);
    service.stop();
    check_rows(&site.data());
}

/// Goes on until the service is gone.
fn run(load: &Load, ends: &AtomicBool) {
    for round in 0.. {
        match load.round(round) {
            Ok(()) if ends.load(Ordering::Relaxed) => return,
            Ok(()) => (),
            Err(Stopped::Gone) => return,
            Err(Stopped::Refused(answer)) => {
                answer.ok();
            }
        }
    }
}

const THREADS: usize = 4;

/// Where the log is written back, and what is added until then: less than as much again.
const LOG_BYTES_MAX: u64 = 64 << 20;

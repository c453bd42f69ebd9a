//! Driving a server from many connections at once, and what came of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::StatusCode;

use crate::Failure;
use crate::client::{Ask, Target};

/// What came of one drive.
#[derive(Debug, Clone)]
pub struct Outcome {
    sorted_micros: Vec<u32>,
    elapsed: Duration,
}

impl Outcome {
    /// Answers per second.
    pub fn per_second(&self) -> f64 {
        let count = u32::try_from(self.sorted_micros.len()).unwrap_or(u32::MAX);
        f64::from(count) / self.elapsed.as_secs_f64()
    }

    /// The time within which that many of a hundred answers came.
    pub fn percentile(&self, of_hundred: usize) -> Duration {
        let last = self.sorted_micros.len().saturating_sub(1);
        let micros = self.sorted_micros.get(last * of_hundred / 100).copied().unwrap_or(0);
        Duration::from_micros(micros.into())
    }
}

/// Makes the request of a running number.
pub type Requests = Arc<dyn Fn(u64) -> Result<Ask, Failure> + Send + Sync>;

/// Asks over `connections` keep-alive connections for `time`, after a short warm-up. Every answer
/// has to be a 200.
///
/// # Errors
///
/// The first answer that is not, and broken connections.
pub async fn drive(
    target: &Target,
    connections: usize,
    time: Duration,
    requests: Requests,
) -> Result<Outcome, Failure> {
    let next = Arc::new(AtomicU64::new(0));
    let began = Instant::now();
    let warm = began + time / 5;
    let end = warm + time;
    let workers: Vec<_> = (0..connections)
        .map(|_| {
            let (target, requests, next) =
                (target.clone(), Arc::clone(&requests), Arc::clone(&next));
            tokio::spawn(async move {
                let mut connection = target.connect().await?;
                let mut micros = Vec::new();
                loop {
                    let request = requests(next.fetch_add(1, Ordering::Relaxed))?;
                    let asked = Instant::now();
                    if asked >= end {
                        return Ok::<_, Failure>(micros);
                    }
                    let (status, body) = connection.ask(request).await?;
                    if status != StatusCode::OK {
                        let body = String::from_utf8_lossy(&body).into_owned();
                        return Err(format!("status {status}: {body}").into());
                    }
                    if asked >= warm {
                        micros.push(u32::try_from(asked.elapsed().as_micros())?);
                    }
                }
            })
        })
        .collect();
    let mut sorted_micros = Vec::new();
    for worker in workers {
        sorted_micros.append(&mut worker.await??);
    }
    sorted_micros.sort_unstable();
    Ok(Outcome { sorted_micros, elapsed: time })
}

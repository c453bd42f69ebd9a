//! A small interface with a route for each thing that a server must cope with.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};

use bytes::Bytes;
use http::request::Parts;
use http::{Request, Response, StatusCode};
use kyc_http::interface::{Admission, Interface, Refusal, Respond, Runs};

use crate::wire::PATIENCE;

/// Bytes of the largest body that `/echo` and `/gate` take.
pub(crate) const BODY_BYTES_MAX: usize = 200 * 1024;

/// More than the buffers of two sockets hold.
const LARGE_BYTES: usize = 64 * 1024 * 1024;

pub(crate) struct Sample {
    gate: Arc<Gate>,
    /// Kept, so that a thousand who ask for it hold one.
    large: OnceLock<Bytes>,
}

impl Sample {
    pub(crate) fn new(gate: Arc<Gate>) -> Self {
        Self { gate, large: OnceLock::new() }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Route {
    Status,
    Echo,
    Gate,
    Forgotten,
    Large,
    Panic,
}

impl Interface for Sample {
    type Admitted = Route;

    fn admit(&self, head: &Parts) -> Result<Admission<Route>, Response<Bytes>> {
        let (route, admitted, body_bytes_max, runs) = match head.uri.path() {
            "/status" => ("/status", Route::Status, 0, Runs::Inline),
            "/echo" => ("/echo", Route::Echo, BODY_BYTES_MAX, Runs::Inline),
            "/gate" => ("/gate", Route::Gate, BODY_BYTES_MAX, Runs::Blocking),
            "/gate/later" => ("/gate", Route::Gate, BODY_BYTES_MAX, Runs::Later),
            "/forgotten" => ("/forgotten", Route::Forgotten, 0, Runs::Later),
            "/large" => ("/large", Route::Large, 0, Runs::Inline),
            "/panic" => ("/panic", Route::Panic, 0, Runs::Inline),
            "/panic/blocking" => ("/panic/blocking", Route::Panic, 0, Runs::Blocking),
            "/panic/later" => ("/panic", Route::Panic, 0, Runs::Later),
            "/panic/early" => panic!("a fault for a test"),
            _ => return Err(answer(StatusCode::FORBIDDEN, "{\"message\":\"Forbidden\"}")),
        };
        Ok(Admission { admitted, route, body_bytes_max, runs })
    }

    fn answer(&self, route: Route, request: Request<Bytes>) -> Response<Bytes> {
        match route {
            Route::Status => answer(StatusCode::OK, "fine"),
            Route::Echo => Response::new(request.into_body()),
            Route::Gate => {
                self.gate.pass();
                answer(StatusCode::OK, "passed")
            }
            Route::Large => {
                let large = || Bytes::from(vec![b'x'; LARGE_BYTES]);
                Response::new(self.large.get_or_init(large).clone())
            }
            Route::Forgotten | Route::Panic => panic!("a fault for a test"),
        }
    }

    fn answer_later(&self, route: Route, _: Request<Bytes>, respond: Respond) {
        match route {
            Route::Gate => {
                let gate = Arc::clone(&self.gate);
                std::thread::spawn(move || {
                    gate.pass();
                    respond(answer(StatusCode::OK, "passed"));
                });
            }
            Route::Forgotten => drop(respond),
            Route::Status | Route::Echo | Route::Large | Route::Panic => {
                panic!("a fault for a test")
            }
        }
    }

    fn refuse(&self, refusal: Refusal) -> Response<Bytes> {
        answer(refusal.status(), &format!("{{\"message\":\"{refusal}\"}}"))
    }
}

fn answer(status: StatusCode, body: &str) -> Response<Bytes> {
    let mut response = Response::new(Bytes::copy_from_slice(body.as_bytes()));
    *response.status_mut() = status;
    response
}

/// Where answers of `/gate` wait until the test lets them pass.
pub(crate) struct Gate {
    arrivals: Mutex<Sender<()>>,
    passes: Mutex<Receiver<()>>,
}

/// The test's side of a [`Gate`]. Dropped, it lets everything pass.
pub(crate) struct Keeper {
    arrivals: Receiver<()>,
    passes: Sender<()>,
}

impl Gate {
    pub(crate) fn new() -> (Arc<Self>, Keeper) {
        let (arrive, arrivals) = channel();
        let (passes, pass) = channel();
        let gate = Self { arrivals: Mutex::new(arrive), passes: Mutex::new(pass) };
        (Arc::new(gate), Keeper { arrivals, passes })
    }

    fn pass(&self) {
        let _ = self.arrivals.lock().unwrap().send(());
        let _ = self.passes.lock().unwrap().recv();
    }
}

impl Keeper {
    /// Returns when one more answer waits at the gate.
    pub(crate) fn arrival(&self) {
        self.arrivals.recv_timeout(PATIENCE).unwrap();
    }

    /// Lets one answer pass.
    pub(crate) fn pass(&self) {
        self.passes.send(()).unwrap();
    }
}

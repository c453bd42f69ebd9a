//! The interface as a function: request value in, exact answer out. No socket, no runtime.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a wrong fixture or answer ends the test; these are allowed in tests, not in their helpers"
)]

mod support; // two clients, two inspectors, a clock that stands still

mod audit; // what inspectors are shown is recorded
mod auth; // who is let in
mod clients; // existing client programs, replayed
mod documents; // uploads, and which document fits where
mod errors; // failures: status, code, message, fields
mod f1; // the success answers of one generation
mod faults; // when a store fails
mod hostile; // whatever is sent
mod idempotency; // requests that are sent again
mod openapi; // docs/openapi.json against the routes, the lists of values and the answers
mod overposting; // what only the service may say
mod pages; // lists in pages of at most 1 MiB
mod privacy; // nothing that was sent is repeated
mod probes; // questions about the service itself
mod quotas; // what a client may use
mod reads; // lookups and lists
mod review; // the success answers of the inspectors' API
mod routes; // the routing table
mod simulation; // many requests, many failures, one effect each
mod states; // what happens to a submission
mod tenants; // what belongs to another client
mod throttle; // how often somebody may ask
mod v2; // the success answers of the other generation
mod values; // what forms may say

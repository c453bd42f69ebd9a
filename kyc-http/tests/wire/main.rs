//! The server over real sockets: what it refuses, when it cuts, how it stops.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "also outside of test functions, what fails ends the test"
)]

mod bodies; // sizes and rooms of request bodies
mod connections; // keep-alive, caps, panics, stop
mod crowd; // a thousand slow clients at once
mod descriptors; // when the operating system has no more of them
mod framing; // the table of odd requests
mod proxy; // behind a TLS terminator
mod sample; // the interface that is carried here
mod slow; // every deadline
mod tls; // certificates, versions, plain text
mod wire; // a running server, and raw clients

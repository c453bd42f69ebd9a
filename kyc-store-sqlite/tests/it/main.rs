//! The tests of the embedded store.

mod conformance; // the contracts of the ports
mod support; // folders to work in

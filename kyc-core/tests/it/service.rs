//! The use cases, over the stores in memory.

mod audit; // what people are shown leaves a row
mod faults; // what remains when a store fails
mod intake; // upload, submit, renew
mod keeping; // who says how long records are kept
mod monitoring; // later screenings
mod once; // requests that are sent again
mod reads; // status, data, lists
mod resupply; // documents that were asked for again
mod retention; // how long records are kept, and what erases them
mod review; // inspectors
mod screening; // the worker
mod uncertain; // what remains when nobody knows whether the store did it
mod world; // a service to test

//! The use cases, over the stores in memory.

mod audit; // what people are shown leaves a row
mod faults; // what remains when a store fails
mod intake; // upload, submit, renew
mod monitoring; // later screenings
mod reads; // status, data, lists
mod resupply; // documents that were asked for again
mod review; // inspectors
mod screening; // the worker
mod uncertain; // what remains when nobody knows whether the store did it
mod world; // a service to test

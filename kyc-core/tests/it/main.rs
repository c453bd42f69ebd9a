//! What the domain promises, one module per topic.

mod format; // the format of a document, from its bytes
mod ports; // the reference implementations of the ports
mod strategies; // what the strategies for property tests give

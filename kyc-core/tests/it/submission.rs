//! The states of a submission and the transitions between them (D28–D38, D80–D82).

mod hits; // decisions on hits, and later screenings
mod matrix; // which transition is allowed in which state
mod parts; // what can be rebuilt from stored parts
mod properties; // what holds after any changes
mod transitions; // what each transition does

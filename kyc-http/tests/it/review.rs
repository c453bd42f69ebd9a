//! The success answers of the inspectors' API, to the byte (D53).

mod case;
mod decisions;
mod documents;
mod hits;
mod queue;

//! The KYC interface as a function from request to response, and a server that carries it.
//!
//! [`Api`] holds both generations for clients (`/v2`, `/f1`) and the inspectors' API
//! (`/review/v1`): authentication, routing, wire shapes, errors. It knows no socket and no runtime,
//! so it is tested as a function and can be mounted in any server that speaks [`http`].
//!
//! | module | what it holds |
//! |---|---|
//! | (root) | [`Api`]; [`Readiness`], which the embedding program finds out about |
//! | [`interface`] | the seam between an interface and a server |
//! | [`throttle`] | how often somebody may ask |
//! | `server` | hyper, tokio and rustls around an interface (feature `server`, on by default) |
//!
//! What is *not* here: rules (they live in `kyc-core`), storage, lists.

mod api;
mod call;
mod error;
mod f1;
mod form;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod interface;
mod json;
mod multipart;
mod once;
mod path;
mod percent;
mod probe;
mod review;
mod route;
#[cfg(feature = "server")]
pub mod server;
pub mod throttle;
mod upload;
mod v2;

pub use api::{Admitted, Api};
pub use probe::{BackupReadiness, BackupState, ListReadiness, ListState, Readiness};

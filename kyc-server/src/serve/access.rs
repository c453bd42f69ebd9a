//! What is logged of requests and connections: no target, no header field, no address (T23).

use kyc_http::server::Event;

use super::log::RequestLog;

/// Writes one line per request, and per connection that was cut.
pub(super) fn log(requests: &RequestLog, event: &Event<'_>) {
    match event {
        Event::Answered(exchange) => requests.log(exchange),
        Event::Overdue(phase) => tracing::debug!(?phase, "a connection was too slow"),
        Event::HandshakeFailed => tracing::debug!("a TLS handshake failed"),
        Event::TooManyConnections => tracing::warn!("an address has too many connections"),
        Event::AcceptFailed(error) => {
            let error = error.to_string();
            tracing::error!(error, "no connection can be accepted");
        }
        other => tracing::debug!(event = ?other, "event of the server"),
    }
}

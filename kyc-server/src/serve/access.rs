//! What is logged of requests and connections: no target, no header field, no address (T23).

use std::time::Duration;

use kyc_http::server::Event;

/// Writes one line per request, and per connection that was cut.
pub(super) fn log(event: &Event<'_>) {
    match event {
        Event::Answered(exchange) => tracing::info!(
            route = exchange.route.unwrap_or("-"),
            status = exchange.status.as_u16(),
            ms = millis(exchange.duration),
            bytes_in = exchange.body_bytes_received,
            bytes_out = exchange.body_bytes_sent,
            "request"
        ),
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

/// Milliseconds with three decimals.
fn millis(duration: Duration) -> f64 {
    f64::from(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)) / 1_000.0
}

//! The interface inside an axum application, beside routes of one's own.
//!
//! `cargo run -p examples --bin mount_in_axum` serves until Ctrl-C; with `--once` it asks itself
//! one question and ends. Plain HTTP on loopback: TLS, limits and deadlines are axum's and yours
//! here, `kyc-http`'s own server brings them along.

use std::error::Error;
use std::io::{Write, stdout};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use examples::{API_KEY, service_in_memory};
use kyc_http::Api;
use kyc_http::interface::Interface;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (service, _, _) = service_in_memory()?;
    let app = Router::new()
        .route("/about", get(|| async { "an application with KYC inside" }))
        .fallback(carry)
        .with_state(Api::new(service));

    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    writeln!(stdout(), "http://{address}/about, http://{address}/v2/submissions/resultall")?;
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    if std::env::args().any(|argument| argument == "--once") {
        writeln!(stdout(), "{}", ask(address).await?)?;
        return Ok(());
    }
    server.await??;
    Ok(())
}

/// Carries one request. The head is judged before the body is read; answers may wait for a disk.
async fn carry(State(api): State<Api>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let admission = match api.admit(&head) {
        Ok(admission) => admission,
        Err(answer) => return answer.map(Body::from),
    };
    let Ok(body) = to_bytes(body, admission.body_bytes_max).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let request = Request::from_parts(head, body);
    let answer = tokio::task::spawn_blocking(move || api.answer(admission.admitted, request)).await;
    answer.map_or_else(
        |_panicked| StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        |answer: http::Response<Bytes>| answer.map(Body::from),
    )
}

async fn ask(address: std::net::SocketAddr) -> Result<String, std::io::Error> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "GET /v2/submissions/resultall HTTP/1.1\r\nhost: {address}\r\nx-api-key: {API_KEY}\r\n\
         connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

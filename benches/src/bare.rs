//! The bound: hyper and rustls alone, with a fixed answer.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use rustls_pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::Failure;

/// A certificate for the bound, and the file that clients trust it by.
///
/// # Errors
///
/// When it cannot be made.
pub fn certificate() -> Result<(Arc<ServerConfig>, String), Failure> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der())?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((Arc::new(config), made.cert.pem()))
}

/// Serves a fixed body of `answer_bytes` until the process ends; request bodies are read and
/// dropped. Tells `ready` the address.
///
/// # Errors
///
/// When the port cannot be had.
pub async fn serve(
    config: Arc<ServerConfig>,
    answer_bytes: usize,
    ready: impl FnOnce(SocketAddr) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    ready(listener.local_addr()?)?;
    let body = Bytes::from(vec![b'x'; answer_bytes]);
    let acceptor = TlsAcceptor::from(config);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (acceptor, body) = (acceptor.clone(), body.clone());
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(move |request: Request<Incoming>| {
                let body = body.clone();
                async move {
                    let mut incoming = request.into_body();
                    while let Some(Ok(_)) = incoming.frame().await {}
                    Ok::<_, Infallible>(Response::new(Full::new(body)))
                }
            });
            let http = hyper::server::conn::http1::Builder::new();
            drop(http.serve_connection(TokioIo::new(stream), service).await);
        });
    }
}

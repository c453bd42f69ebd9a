//! A request, as the operations see it.

use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http::header::CONTENT_TYPE;
use kyc_core::{ApiKeyId, Caller, IdempotencyKey, KeyedRequest, Service};

use crate::once::{Once, fingerprint};
use crate::path::Path;

/// One admitted request.
pub(crate) struct Call<'a, Who> {
    pub(crate) service: &'a Service,
    pub(crate) caller: &'a Who,
    pub(crate) request: &'a Request<Bytes>,
    pub(crate) key: &'a Option<IdempotencyKey>,
    /// Which of a client's API keys asks.
    pub(crate) api_key: &'a Option<ApiKeyId>,
}

impl<Who> Call<'_, Arc<Who>>
where
    for<'w> Caller: From<&'w Arc<Who>>,
{
    /// How the change that the request asks for is carried out (D98). Path and content say what is
    /// asked for; a route takes one content type only.
    pub(crate) fn once(&self, content: &[&[u8]]) -> Once {
        let Some(key) = self.key else { return Once::always(self.api_key.clone()) };
        let path = Path::parse(self.request.uri().path());
        let path = path.as_ref().map_or_else(|_| Vec::new(), Path::segments);
        let parts = path.iter().map(|segment| segment.as_bytes()).chain(content.iter().copied());
        let (caller, fingerprint) = (self.caller.into(), fingerprint(parts));
        let request = KeyedRequest { caller, key: key.clone(), fingerprint };
        Once::under(request, self.api_key.clone(), self.service)
    }
}

impl<Who> Call<'_, Who> {
    pub(crate) fn body(&self) -> &[u8] {
        self.request.body()
    }

    pub(crate) fn query(&self) -> &str {
        self.request.uri().query().unwrap_or("")
    }

    pub(crate) fn content_type(&self) -> &[u8] {
        self.request.headers().get(CONTENT_TYPE).map_or(b"", |value| value.as_bytes())
    }
}

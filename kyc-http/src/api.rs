//! The whole interface as a function from request to response.

mod demands;

use std::error::Error;
use std::sync::{Arc, mpsc};

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderName, Method, Request, Response};
use kyc_core::{ApiKeyId, Client, IdempotencyKey, Inspector, Service};

use crate::call::Call;
use crate::error::ApiError;
use crate::form::Form;
use crate::interface::{Admission, Interface, Peer, Refusal, Respond, Runs};
use crate::once::idempotency_key;
use crate::probe::{Check, Probe, Readiness};
use crate::route::{ClientRoute, InspectorRoute, Route, SubmitRoute, is_for_inspectors};
use crate::throttle::{Caller, Class, Throttle};
use crate::{f1, review, v2};

/// Hears of every failure whose cause the caller is not told: the request id that the caller got,
/// and the cause.
type Report = Arc<dyn Fn(&str, &(dyn Error + 'static)) + Send + Sync>;

/// The whole interface: both generations for clients, and the inspectors' API.
///
/// Nothing here waits for the network, so a test needs no port and no runtime, and any server that
/// speaks [`http`] can carry it. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
///
/// use bytes::Bytes;
/// use http::{Request, StatusCode};
/// use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
/// use kyc_core::{OsIds, Service, SystemClock, service};
/// use kyc_http::Api;
///
/// let service = Service::new(
///     Arc::new(MemorySubmissions::default()),
///     Arc::new(MemoryDocuments::default()),
///     Arc::new(MemoryDirectory::default()),
///     Arc::new(MemoryAudit::default()),
///     Arc::new(SystemClock),
///     Arc::new(OsIds),
///     service::Options::default(),
/// );
/// let api = Api::new(service);
///
/// let request = Request::get("/v2/submissions/mira@example.org").body(Bytes::new())?;
/// assert_eq!(api.handle(request).status(), StatusCode::FORBIDDEN);
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Clone)]
pub struct Api {
    service: Service,
    report: Report,
    readiness: Option<Check>,
    throttle: Option<Arc<dyn Throttle>>,
}

/// A request whose head is in order: what it asks for, and who asks.
#[derive(Debug)]
pub struct Admitted {
    operation: Operation,
    key: Option<IdempotencyKey>,
    api_key: Option<ApiKeyId>,
}

enum Operation {
    Client(ClientRoute, Arc<Client>),
    Inspector(InspectorRoute, Arc<Inspector>),
    Probe(Probe),
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Paths carry e-mail addresses.
        f.write_str("Operation(***)")
    }
}

impl Api {
    /// Serves `service`.
    pub fn new(service: Service) -> Self {
        Self { service, report: Arc::new(|_, _| ()), readiness: None, throttle: None }
    }

    /// Tells `report` about every failure whose cause the caller is not told (D10): the request id
    /// of the answer, and the cause. Causes carry no personal values.
    #[must_use]
    pub fn with_report(
        mut self,
        report: impl Fn(&str, &(dyn Error + 'static)) + Send + Sync + 'static,
    ) -> Self {
        self.report = Arc::new(report);
        self
    }

    /// Answers `GET /readyz` with what `readiness` finds out (D78). It may wait for a disk, and is
    /// called for everybody who asks. Without it there is no such path.
    #[must_use]
    pub fn with_readiness(
        mut self,
        readiness: impl Fn() -> Readiness + Send + Sync + 'static,
    ) -> Self {
        self.readiness = Some(Arc::new(readiness));
        self
    }

    /// Asks `throttle` before it takes a request (D101). Without one, every request is taken.
    #[must_use]
    pub fn with_throttle(mut self, throttle: impl Throttle + 'static) -> Self {
        self.throttle = Some(Arc::new(throttle));
        self
    }

    /// Answers one request. Blocks while the store works.
    ///
    /// The body is expected to be gathered already; one over the route's limit is refused here
    /// too, for callers that bring no limits of their own.
    pub fn handle(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, body) = request.into_parts();
        match self.admit(&head) {
            Err(answer) => answer,
            Ok(admission) if body.len() > admission.body_bytes_max => {
                self.refuse(Refusal::TooLarge)
            }
            Ok(admission) => self.answer(admission.admitted, Request::from_parts(head, body)),
        }
    }

    fn respond(&self, outcome: Result<Response<Bytes>, ApiError>) -> Response<Bytes> {
        outcome.unwrap_or_else(|error| {
            let request_id = self.service.reference();
            if let ApiError::Internal(cause) = &error {
                (self.report)(request_id.as_str(), cause.as_ref());
            }
            error.response(request_id.as_str(), self.service.now())
        })
    }

    fn check(&self, head: &Parts) -> Result<Admission<Admitted>, ApiError> {
        let path = head.uri.path();
        // Credentials come first, before the route or anything else is looked at (D6); two
        // questions about the service itself need none (D78).
        let operation = if let Some(probe) = Probe::of(head, self.readiness.as_ref()) {
            Operation::Probe(probe)
        } else if is_for_inspectors(path) {
            let inspector = self.let_in(head, self.inspector(&head.headers))?;
            self.count(head, Caller::Inspector(&inspector.name), Class::Review)?;
            match Route::of(&head.method, path)? {
                Route::Inspector(route) => Operation::Inspector(route, inspector),
                Route::Client(_) => return Err(ApiError::NotFound),
            }
        } else {
            let client = self.let_in(head, self.client(&head.headers))?;
            let route = Route::of(&head.method, path);
            let class = route.as_ref().map_or(Class::Read, |route| demands::class(route, head));
            self.count(head, Caller::Client(client.id), class)?;
            match route? {
                Route::Client(route) => Operation::Client(route, client),
                Route::Inspector(_) => return Err(ApiError::NotFound),
            }
        };
        let (body, runs) = match &operation {
            Operation::Client(route, _) => demands::of_client(route, head, &self.service),
            Operation::Inspector(route, _) => (demands::of_inspector(route), Runs::Blocking),
            Operation::Probe(probe) => (demands::Body::Nothing, probe.runs()),
        };
        demands::check_content_type(&head.headers, &body)?;
        let is_change = head.method == Method::POST;
        let key = if is_change { idempotency_key(&head.headers)? } else { None };
        let body_bytes_max = body.bytes_max();
        if demands::declared_length(&head.headers).is_some_and(|length| length > body_bytes_max) {
            return Err(ApiError::TooLarge);
        }
        if let Operation::Client(route, client) = &operation
            && route.is_upload()
            && self.service.reads_are_local()
            // A retry gets the answer of the first time, which may have taken the last room.
            && key.is_none()
        {
            self.service.check_room(client.id)?;
        }
        let route = operation.template();
        let api_key = match &operation {
            Operation::Client(..) => sole_header(&head.headers, &X_API_KEY)
                .and_then(|api_key| self.service.id_of_key(api_key)),
            Operation::Inspector(..) | Operation::Probe(_) => None,
        };
        let admitted = Admitted { operation, key, api_key };
        Ok(Admission { admitted, route, body_bytes_max, runs })
    }

    /// Counts whoever is not let in.
    fn let_in<T>(&self, head: &Parts, known: Result<T, ApiError>) -> Result<T, ApiError> {
        if let (Err(ApiError::Forbidden), Some(throttle)) = (&known, &self.throttle) {
            throttle.refuse(head.extensions.get().copied())?;
        }
        known
    }

    /// Counts a request of somebody who was let in.
    fn count(&self, head: &Parts, caller: Caller<'_>, class: Class) -> Result<(), ApiError> {
        let peer: Option<Peer> = head.extensions.get().copied();
        match &self.throttle {
            Some(throttle) => Ok(throttle.admit(caller, class, peer)?),
            None => Ok(()),
        }
    }

    fn client(&self, headers: &HeaderMap) -> Result<Arc<Client>, ApiError> {
        let key = sole_header(headers, &X_API_KEY).ok_or(ApiError::Forbidden)?;
        self.service.client_of_key(key)?.ok_or(ApiError::Forbidden)
    }

    fn inspector(&self, headers: &HeaderMap) -> Result<Arc<Inspector>, ApiError> {
        let token = sole_header(headers, &AUTHORIZATION)
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token)
            .ok_or(ApiError::Forbidden)?;
        self.service.inspector_of_token(token)?.ok_or(ApiError::Forbidden)
    }
}

impl Interface for Api {
    type Admitted = Admitted;

    fn admit(&self, head: &Parts) -> Result<Admission<Admitted>, Response<Bytes>> {
        self.check(head).map_err(|error| self.respond(Err(error)))
    }

    fn answer(&self, admitted: Admitted, request: Request<Bytes>) -> Response<Bytes> {
        let Admitted { operation, key, api_key } = &admitted;
        let outcome = match operation {
            Operation::Client(route, client) => {
                let (service, request) = (&self.service, &request);
                let call = Call { service, caller: client, request, key, api_key };
                match route {
                    ClientRoute::V2Upload => v2::upload(&call),
                    ClientRoute::Submit(route) => submit_and_wait(*route, &call),
                    ClientRoute::V2Renew { email, id } => v2::renew(&call, email, id),
                    ClientRoute::V2Documents { email, id } => v2::documents(&call, email, id),
                    ClientRoute::V2Status { email, id } => v2::status(&call, email, id.as_deref()),
                    ClientRoute::V2Data { email, id } => v2::data(&call, email, id.as_deref()),
                    ClientRoute::V2List => v2::list(&call),
                    ClientRoute::F1Upload => f1::upload(&call),
                    ClientRoute::F1Read => f1::read(&call),
                }
            }
            Operation::Inspector(route, inspector) => {
                let (service, request) = (&self.service, &request);
                let call = Call { service, caller: inspector, request, key, api_key };
                match route {
                    InspectorRoute::Queue => review::queue(&call),
                    InspectorRoute::Case { id } => review::case(&call, id),
                    InspectorRoute::Certificate { id } => review::certificate(&call, id),
                    InspectorRoute::Document { id, field } => review::document(&call, id, field),
                    InspectorRoute::Decide { id, decision } => review::decide(&call, id, *decision),
                }
            }
            Operation::Probe(probe) => Ok(probe.answer()),
        };
        self.respond(outcome)
    }

    fn answer_later(&self, admitted: Admitted, request: Request<Bytes>, respond: Respond) {
        let Operation::Client(ClientRoute::Submit(route), client) = &admitted.operation else {
            return respond(self.answer(admitted, request));
        };
        let api = self.clone();
        let (service, key, api_key) = (&self.service, &admitted.key, &admitted.api_key);
        let call = Call { service, caller: client, request: &request, key, api_key };
        submit(*route, &call, move |answer| respond(api.respond(answer)));
    }

    fn refuse(&self, refusal: Refusal) -> Response<Bytes> {
        self.respond(Err(refusal.into()))
    }
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api").field("service", &self.service).finish_non_exhaustive()
    }
}

impl Operation {
    fn template(&self) -> &'static str {
        match self {
            Self::Client(route, _) => route.template(),
            Self::Inspector(route, _) => route.template(),
            Self::Probe(probe) => probe.template(),
        }
    }
}

fn submit(
    route: SubmitRoute,
    call: &Call<'_, Arc<Client>>,
    then: impl FnOnce(Result<Response<Bytes>, ApiError>) + Send + 'static,
) {
    let form = match Form::parse(call.body()) {
        Ok(form) => form,
        Err(error) => return then(Err(error.into())),
    };
    match route {
        SubmitRoute::V2 => v2::submit(call, &form, then),
        SubmitRoute::V2AmlOnly => v2::submit_aml_only(call, &form, then),
        SubmitRoute::F1 => f1::submit(call, &form, then),
    }
}

fn submit_and_wait(
    route: SubmitRoute,
    call: &Call<'_, Arc<Client>>,
) -> Result<Response<Bytes>, ApiError> {
    let (sender, answer) = mpsc::sync_channel(1);
    submit(route, call, move |answer| drop(sender.send(answer)));
    answer.recv().unwrap_or_else(|dropped| Err(ApiError::Internal(Box::new(dropped))))
}

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The text of a header that must be there exactly once.
fn sole_header<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

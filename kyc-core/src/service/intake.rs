use super::prepared::Write;
use super::{DocumentRefused, Error, Prepared, Service};
use crate::field::Reader;
use crate::form::optional_document;
use crate::{
    Client, ClientId, CountrySyntax, Document, DocumentHandle, DocumentKind, Email, Field,
    FileFormat, Forbidden, Form, Lookup, Preference, Reason, Slot, Spelling, Submission,
    SubmissionId, Values,
};

impl Service {
    /// Whether a client may upload anything now: asked before a file is received.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::client;
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// assert!(service().check_room(client(1)).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UsedUp`] if not.
    pub fn check_room(&self, client: ClientId) -> Result<(), Error> {
        Ok(self.documents.check_room(client, self.now_of(client)?)?)
    }

    /// Stores an uploaded document.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::client_record;
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{DocumentKind, FileFormat, Spelling};
    ///
    /// let (client, kind) = (client_record(1), DocumentKind::Address);
    /// let document = service().upload(&client, kind, Spelling::Joined, b"%PDF-1.4")?;
    /// assert_eq!((document.format, document.size_bytes), (FileFormat::Pdf, 8));
    /// assert!(document.handle.to_text().starts_with(client.prefix.as_str()));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Document`] if the file is too large or of no accepted format, and
    /// [`Error::UsedUp`]; nothing is stored then.
    pub fn upload(
        &self,
        client: &Client,
        kind: DocumentKind,
        spelling: Spelling,
        bytes: &[u8],
    ) -> Result<Document, Error> {
        self.prepare_upload(client, kind, spelling, bytes)?.store()
    }

    /// As [`upload`](Self::upload), without storing it yet.
    ///
    /// # Errors
    ///
    /// [`Error::Document`].
    pub fn prepare_upload<'s>(
        &'s self,
        client: &Client,
        kind: DocumentKind,
        spelling: Spelling,
        bytes: &'s [u8],
    ) -> Result<Prepared<'s, Document>, Error> {
        let bytes_max = self.options.document_bytes_max;
        let size_bytes = u32::try_from(bytes.len())
            .ok()
            .filter(|size| *size <= bytes_max)
            .ok_or(DocumentRefused::TooLarge { bytes_max })?;
        let format = FileFormat::of(bytes).map_err(DocumentRefused::from)?;
        if kind == DocumentKind::Selfie && format == FileFormat::Pdf {
            return Err(DocumentRefused::SelfieNoImage.into());
        }
        let created_at = self.now_of(client.id)?;
        let id = self.ids.document_id(created_at);
        let handle = DocumentHandle::new(client.prefix, kind, spelling, id);
        let document = Document { handle, created_at, format, size_bytes };
        let write = Write::Put(|document| document, bytes);
        Ok(Prepared { service: self, client: client.id, value: document, write })
    }

    /// Stores a form for review. Its documents were [uploaded](Self::upload) before.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, client_record, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, DocumentKind, Field, Spelling, Status};
    ///
    /// let service = service();
    /// let upload = |kind, bytes| service.upload(&client_record(1), kind, Spelling::Joined, bytes);
    /// let passport = upload(DocumentKind::Passport, b"%PDF-1.4")?.handle.to_text();
    /// let jpeg = b"\xFF\xD8\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00";
    /// let selfie = upload(DocumentKind::Selfie, jpeg)?.handle.to_text();
    ///
    /// let values = |field| match field {
    ///     Field::IdType => Some("passport"),
    ///     Field::KycLevel => Some("L1"),
    ///     Field::PhotoId => Some(passport.as_str()),
    ///     Field::Selfie => Some(selfie.as_str()),
    ///     other => sent(other),
    /// };
    /// let submission = service.submit(client(1), &values, CountrySyntax::Combined)?;
    /// assert_eq!(submission.status(), Status::Pending);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Form`] with every problem, handles of unknown and of other clients' documents
    /// among them; nothing is stored then.
    pub fn submit(
        &self,
        client: ClientId,
        values: Values<'_>,
        countries: CountrySyntax,
    ) -> Result<Submission, Error> {
        self.prepare_form(client, values, countries)?.store()
    }

    /// As [`submit`](Self::submit), without storing it yet.
    ///
    /// # Errors
    ///
    /// [`Error::Form`].
    pub fn prepare_form(
        &self,
        client: ClientId,
        values: Values<'_>,
        countries: CountrySyntax,
    ) -> Result<Prepared<'_, Submission>, Error> {
        let at = self.now_of(client)?;
        let documents = self.known_documents(client, values)?;
        let form = Form::parse(values, countries, at.date(), &documents).map_err(Error::Form)?;
        Ok(self.new_submission(client, Submission::new(form, self.ids.submission_id(at), at)))
    }

    /// Stores an AML-only form and queues its screening.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{Aml, CountrySyntax};
    ///
    /// let submission = service().submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// assert_eq!(submission.review().aml(), Some(&Aml::Queued));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Form`] with every problem; nothing is stored then.
    pub fn submit_aml_only(
        &self,
        client: ClientId,
        values: Values<'_>,
        countries: CountrySyntax,
    ) -> Result<Submission, Error> {
        self.prepare_aml_only(client, values, countries)?.store()
    }

    /// As [`submit_aml_only`](Self::submit_aml_only), without storing it yet.
    ///
    /// # Errors
    ///
    /// [`Error::Form`].
    pub fn prepare_aml_only(
        &self,
        client: ClientId,
        values: Values<'_>,
        countries: CountrySyntax,
    ) -> Result<Prepared<'_, Submission>, Error> {
        let at = self.now_of(client)?;
        let form = Form::parse_aml_only(values, countries, at.date()).map_err(Error::Form)?;
        Ok(self.new_submission(client, Submission::new(form, self.ids.submission_id(at), at)))
    }

    /// Renews the AML result of an approved submission: a new submission, queued for screening
    /// (D38).
    ///
    /// ```
    /// use kyc_core::CountrySyntax;
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// let service = service();
    /// let old = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let renewed = service.renew(client(1), &old.form().email, old.id())?;
    /// assert_eq!(renewed.renewed_from(), Some(old.id()));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], and [`Error::Forbidden`] if it is not approved; nothing is stored then.
    pub fn renew(
        &self,
        client: ClientId,
        email: &Email,
        id: SubmissionId,
    ) -> Result<Submission, Error> {
        self.prepare_renewal(client, email, id)?.store()
    }

    /// As [`renew`](Self::renew), without storing it yet.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] and [`Error::Forbidden`].
    pub fn prepare_renewal(
        &self,
        client: ClientId,
        email: &Email,
        id: SubmissionId,
    ) -> Result<Prepared<'_, Submission>, Error> {
        let renewed = self.one(client, email, id)?;
        let at = self.now_of(client)?;
        let submission = renewed.renew(self.ids.submission_id(at), at)?;
        Ok(self.new_submission(client, submission))
    }

    /// Supplies documents that were asked for again (D30).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::service::Error;
    /// use kyc_core::{CountrySyntax, Forbidden};
    ///
    /// let service = service();
    /// let submission = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let (email, id) = (&submission.form().email, submission.id());
    /// let refused = service.supply_documents(client(1), email, id, &|_| None);
    /// assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NothingMissing))));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Form`] if no document is given or one does not fit;
    /// [`Error::Forbidden`] if one was not asked for. Nothing has changed then.
    pub fn supply_documents(
        &self,
        client: ClientId,
        email: &Email,
        id: SubmissionId,
        values: Values<'_>,
    ) -> Result<Submission, Error> {
        self.prepare_documents(client, email, id, values)?.store()
    }

    /// As [`supply_documents`](Self::supply_documents), without storing it yet.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], [`Error::Form`] and [`Error::Forbidden`].
    pub fn prepare_documents(
        &self,
        client: ClientId,
        email: &Email,
        id: SubmissionId,
        values: Values<'_>,
    ) -> Result<Prepared<'_, Submission>, Error> {
        let submission = self.one(client, email, id)?;
        let known = self.known_documents(client, values)?;
        let mut reader = Reader::new(values);
        let slots = [
            (Slot::PhotoId, Field::PhotoId),
            (Slot::Selfie, Field::Selfie),
            (Slot::AddressProof, Field::AddressProof),
        ];
        if slots.iter().all(|(_, field)| reader.text(*field).is_none()) {
            // With nothing sent, what is missing is whatever was asked for.
            let missing = submission.review().missing();
            if missing.is_empty() {
                return Err(Forbidden::NothingMissing.into());
            }
            for (_, field) in slots.iter().filter(|(slot, _)| missing.contains(*slot)) {
                reader.refuse(*field, Reason::Missing);
            }
        }
        let supplied = slots.map(|(slot, field)| {
            optional_document(&mut reader, field, &known).map(|handle| (slot, handle))
        });
        let supplied = reader.finish(Some(supplied)).map_err(Error::Form)?;
        let supplied: Vec<_> = supplied.into_iter().flatten().collect();
        let submission = submission.supply(self.now_of(client)?, &supplied)?;
        let write = Write::Replace(|submission| submission);
        Ok(Prepared { service: self, client, value: submission, write })
    }

    /// The client's own documents among those that a form refers to.
    fn known_documents(
        &self,
        client: ClientId,
        values: Values<'_>,
    ) -> Result<Vec<DocumentHandle>, Error> {
        let mut known = Vec::new();
        for field in Field::HANDLES {
            let Some(handle) = values(field).and_then(|text| text.trim().parse().ok()) else {
                continue;
            };
            let handle: DocumentHandle = handle;
            let document = self.documents.find(client, handle.id())?;
            // The whole handle has to be right, not the id alone.
            if document.is_some_and(|document| document.handle == handle) {
                known.push(handle);
            }
        }
        Ok(known)
    }

    fn one(&self, client: ClientId, email: &Email, id: SubmissionId) -> Result<Submission, Error> {
        let lookup = Lookup { email: Some(email), id: Some(id), user_id: None };
        self.submissions.find(client, &lookup, Preference::Latest)?.ok_or(Error::NotFound)
    }

    fn new_submission(&self, client: ClientId, value: Submission) -> Prepared<'_, Submission> {
        Prepared { service: self, client, value, write: Write::Insert(|submission| submission) }
    }
}

use std::sync::Arc;

use super::{Error, Service};
use crate::{
    ApiKeyId, Client, ClientId, Duplicate, Inspector, Listing, Lookup, PageKey, Preference,
    Submission, Visit,
};

impl Service {
    /// The client whose API key this is.
    ///
    /// ```
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// assert!(service().client_of_key("key 1")?.is_some());
    /// assert!(service().client_of_key("key 3")?.is_none());
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, Error> {
        Ok(self.directory.client_of_key(key)?)
    }

    /// What the audit calls a key that a client has.
    pub fn id_of_key(&self, key: &str) -> Option<ApiKeyId> {
        self.directory.id_of_key(key)
    }

    /// The inspector whose token this is.
    ///
    /// ```
    /// use kyc_core::conformance::stand_in::service;
    ///
    /// let inspector = service().inspector_of_token("token")?;
    /// assert!(inspector.is_some_and(|inspector| inspector.name.as_str() == "ines"));
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, Error> {
        Ok(self.directory.inspector_of_token(token)?)
    }

    /// The submission that speaks for the applicant, and the same person's submissions under other
    /// addresses (rule 5 of the interface, D31, D39, D49).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::service::Error;
    /// use kyc_core::{CountrySyntax, Lookup, Status};
    ///
    /// let service = service();
    /// let sent = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let lookup = Lookup { email: Some(&sent.form().email), ..Lookup::default() };
    /// let (best, duplicates) = service.status(client(1), &lookup)?;
    /// assert_eq!((best.status(), duplicates.len()), (Status::Approved, 0));
    /// assert!(matches!(service.status(client(2), &lookup), Err(Error::NotFound)));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] when no submission of the client matches.
    pub fn status(
        &self,
        client: ClientId,
        lookup: &Lookup<'_>,
    ) -> Result<(Submission, Vec<Duplicate>), Error> {
        self.submissions
            .find_with_duplicates(client, lookup, Preference::Best)?
            .ok_or(Error::NotFound)
    }

    /// The most recent submission that matches.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, Lookup};
    ///
    /// let service = service();
    /// let first = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let second = service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// let lookup = Lookup { email: Some(&first.form().email), ..Lookup::default() };
    /// assert_eq!(service.latest(client(1), &lookup)?, second);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] when no submission of the client matches.
    pub fn latest(&self, client: ClientId, lookup: &Lookup<'_>) -> Result<Submission, Error> {
        self.submissions.find(client, lookup, Preference::Latest)?.ok_or(Error::NotFound)
    }

    /// Shows the client's submissions in the order of creation until `visit` breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use kyc_core::conformance::fixture::{client, sent};
    /// use kyc_core::conformance::stand_in::service;
    /// use kyc_core::{CountrySyntax, Listed, PageBudget};
    ///
    /// let service = service();
    /// for _ in 0..3 {
    ///     service.submit_aml_only(client(1), &sent, CountrySyntax::Combined)?;
    /// }
    /// // A page of 100 bytes, where each name counts 40.
    /// let mut budget = PageBudget::new(100);
    /// let mut visit = |_: &Listed<'_>| {
    ///     if budget.take(40) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// };
    /// service.list(client(1), None, &mut visit)?;
    /// assert_eq!(budget.taken(), 2);
    /// # Ok::<(), kyc_core::service::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPageKey`]; nothing was shown then.
    pub fn list(
        &self,
        client: ClientId,
        after: Option<&PageKey>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        match self.submissions.list(client, after, visit)? {
            Listing::Shown => Ok(()),
            Listing::UnknownKey => Err(Error::UnknownPageKey),
        }
    }

    /// Whether status and data reads, and writes [with a `then`](super::Prepared::store_then), may be
    /// called where nothing may wait.
    pub fn reads_are_local(&self) -> bool {
        self.submissions.reads_are_local()
    }
}

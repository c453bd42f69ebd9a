use std::sync::Arc;

use super::{Error, Service};
use crate::{
    Client, ClientId, Duplicate, Inspector, Listing, Lookup, PageKey, Preference, Submission, Visit,
};

impl Service {
    /// The client whose API key this is.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    pub fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, Error> {
        Ok(self.directory.client_of_key(key)?)
    }

    /// The inspector whose token this is.
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
    /// # Errors
    ///
    /// [`Error::NotFound`] when no submission of the client matches.
    pub fn latest(&self, client: ClientId, lookup: &Lookup<'_>) -> Result<Submission, Error> {
        self.submissions.find(client, lookup, Preference::Latest)?.ok_or(Error::NotFound)
    }

    /// Shows the client's submissions in the order of creation until `visit` breaks.
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

    /// Whether status and data reads may be called where nothing may wait.
    pub fn reads_are_local(&self) -> bool {
        self.submissions.reads_are_local()
    }
}

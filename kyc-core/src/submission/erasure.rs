use super::Submission;
use crate::{Actor, DocumentId, Event, Forbidden, Retake, Review, Scope, Slot, Timestamp};

impl Submission {
    /// One document of the submission is erased (D30, D120). If it stood in a slot, the submission
    /// lacks it from then on and is incomplete until another one is supplied; an extra image is just
    /// gone, and so is a document that another one took the place of.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{document_id, sample, time};
    /// use kyc_core::{Actor, Slot, Status};
    ///
    /// let selfie = sample().document(Slot::Selfie).map(|selfie| selfie.id()).ok_or("a selfie")?;
    /// let erased = sample().erase_document(Actor::Operator, time(60), selfie)?;
    /// assert_eq!((erased.status(), erased.document(Slot::Selfie)), (Status::Incomplete, None));
    /// assert!(!erased.documents().contains(&selfie), "nothing refers to it any more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NoSuchDocument`]; [`Forbidden::Held`] while a hold stands;
    /// [`Forbidden::DecisionRests`] if approved or rejected.
    pub fn erase_document(
        mut self,
        by: Actor,
        at: Timestamp,
        document: DocumentId,
    ) -> Result<Self, Forbidden> {
        if !self.documents().contains(&document) {
            return Err(Forbidden::NoSuchDocument);
        }
        if self.hold().is_some_and(|hold| hold.until.is_none_or(|last| at.date() <= last)) {
            return Err(Forbidden::Held);
        }
        let comment = match &self.review {
            Review::Pending => None,
            Review::Incomplete(retake) => retake.comment.clone(),
            Review::Approved(_) | Review::Rejected(_) => return Err(Forbidden::DecisionRests),
        };
        let Scope::Identity(known) = &mut self.form.scope else {
            return Err(Forbidden::NoSuchDocument);
        };
        for image in &mut known.extra_images {
            image.take_if(|image| image.id() == document);
        }
        let stands_in =
            |slot: &Slot| known.evidence.document(*slot).is_some_and(|it| it.id() == document);
        let slot = Slot::ALL.into_iter().find(stands_in);
        if slot.is_some() {
            let missing = self.review.missing().iter().chain(slot).collect();
            self.review = Review::Incomplete(Retake { at, missing, comment });
        }
        Ok(self.changed(at, by, Event::DocumentErased { document, slot }))
    }

    /// Whether a document of the submission was erased. It may still be named as what stood in a
    /// slot that is missing now, or as what another one took the place of.
    pub fn has_erased(&self, document: DocumentId) -> bool {
        self.history.iter().any(|entry| {
            matches!(entry.event, Event::DocumentErased { document: erased, .. } if erased == document)
        })
    }

    /// Whether every slot whose document was erased is missing.
    pub(super) fn lacks_what_was_erased(&self) -> bool {
        let missing = self.review.missing();
        let Some(known) = self.form.identification() else { return true };
        Slot::ALL.into_iter().all(|slot| {
            let document = known.evidence.document(slot);
            missing.contains(slot) || !document.is_some_and(|it| self.has_erased(it.id()))
        })
    }
}

//! Document handles and ids: each has one text, and says nothing about itself in a log.

#![no_main]

use kyc_core::{DocumentHandle, DocumentId, SubmissionId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(handle) = text.parse::<DocumentHandle>() {
        assert_eq!(handle.to_text(), text);
        let id = handle.id().text();
        assert!(text.ends_with(id.as_str()));
        assert_eq!(id.as_str().parse(), Ok(handle.id()));
        assert!(!format!("{handle:?}").contains(id.as_str()));
    }
    if let Ok(id) = text.parse::<DocumentId>() {
        assert_eq!(id.text().as_str(), text);
    }
    if let Ok(id) = text.parse::<SubmissionId>() {
        assert_eq!(id.text().as_str(), text);
    }
});

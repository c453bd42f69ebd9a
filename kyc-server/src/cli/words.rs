//! Words of the domain, as commands write them.

use kyc_core::RiskLevel;

/// The word for a verdict; `-` where there is none (D34).
pub(super) fn risk(risk: Option<RiskLevel>) -> &'static str {
    match risk {
        None => "-",
        Some(RiskLevel::NotApplicable) => "n/a",
        Some(RiskLevel::Low) => "low",
        Some(RiskLevel::Medium) => "medium",
        Some(RiskLevel::High) => "high",
    }
}

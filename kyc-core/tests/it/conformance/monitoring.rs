use std::sync::{Arc, Mutex, PoisonError};

use kyc_core::conformance::{monitoring, monitoring_survives};
use kyc_core::{Monitoring, MonitoringState, StoreError, Walk};

use super::finds;

/// What a store does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    TakesAnything,
    ComparesTheCoveredAlone,
    RefusesAndStores,
    ForgetsThePlace,
    ForgetsTheWalk,
}

#[derive(Clone, Default)]
struct Broken {
    fault: Option<Fault>,
    state: Arc<Mutex<MonitoringState>>,
}

impl Broken {
    fn with(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }
}

impl Monitoring for Broken {
    fn monitoring(&self) -> Result<MonitoringState, StoreError> {
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn advance_monitoring(
        &self,
        before: &MonitoringState,
        after: &MonitoringState,
    ) -> Result<(), StoreError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_expected = match self.fault {
            Some(Fault::TakesAnything) => true,
            Some(Fault::ComparesTheCoveredAlone) => state.covered == before.covered,
            _ => *state == *before,
        };
        let after = after.clone();
        let under_way = after.under_way.filter(|_| self.fault != Some(Fault::ForgetsTheWalk));
        let under_way = under_way.map(|walk| match self.fault {
            Some(Fault::ForgetsThePlace) => Walk { after: None, ..walk },
            _ => walk,
        });
        if is_expected || self.fault == Some(Fault::RefusesAndStores) {
            *state = MonitoringState { under_way, ..after };
        }
        if is_expected { Ok(()) } else { Err(StoreError::Stale) }
    }
}

#[test]
fn a_store_without_a_fault_passes() {
    monitoring(Broken::default);
    let kept = Broken::default();
    monitoring_survives(|| kept.clone());
}

#[test]
fn every_fault_of_a_store_is_found() {
    for fault in [
        Fault::TakesAnything,
        Fault::ComparesTheCoveredAlone,
        Fault::RefusesAndStores,
        Fault::ForgetsThePlace,
        Fault::ForgetsTheWalk,
    ] {
        finds(&format!("{fault:?}"), || monitoring(|| Broken::with(fault)));
    }
    finds("everything is lost", || monitoring_survives(Broken::default));
}

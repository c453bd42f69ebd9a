//! What `kyc verify` and `kyc restore` check, and how they tell of it.

use indicatif::{ProgressBar, ProgressStyle};
use kyc_core::StoreError;
use kyc_store_sqlite::{Checked, Told};
use serde::Serialize;

use crate::exit::{Code, Failure};
use crate::output::{self, talk};

/// What came of all checks of one store.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) checks: Vec<Line>,
    /// The first faults.
    pub(crate) faults: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Line {
    check: String,
    count: u64,
    faults: u64,
}

impl Report {
    /// Reports on a verification. Faults are told as they are found.
    pub(crate) fn of(
        verify: impl FnOnce(&mut dyn FnMut(Told)) -> Result<Vec<Checked>, StoreError>,
        bar: &ProgressBar,
    ) -> Result<Self, Failure> {
        let mut faults = Vec::new();
        let checked = verify(&mut |told| match told {
            Told::Looked(check, count) => {
                bar.set_message(check.to_string());
                bar.inc(count);
            }
            Told::Fault(fault) => {
                bar.suspend(|| talk(format_args!("fault: {fault}")));
                if faults.len() < FAULTS_MAX {
                    faults.push(fault.to_string());
                }
            }
        })?;
        bar.finish_and_clear();
        Ok(Self { checks: checked.into_iter().map(Line::of).collect(), faults })
    }

    /// How many faults there are.
    pub(crate) fn count(&self) -> u64 {
        self.checks.iter().map(|line| line.faults).sum()
    }

    pub(crate) fn table(&self) -> String {
        let row =
            |line: &Line| [line.check.clone(), line.count.to_string(), line.faults.to_string()];
        output::table(
            ["CHECKED", "COUNT", "FAULTS"],
            &self.checks.iter().map(row).collect::<Vec<_>>(),
        )
    }

    /// Fails where there is a fault.
    pub(crate) fn outcome(&self, what: &str) -> Result<(), Failure> {
        match self.count() {
            0 => Ok(()),
            1 => Err(Failure::new(Code::Fault, format!("{what} has a fault"))),
            count => Err(Failure::new(Code::Fault, format!("{what} has {count} faults"))),
        }
    }
}

impl Line {
    fn of(checked: Checked) -> Self {
        let Checked { check, count, faults } = checked;
        Self { check: check.to_string(), count, faults }
    }
}

/// Drawn on a terminal alone.
pub(crate) fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {msg} {human_pos}, {per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Drawn on a terminal alone, for bytes whose number is known.
pub(crate) fn bar_of_bytes() -> ProgressBar {
    let bar = ProgressBar::new(0);
    match ProgressStyle::with_template(
        "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta}",
    ) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// More are counted and told, and not kept.
const FAULTS_MAX: usize = 1_000;

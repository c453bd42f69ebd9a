//! What a long run says of a figure: where it goes, and how sure that is.

use std::time::Duration;

/// Figures over time.
///
/// ```
/// use std::time::Duration;
///
/// use benches::trend::Trend;
///
/// let mut memory = Trend::default();
/// for minute in 0..60_u32 {
///     memory.note(Duration::from_secs(60) * minute, 100.0 + f64::from(minute));
/// }
/// assert!((memory.per_hour() - 60.0).abs() < 0.001, "one more each minute");
/// assert!(memory.doubt_per_hour() < 0.001);
/// assert_eq!(memory.early(), 110.0, "the middle one of the first third");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Trend(Vec<(f64, f64)>);

impl Trend {
    /// Takes note of a figure.
    pub fn note(&mut self, at: Duration, figure: f64) {
        self.0.push((at.as_secs_f64() / 3_600.0, figure));
    }

    /// By how much it grows in an hour: the straight line with the least squares.
    pub fn per_hour(&self) -> f64 {
        let (mean_hour, mean) = self.means();
        let products = self.0.iter().map(|(hour, figure)| (hour - mean_hour) * (figure - mean));
        products.sum::<f64>() / self.spread()
    }

    /// The standard error of [`per_hour`](Self::per_hour).
    pub fn doubt_per_hour(&self) -> f64 {
        let ((mean_hour, mean), slope) = (self.means(), self.per_hour());
        let rest = |(hour, figure): &(f64, f64)| figure - mean - slope * (hour - mean_hour);
        let squares: f64 = self.0.iter().map(|point| rest(point).powi(2)).sum();
        (squares / (self.count() - 2.0).max(1.0) / self.spread()).sqrt()
    }

    /// The middle figure of the first third.
    pub fn early(&self) -> f64 {
        median(self.0.iter().take(self.0.len() / 3 + 1))
    }

    /// The middle figure of the last third.
    pub fn late(&self) -> f64 {
        median(self.0.iter().rev().take(self.0.len() / 3 + 1))
    }

    /// The largest figure.
    pub fn largest(&self) -> f64 {
        self.0.iter().map(|(_, figure)| *figure).fold(0.0, f64::max)
    }

    fn means(&self) -> (f64, f64) {
        let sums = self.0.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        (sums.0 / self.count(), sums.1 / self.count())
    }

    fn spread(&self) -> f64 {
        let (mean_hour, _) = self.means();
        self.0.iter().map(|(hour, _)| (hour - mean_hour).powi(2)).sum()
    }

    fn count(&self) -> f64 {
        f64::from(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }
}

fn median<'p>(points: impl Iterator<Item = &'p (f64, f64)>) -> f64 {
    let mut figures: Vec<f64> = points.map(|(_, figure)| *figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}

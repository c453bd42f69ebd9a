//! Pages by byte budget (D42).

/// Decides how many items fit on a page of bounded size.
///
/// A page always holds at least one item, however large, so a caller that follows page keys always
/// reaches the end.
///
/// ```
/// use kyc_core::PageBudget;
///
/// let mut budget = PageBudget::new(10);
/// assert!(budget.take(6));
/// assert!(budget.take(4));
/// assert!(!budget.take(1));
/// assert_eq!(budget.taken(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct PageBudget {
    left_bytes: usize,
    taken: usize,
}

impl PageBudget {
    /// A page of at most this many bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self { left_bytes: bytes_max, taken: 0 }
    }

    /// Takes an item of that many bytes if it fits. After the first refusal the page has ended.
    pub fn take(&mut self, bytes: usize) -> bool {
        if self.taken > 0 && bytes > self.left_bytes {
            self.left_bytes = 0;
            return false;
        }
        self.left_bytes = self.left_bytes.saturating_sub(bytes);
        self.taken += 1;
        true
    }

    /// How many items the page holds.
    pub fn taken(&self) -> usize {
        self.taken
    }
}

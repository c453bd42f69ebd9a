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
    /// `None` when the page has ended.
    left_bytes: Option<usize>,
    taken: usize,
}

impl PageBudget {
    /// A page of at most this many bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self { left_bytes: Some(bytes_max), taken: 0 }
    }

    /// Takes an item of that many bytes if it fits. Behind the first item that does not, the page
    /// has ended.
    pub fn take(&mut self, bytes: usize) -> bool {
        let Some(left) = self.left_bytes else { return false };
        self.left_bytes = left.checked_sub(bytes);
        let is_taken = self.taken == 0 || self.left_bytes.is_some();
        self.taken += usize::from(is_taken);
        is_taken
    }

    /// How many items the page holds.
    pub fn taken(&self) -> usize {
        self.taken
    }
}

//! Work on several threads.

use std::any::Any;
use std::num::NonZero;
use std::thread;

/// How many threads can run at the same time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Applies a function to each item, on several threads; the results are in the items' order.
pub(crate) fn on_threads<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let shares = items.chunks(items.len().div_ceil(threads.max(1)).max(1));
        let threads: Vec<_> = shares
            .map(|share| scope.spawn(move || share.iter().map(work).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(resume)).collect()
    })
}

/// What was to be done must not go missing because its thread panicked.
fn resume<T>(panic: Box<dyn Any + Send>) -> T {
    std::panic::resume_unwind(panic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_several_threads_keeps_the_order() {
        let items: Vec<usize> = (0..1_000).collect();
        let doubled = (0..2_000).step_by(2).collect::<Vec<_>>();
        for threads in [0, 1, 7, 2_000] {
            assert_eq!(on_threads(threads, &items, |item| item * 2), doubled);
            assert!(on_threads(threads, &items[..0], |item| *item).is_empty());
        }
    }
}

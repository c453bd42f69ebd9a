//! Collecting what passes a test that can go either way.

/// Adds the items that pass, with the place of each, to some others.
///
/// Which ones pass cannot be foreseen, and a branch that the processor guesses wrong costs more than the
/// test: so all are tested, several at once where the test allows it, and all are written, each over
/// the one before that did not pass.
pub(super) fn keep<I, T: Copy + Default>(
    kept: &mut Vec<T>,
    items: &[I],
    passes: impl Fn(&I) -> bool,
    to_kept: impl Fn(usize, &I) -> T,
) {
    for (chunk, start) in items.chunks(CHUNK).zip((0..).step_by(CHUNK)) {
        let mut have_passed = [false; CHUNK];
        for (has_passed, item) in have_passed.iter_mut().zip(chunk) {
            *has_passed = passes(item);
        }
        let mut count = kept.len();
        kept.resize(count + chunk.len(), T::default());
        for ((at, item), has_passed) in (start..).zip(chunk).zip(have_passed) {
            if let Some(place) = kept.get_mut(count) {
                *place = to_kept(at, item);
            }
            count += usize::from(has_passed);
        }
        kept.truncate(count);
    }
}

/// So many items are tested before any is written.
const CHUNK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_kept_in_order_behind_what_was_there() {
        let items: Vec<usize> = (0..1_000).collect();
        let mut kept = vec![(7, 7)];
        keep(&mut kept, &items, |item| item % 3 == 0, |at, item| (at, *item));
        let expected = items.iter().filter(|item| *item % 3 == 0).map(|item| (*item, *item));
        assert!(kept.into_iter().eq([(7, 7)].into_iter().chain(expected)));
    }
}

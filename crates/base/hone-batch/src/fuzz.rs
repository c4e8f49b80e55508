//! Bodies for fuzzers: each function takes any bytes and panics if this crate breaks a promise.

use crate::limits::Limits;
use crate::merge::Merging;
use crate::restore::restore;
use crate::wire;

/// Reads the bytes as a batch. What can be read can be written, merged and restored.
pub fn read_batch(bytes: &[u8]) {
    let Ok(batch) = wire::read(bytes, &Limits::default()) else {
        return;
    };
    let again = wire::read(&wire::write(&batch), &Limits::default());
    assert_eq!(again.as_ref(), Ok(&batch));
    let mut rows = 0;
    let profile = restore(&batch, |_, _| rows += 1);
    let counts = [
        batch.branches.len(),
        batch.ranges.len(),
        batch.records.len(),
    ];
    assert_eq!(rows, batch.samples.len() + counts.iter().sum::<usize>());
    assert_eq!(profile.threads.len(), batch.groups.len());
    let mut merging = Merging::new(3600, Some);
    merging.add(&batch);
    let merged = merging.finish();
    let again = wire::read(&wire::write(&merged), &Limits::default());
    assert_eq!(again.as_ref(), Ok(&merged));
}

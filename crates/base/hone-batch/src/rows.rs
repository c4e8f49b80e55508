//! Rows of samples, sorted and added up.
//!
//! What tells rows apart becomes one number, in which each part has as many bits as its values need: numbers are sorted several
//! times as fast as rows are compared.

use crate::batch::{EventIndex, FrameIndex, GroupIndex, PlaceIndex, Samples};

/// Everything that samples of one row have in common. The order is that of the rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SampleKey {
    pub(crate) event: EventIndex,
    pub(crate) group: GroupIndex,
    pub(crate) is_leaf_only: bool,
    pub(crate) has_branches: bool,
    pub(crate) stack: FrameIndex,
    pub(crate) ip: Option<PlaceIndex>,
    pub(crate) bucket: u64,
}

impl SampleKey {
    fn of(row: &Samples) -> Self {
        Self {
            event: row.event,
            group: row.group,
            is_leaf_only: row.is_leaf_only,
            has_branches: row.has_branches,
            stack: row.stack,
            ip: row.ip,
            bucket: row.bucket,
        }
    }

    /// Returns the row with counts.
    pub(crate) fn row(self, [times, weight]: [u64; 2]) -> Samples {
        Samples {
            event: self.event,
            group: self.group,
            stack: self.stack,
            ip: self.ip,
            is_leaf_only: self.is_leaf_only,
            has_branches: self.has_branches,
            bucket: self.bucket,
            times,
            weight,
        }
    }
}

/// Sorts rows, and adds up those that have everything but their counts in common. Sums end at the largest 64-bit number.
pub(crate) fn add_up(rows: &mut Vec<Samples>) {
    sort(rows);
    rows.dedup_by(|next, kept| {
        let is_same = SampleKey::of(next) == SampleKey::of(kept);
        if is_same {
            kept.times = kept.times.saturating_add(next.times);
            kept.weight = kept.weight.saturating_add(next.weight);
        }
        is_same
    });
    rows.shrink_to_fit();
}

fn sort(rows: &mut [Samples]) {
    let first_bucket = rows.iter().map(|row| row.bucket).min().unwrap_or_default();
    let set = rows.iter().fold([0; 6], |mut set, row| {
        let parts = parts(row, first_bucket);
        set.iter_mut()
            .zip(parts)
            .for_each(|(set, part)| *set |= part);
        set
    });
    let bits = set.map(|set: u64| u64::BITS - set.leading_zeros());
    let packed = |row: &Samples| {
        let parts = parts(row, first_bucket).into_iter().zip(bits);
        parts.fold(0_u128, |key, (part, bits)| key << bits | u128::from(part))
    };
    match bits.iter().sum::<u32>() {
        0..=64 => rows.sort_by_cached_key(|row| packed(row) as u64),
        65..=128 => rows.sort_by_cached_key(packed),
        _ => rows.sort_unstable_by_key(SampleKey::of),
    }
}

/// Returns the parts of a row's key as numbers, in their order.
fn parts(row: &Samples, first_bucket: u64) -> [u64; 6] {
    [
        u64::from(row.event.0),
        u64::from(row.group.0),
        u64::from(row.is_leaf_only) << 1 | u64::from(row.has_branches),
        u64::from(row.stack.0),
        row.ip.map_or(0, |ip| u64::from(ip.0) + 1),
        row.bucket - first_bucket,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Numbers of so many bits at most, small ones among them.
    fn numbers(bits_max: u32) -> impl Strategy<Value = u64> {
        let large = u64::MAX >> (u64::BITS - bits_max);
        prop_oneof![0..3_u64, large - 2..=large]
    }

    /// Rows whose keys need at most these bits for each index and for buckets.
    fn rows(index: u32, bucket: u32) -> impl Strategy<Value = Vec<Samples>> {
        let indices = prop::array::uniform3(numbers(index));
        let ip = prop::option::of(numbers(index));
        let row = (
            indices,
            ip,
            any::<[bool; 2]>(),
            numbers(bucket),
            1..u64::MAX,
        );
        let row = row.prop_map(
            |([event, group, stack], ip, flags, bucket, times)| Samples {
                event: EventIndex(event as u32),
                group: GroupIndex(group as u32),
                stack: FrameIndex(stack as u32),
                ip: ip.map(|ip| PlaceIndex(ip as u32)),
                is_leaf_only: flags[0],
                has_branches: flags[1],
                bucket,
                times,
                weight: times / 3,
            },
        );
        prop::collection::vec(row, 0..40)
    }

    proptest! {
        #[test]
        fn rows_are_sorted_and_equal_ones_added_up_however_wide_their_keys_are(
            rows in prop_oneof![rows(8, 20), rows(22, 30), rows(32, 64)]
        ) {
            let mut sums: BTreeMap<SampleKey, [u64; 2]> = BTreeMap::new();
            for row in &rows {
                let [times, weight] = sums.entry(SampleKey::of(row)).or_default();
                *times = times.saturating_add(row.times);
                *weight = weight.saturating_add(row.weight);
            }
            let mut added = rows;
            add_up(&mut added);
            let added = added.iter().map(|row| (SampleKey::of(row), [row.times, row.weight]));
            prop_assert_eq!(added.collect::<Vec<_>>(), sums.into_iter().collect::<Vec<_>>());
        }
    }
}

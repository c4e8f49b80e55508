//! The order of rows by their keys.
//!
//! The keys of a row become one number, in which each column has as many bits as its values need: numbers are sorted several
//! times as fast as rows are compared. Columns with one value, of which there are many, need none.

use std::cmp::Ordering;

use super::{Texts, Values, list};

/// Returns the rows in the order of their keys, equal ones in any order, and the positions in it of those whose keys differ from
/// the row before.
pub(super) fn sorted(keys: &[&Values], rows: usize, texts: &Texts) -> (Vec<u32>, Vec<usize>) {
    match packed(keys, rows, texts) {
        Some(mut packed) => {
            packed.sort_unstable();
            let order = packed.iter().map(|(_, row)| *row).collect();
            (order, firsts(rows, |a, b| packed[a].0 == packed[b].0))
        }
        None => compared(keys, rows, texts),
    }
}

/// Does what [`sorted`] does by comparing values, where keys do not fit into a number.
fn compared(keys: &[&Values], rows: usize, texts: &Texts) -> (Vec<u32>, Vec<usize>) {
    let ranks = ranks(texts);
    let compare = |a: u32, b: u32| {
        let orders = keys.iter();
        let mut orders = orders.map(|key| compare(key, a as usize, b as usize, &ranks));
        let differing = orders.find(|order| order.is_ne());
        differing.unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b));
    let firsts = firsts(rows, |a, b| compare(order[a], order[b]).is_eq());
    (order, firsts)
}

fn firsts(rows: usize, are_equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let is_first = |at: &usize| *at == 0 || !are_equal(at - 1, *at);
    (0..rows).filter(is_first).collect()
}

/// Returns the keys of each row as one number, with the row; `None` if they do not fit.
fn packed(keys: &[&Values], rows: usize, texts: &Texts) -> Option<Vec<(u128, u32)>> {
    let mut packed: Vec<(u128, u32)> = (0..rows as u32).map(|row| (0, row)).collect();
    let mut bits = 0;
    for key in keys {
        bits += match key {
            Values::Int(values) => add(&mut packed, values.iter().map(|value| i64::from(*value))),
            Values::Long(values) => add(&mut packed, values.iter().copied()),
            Values::Text(values) => {
                let ranks = ranks_of(values, texts);
                let ranks = values.iter().map(|number| ranks[*number as usize]);
                add(&mut packed, ranks.map(i64::from))
            }
            // Rows with lists have an id before the list.
            Values::List { .. } => return None,
        };
        if bits > u128::BITS {
            return None;
        }
    }
    Some(packed)
}

/// Adds a column's values behind those of the columns before; returns how many bits each takes.
fn add(packed: &mut [(u128, u32)], values: impl Iterator<Item = i64> + Clone) -> u32 {
    let (Some(least), Some(greatest)) = (values.clone().min(), values.clone().max()) else {
        return 0;
    };
    let above = |value: i64| value.wrapping_sub(least) as u64;
    // Times are multiples of a step: what is never set takes no bits.
    let set = values.clone().fold(0, |set, value| set | above(value));
    let unused = if set == 0 { 0 } else { set.trailing_zeros() };
    let bits = u64::BITS - (above(greatest) >> unused).leading_zeros();
    if bits > 0 {
        for ((key, _), value) in packed.iter_mut().zip(values) {
            *key = *key << bits | u128::from(above(value) >> unused);
        }
    }
    bits
}

/// Returns for each text its position among all of them in order.
fn ranks(texts: &Texts) -> Vec<u32> {
    let mut order: Vec<u32> = (0..texts.all().len() as u32).collect();
    order.sort_unstable_by_key(|number| texts.text(*number));
    ranked(texts.all().len(), &order)
}

/// Returns for each text of a column its position among the column's texts in order; 0 for the others.
fn ranks_of(values: &[u32], texts: &Texts) -> Vec<u32> {
    let mut is_used = vec![false; texts.all().len()];
    for number in values {
        is_used[*number as usize] = true;
    }
    let numbers = 0..is_used.len() as u32;
    let mut order: Vec<u32> = numbers.filter(|number| is_used[*number as usize]).collect();
    order.sort_unstable_by_key(|number| texts.text(*number));
    ranked(texts.all().len(), &order)
}

/// Returns the positions in an order of so many numbers, at the numbers; 0 for those that are not in it.
pub(crate) fn ranked(count: usize, order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; count];
    for (rank, number) in order.iter().enumerate() {
        ranks[*number as usize] = rank as u32;
    }
    ranks
}

fn compare(key: &Values, a: usize, b: usize, ranks: &[u32]) -> Ordering {
    match key {
        Values::Int(values) => values[a].cmp(&values[b]),
        Values::Long(values) => values[a].cmp(&values[b]),
        Values::Text(values) => ranks[values[a] as usize].cmp(&ranks[values[b] as usize]),
        Values::List { ends, items } => list(ends, items, a).cmp(list(ends, items, b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_keys_have_the_order_of_compared_ones(
            rows in prop::collection::vec(
                (0..3_u32, any::<i64>(), -2..2_i32, (0..9_i64).prop_map(|hour| hour * 3_600_000_000)), 0..40
            )
        ) {
            let mut texts = Texts::default();
            let names = ["b", "", "a"].map(|name| texts.number(name));
            let keys = [
                Values::Text(rows.iter().map(|row| names[row.0 as usize]).collect()),
                Values::Long(rows.iter().map(|row| row.1 >> 50).collect()),
                Values::Int(rows.iter().map(|row| row.2).collect()),
                Values::Long(rows.iter().map(|row| row.3).collect()),
                Values::Long(rows.iter().map(|row| row.1).collect()),
            ];
            let keys: Vec<&Values> = keys.iter().collect();
            for keys in [&keys[..4], &keys[..]] {
                let (order, at) = sorted(keys, rows.len(), &texts);
                let (expected, expected_at) = compared(keys, rows.len(), &texts);
                prop_assert_eq!(&at, &expected_at);
                let ranks = ranks(&texts);
                let is_equal = |a: &u32, b: &u32| {
                    keys.iter().all(|key| compare(key, *a as usize, *b as usize, &ranks).is_eq())
                };
                prop_assert!(order.iter().zip(&expected).all(|(a, b)| is_equal(a, b)));
            }
        }
    }

    #[test]
    fn keys_that_do_not_fit_are_compared() {
        let all = Values::Long(vec![i64::MAX, i64::MIN, 0, i64::MIN]);
        let keys = [&all, &all, &all];
        let texts = Texts::default();
        assert_eq!(packed(&keys, 4, &texts), None);
        let (order, firsts) = sorted(&keys, 4, &texts);
        assert_eq!((order[2], order[3], firsts), (2, 0, vec![0, 2, 3]));
    }
}

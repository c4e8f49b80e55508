//! Amount of code that does most of the work: in bytes, in lines of the cache and in pages.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// Size of a page in bytes.
const PAGE: u64 = 4096;

/// Smallest amount of code that holds a share of all execution.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Footprint {
    /// Share of all execution that the code holds, 0 to 1.
    pub share: f64,
    /// Bytes of the instructions.
    pub bytes: u64,
    /// Number of lines of the instruction cache.
    pub lines: u64,
    /// Number of pages of 4 KiB.
    pub pages: u64,
}

/// Weights of pieces of code, by instruction, line and page.
#[derive(Clone, Debug, Default)]
pub(super) struct Weighted {
    /// Length and weight of each instruction that ran.
    instructions: Vec<(u64, f64)>,
    lines: FxHashMap<u64, f64>,
    pages: FxHashMap<u64, f64>,
    weight: f64,
}

impl Weighted {
    /// Adds an instruction with its weight.
    pub(super) fn add(&mut self, address: u64, bytes: u64, weight: f64, line_bytes: u64) {
        self.instructions.push((bytes, weight));
        *self.lines.entry(address / line_bytes).or_default() += weight;
        *self.pages.entry(address / PAGE).or_default() += weight;
        self.weight += weight;
    }

    /// Returns the smallest amount of code that holds this share, separately for bytes, lines and pages.
    pub(super) fn footprint(&self, share: f64) -> Footprint {
        let enough = share * self.weight;
        let lines: Vec<(u64, f64)> = self.lines.values().map(|weight| (1, *weight)).collect();
        let pages: Vec<(u64, f64)> = self.pages.values().map(|weight| (1, *weight)).collect();
        Footprint {
            share,
            bytes: least(self.instructions.clone(), enough),
            lines: least(lines, enough),
            pages: least(pages, enough),
        }
    }
}

/// Returns the size of the heaviest items that together weigh enough. Items are sorted by weight per item: a short
/// instruction is not worth more.
fn least(mut items: Vec<(u64, f64)>, enough: f64) -> u64 {
    items.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (mut size, mut weight) = (0, 0.0);
    for (item, of) in items {
        // Rounding changes the last digits of sums of many parts.
        if weight >= enough * (1.0 - 1e-9) {
            break;
        }
        size += item;
        weight += of;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_code_counts_first() {
        let mut weighted = Weighted::default();
        // Ten instructions of 4 bytes in one line hold 90 %; a hundred other instructions, each in its own page, hold the rest.
        for index in 0..10 {
            weighted.add(index * 4, 4, 90.0, 64);
        }
        for page in 1..=100 {
            weighted.add(page * PAGE, 8, 1.0, 64);
        }
        let most = weighted.footprint(0.9);
        assert_eq!((most.bytes, most.lines, most.pages), (40, 1, 1));
        let nearly_all = weighted.footprint(0.99);
        assert_eq!(
            (nearly_all.bytes, nearly_all.lines, nearly_all.pages),
            (40 + 90 * 8, 91, 91)
        );
        let all = weighted.footprint(1.0);
        assert_eq!((all.bytes, all.pages), (840, 101));
    }

    #[test]
    fn of_nothing_there_is_none() {
        assert_eq!(Weighted::default().footprint(0.9).bytes, 0);
    }
}

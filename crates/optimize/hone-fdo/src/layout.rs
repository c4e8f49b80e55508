//! Layout of a binary's hot code: the parts of each function that run, the unused parts in between, the amount of code
//! that does most of the work, and the misses of a model of the instruction cache.
//!
//! ```text
//! Counts --weigh--> instructions --blocks--> hot, cold, errors --+--> Layout
//!                                       `--footprint-------------+
//! branch records in order --fetches--> caches --with_fetches-----+
//! ```
//!
//! Without any recording, [`static_layout`] describes the layout that the machine code itself shows.
//!
//! Without branch records only sampled instructions are known to run; the blocks that must run with them count too. A
//! block that was never seen may still run: [`FunctionLayout::unseen_share_max`] limits the weight of such blocks.

mod blocks;
mod cache;
mod errors;
mod fetches;
mod footprint;
mod function;
mod static_layout;

pub use cache::{CacheShape, Touches};
pub use fetches::{BinaryFetches, FetchModel, Fetched};
pub use footprint::Footprint;
pub use function::FunctionLayout;
pub use static_layout::{StaticLayout, static_layout};

use crate::code::Code;
use crate::counts::Counts;
use crate::source::AttributionReport;
use crate::weights::weigh;
use errors::ErrorCalls;
use footprint::Weighted;
use hone_profile::Svma;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Shares of all execution whose code is counted.
const SHARES: [f64; 2] = [0.9, 0.99];

/// Standard normal quantile for an interval of 95 %.
const Z: f64 = 1.96;

/// Layout of the hot code of a binary.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Layout {
    /// Unit of weights: `executed instructions` from branch records, `sample weight` without.
    pub unit: &'static str,
    /// Weight of all code in functions.
    pub weight: u64,
    /// Functions, the heaviest first; parts that were split off and ran have separate entries.
    pub functions: Vec<FunctionLayout>,
    /// Smallest amounts of code that hold 90 % and 99 % of the weight.
    pub footprint: [Footprint; 2],
    /// Smallest amount of code that holds the lower end of the 95 % interval of a share of 90 %, for this number of samples.
    pub footprint_low: Footprint,
    /// Instruction cache that lines are counted for.
    pub l1i: CacheShape,
    /// Results of the models of the caches; `None` without branch records.
    pub model: Option<FetchFigures>,
}

/// Results of the models of the caches for the whole binary.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FetchFigures {
    /// Number of walks that were replayed.
    pub walks: u64,
    /// Executed instructions of the binary in these walks.
    pub instructions: u64,
    /// Touches of lines of the instruction cache.
    pub l1i_touches: Touches,
    /// Shape of the TLB for code.
    pub itlb: CacheShape,
    /// Touches of pages.
    pub itlb_touches: Touches,
}

impl FetchFigures {
    /// Returns the number of misses for 1,000 instructions.
    pub fn per_1000(&self, misses: u64) -> f64 {
        misses as f64 * 1000.0 / self.instructions.max(1) as f64
    }
}

/// Computes the layout of the code that these counts are about. `l1i` gives the size of lines.
pub fn layout(counts: &Counts, code: &Code<'_>, l1i: CacheShape) -> Layout {
    let mut report = AttributionReport::default();
    let all = weigh(counts, code, &mut report);
    let has_branches = counts.has_branches();
    let report = &counts.report;
    let (samples, weight_of_one) = if has_branches {
        (report.samples_with_branches, 1.0)
    } else {
        let samples = report.samples_here.max(1);
        let weight: u64 = counts
            .ips
            .values()
            .fold(0, |sum, weight| sum.saturating_add(*weight));
        (samples, (weight as f64 / samples as f64).max(1.0))
    };
    let errors = ErrorCalls::new(code.binary());
    let line_bytes = l1i.line_bytes.max(1);
    let mut weighted = Weighted::default();
    let mut functions: Vec<FunctionLayout> = Vec::new();
    let mut cold_parts: FxHashMap<&str, u64> = FxHashMap::default();
    for weights in &all {
        let looked = function::Looked::new(weights, code.binary(), &errors, !has_branches);
        looked.spread(&mut weighted, line_bytes);
        let function = weights.function;
        if function.is_cold_part() {
            *cold_parts.entry(function.canonical_name()).or_default() += function.size();
        }
        let laid = looked.layout(weight_of_one, line_bytes);
        if laid.weight > 0 {
            functions.push(laid);
        }
    }
    let weight = functions
        .iter()
        .fold(0, |sum: u64, of| sum.saturating_add(of.weight));
    for function in &mut functions {
        function.share = function.weight as f64 / weight.max(1) as f64;
        if !function.is_cold_part {
            function.cold_part_bytes = cold_parts.get(function.canonical()).copied().unwrap_or(0);
        }
    }
    functions.sort_by(|a, b| (b.weight, a.start).cmp(&(a.weight, b.start)));
    let error = Z * (SHARES[0] * (1.0 - SHARES[0]) / samples.max(1) as f64).sqrt();
    Layout {
        unit: if has_branches {
            "executed instructions"
        } else {
            "sample weight"
        },
        weight,
        functions,
        footprint: SHARES.map(|share| weighted.footprint(share)),
        footprint_low: weighted.footprint((SHARES[0] - error).max(0.0)),
        l1i,
        model: None,
    }
}

impl Layout {
    /// Adds the results of the models of the caches for the same recordings.
    pub fn with_fetches(
        mut self,
        fetches: &BinaryFetches,
        itlb: CacheShape,
        code: &Code<'_>,
    ) -> Self {
        let mut by_function: FxHashMap<Svma, Fetched> = FxHashMap::default();
        let mut all = Fetched::default();
        for (&start, &fetched) in &fetches.by_range_start {
            all.add(fetched);
            if let Some(function) = code.binary().function_at(start) {
                by_function.entry(function.start).or_default().add(fetched);
            }
        }
        if all.l1i.all == 0 {
            return self;
        }
        for function in &mut self.functions {
            let fetched = by_function.get(&function.start).copied();
            function.l1i_touches = fetched.map(|fetched| fetched.l1i);
        }
        self.model = Some(FetchFigures {
            walks: fetches.walks,
            instructions: self.weight,
            l1i_touches: all.l1i,
            itlb,
            itlb_touches: all.itlb,
        });
        self
    }
}

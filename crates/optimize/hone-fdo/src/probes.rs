//! Attributes counts to pseudo probes: every executed probe is credited along its inline stack.
//!
//! The keys are the compiler's own numbers of blocks and calls, so neither line tables nor their keys are
//! needed, and each function carries the checksum by which the compiler tells whether the numbers still hold.
//!
//! The rules are those of `llvm-profgen` for profiles without contexts:
//! - A block that the compiler copied (unrolled, split, inlined in several places) has several probes; their
//!   counts add up. There is no duplication factor, because all copies have probes.
//! - A total adds up the counts of all probes, including inlined calls: a probe weighs 1, not its bytes.
//! - The head count is the count of the entry block's probe.
//! - A probe that did not run, in a function that did, counts 0: it never ran. A probe that is missing in the
//!   binary is left out: the compiler takes it as unknown and infers it from its neighbours.
//! - If the inline stack of a probe is lost, wholly or above some call, the functions that are known get the
//!   count as if they had not been inlined.
//! - A branch from a call's probe to the first byte of a function credits that function as a target.

use crate::address_counts::{Counted, count_binary};
use crate::code::Code;
use crate::convert::{Converted, Warning, symbol_names};
use crate::counts::{Counts, add};
use crate::discriminator::Scheme;
use crate::error::FdoError;
use crate::halves::Halves;
use crate::location_counts::Recorded;
use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile};
use crate::source::{Attribution, AttributionReport, raise_to_call_counts};
use crate::weights::{Weights, weigh};
use hone_profile::Svma;
use hone_symbols::{Binary, Image, Probe, ProbeFrame, Probes};

/// Converts the branch records of this binary in the recordings into a profile
/// keyed by the binary's pseudo probes; otherwise like [`crate::convert`].
pub fn convert_probes<'a>(
    recordings: &[Recorded],
    path_hint: Option<&str>,
    image: impl Into<Image<'a>>,
) -> Result<Converted, FdoError> {
    convert_probes_parsed(recordings, path_hint, &Binary::parse(image)?)
}

/// Converts as [`convert_probes`] does, for a caller that needs the binary for more than that.
pub fn convert_probes_parsed(
    recordings: &[Recorded],
    path_hint: Option<&str>,
    binary: &Binary<'_>,
) -> Result<Converted, FdoError> {
    if binary.functions().is_empty() {
        return Err(FdoError::NoFunctions);
    }
    let probes = Probes::parse(binary)?.ok_or(FdoError::NoProbes)?;
    let code = Code::new(binary);
    let Counted {
        counts,
        mut warnings,
        parts,
    } = count_binary(recordings, crate::Evidence::Branches, path_hint, &code)?;
    if !counts.has_branches() {
        return Err(FdoError::ProbesNeedBranches);
    }
    let attribution = attribute_probes(&counts, &code, &probes);
    if attribution.report.attributed == 0 {
        return Err(FdoError::NothingAttributed {
            weight: attribution.report.weight,
        });
    }
    if !probes.all().iter().any(Probe::is_call) {
        warnings.push(Warning::NoCallProbes);
    }
    if probes.losses().sum() > 0 {
        warnings.push(Warning::UnusedProbes {
            losses: *probes.losses(),
            used: probes.all().len() as u64,
        });
    }
    let profile_of = |half: &Counts| attribute_probes(half, &code, &probes).samples;
    Ok(Converted {
        halves: parts.map(|parts| Halves::of(&parts, true, &code, profile_of)),
        counts,
        attribution,
        symbols: symbol_names(binary),
        warnings,
    })
}

/// Credits the counts to the probes of the binary.
///
/// The report has the weight, in executed bytes, of the functions with probes as `attributed`, and the weight of the
/// other functions as `no_source`.
pub fn attribute_probes(counts: &Counts, code: &Code<'_>, probes: &Probes<'_>) -> Attribution {
    let mut work = Work {
        code,
        probes,
        samples: SampleProfile::default(),
        report: AttributionReport::default(),
    };
    for weights in weigh(counts, code, &mut work.report) {
        work.credit_probes(&weights);
    }
    work.credit_calls(counts);
    let mut out = Attribution {
        samples: work.samples,
        report: work.report,
    };
    for function in out.samples.functions.values_mut() {
        raise_to_call_counts(function);
    }
    out.samples.functions.retain(|_, function| ran(function));
    out
}

/// Returns true if any probe of the function was seen. In other functions at most code between two probes was seen; the
/// compiler would take a function with nothing but zeroes for cold.
fn ran(function: &FunctionSamples) -> bool {
    let mut ran = false;
    function.visit(&mut |level| ran |= level.body.values().any(|place| place.count > 0));
    ran
}

struct Work<'w, 'b, 'p> {
    code: &'w Code<'b>,
    probes: &'w Probes<'p>,
    samples: SampleProfile,
    report: AttributionReport,
}

impl Work<'_, '_, '_> {
    fn credit_probes(&mut self, weights: &Weights<'_>) {
        let function = weights.function;
        let found = self.probes.within(function.start..function.end);
        let bytes = (0..weights.instructions.len()).fold(0u64, |sum, index| {
            let bytes = weights.bytes(index, true);
            sum.saturating_add(weights.weight(index).saturating_mul(bytes))
        });
        let has_probes = !found.is_empty();
        let report = &mut self.report;
        let share = if has_probes {
            &mut report.attributed
        } else {
            &mut report.no_source
        };
        add(share, bytes);
        for probe in found {
            let Some(index) = weights.instructions.index_of(probe.svma) else {
                continue;
            };
            let count = weights.weight(index);
            let stack = self.probes.inline_stack(probe);
            if let Some(leaf) = leaf(&mut self.samples, &stack, count) {
                add(&mut leaf.body.entry(key(probe)).or_default().count, count);
                if probe.is_entry() && stack.len() == 1 {
                    add(&mut leaf.head, count);
                }
            }
        }
    }

    fn credit_calls(&mut self, counts: &Counts) {
        for (&(from, to), count) in &counts.branches {
            let Some(call) = self.probes.call_at(from) else {
                continue;
            };
            let Some(callee) = self.callee(to) else {
                continue;
            };
            let stack = self.probes.inline_stack(call);
            if let Some(leaf) = leaf(&mut self.samples, &stack, 0) {
                let line = leaf.body.entry(key(call)).or_default();
                add(line.targets.entry(callee).or_default(), count.taken);
                add(&mut self.report.calls, count.taken);
            }
        }
        for (&from, &count) in &counts.leaving {
            if self.probes.call_at(from).is_some() {
                add(&mut self.report.calls_outside, count);
            }
        }
    }

    /// Returns the name of the function that a call to this address enters, as the compiler knows it.
    fn callee(&self, to: Svma) -> Option<String> {
        let functions = self.code.binary().functions();
        let function = match self.code.binary().plt_entry_at(to) {
            Some(stub) => functions.by_name(stub.symbol?)?,
            None => functions.starting_at(to)?,
        };
        if function.is_part() {
            return None;
        }
        // Among the names at one address, the compiler made the probes under this name.
        let body = self.probes.within(function.start..function.end);
        let own = body.first().and_then(|probe| {
            let stack = self.probes.inline_stack(probe);
            stack.last().map(|outermost| outermost.function.name)
        });
        let mut names = std::iter::once(&function.name).chain(&function.aliases);
        let own = own.filter(|own| names.any(|name| name == own));
        Some(own.unwrap_or(function.canonical_name()).to_owned())
    }
}

/// Walks down the inline stack to the innermost function and adds the count to the total of every level.
fn leaf<'s>(
    samples: &'s mut SampleProfile,
    stack: &[ProbeFrame<'_>],
    count: u64,
) -> Option<&'s mut FunctionSamples> {
    let mut outermost_first = stack.iter().rev();
    let outermost = outermost_first.next()?;
    let mut level = samples.function(outermost.function.name);
    enter(level, outermost, count);
    let mut call = outermost.id;
    for frame in outermost_first {
        level = level.callsite(site(call, 0), frame.function.name);
        enter(level, frame, count);
        call = frame.id;
    }
    Some(level)
}

fn enter(level: &mut FunctionSamples, frame: &ProbeFrame<'_>, count: u64) {
    add(&mut level.total, count);
    level.checksum = Some(frame.function.checksum);
}

/// Returns the key of a probe. Discriminators of probes are always flow-sensitive.
fn key(probe: &Probe) -> LineKey {
    site(probe.id, Scheme::FlowSensitive.base(probe.discriminator))
}

fn site(id: u32, discriminator: u32) -> LineKey {
    LineKey {
        line_offset: id,
        discriminator,
    }
}

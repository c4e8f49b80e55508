//! Counts the indirect calls that a build executes.

use anyhow::Result;
use hone_build::{BuildKey, Purpose, Variant};
use hone_report::model::{CallSite, IndirectCalls};
use hone_symbols::folded;

use crate::NAME_WIDTH;
use crate::profile::{recording, tell_of_workloads};
use crate::run::Run;
use crate::workspace::state::Profiles;

/// Maximum number of call sites that a report names.
const SITES_SHOWN: usize = 10;
/// Maximum number of targets that a report names for each call site.
const TARGETS_SHOWN: usize = 5;

/// Counts in branch records of a variant's build; records the build first if that has not been done.
pub(crate) fn count(
    run: &mut Run,
    variant: &Variant,
    profiles: &Profiles,
) -> Result<IndirectCalls> {
    let built = match run.built(&BuildKey::new(variant, Purpose::Use)) {
        Some(built) => built.clone(),
        None => recording::recordable(run, variant, profiles)?,
    };
    run.once(
        |state| &mut state.indirect_calls,
        &built.name(),
        |run| {
            let recordings = recording::record(run, &built)?;
            tell_of_workloads(run, &built)?;
            let counted = hone_convert::indirect_calls(&recordings, &run.binary(&built))?;
            Ok(in_report_form(&counted))
        },
    )
}

fn in_report_form(counted: &hone_fdo::indirect::IndirectCalls) -> IndirectCalls {
    let per_1000 = |calls: u64| calls as f64 * 1000.0 / counted.instructions.max(1) as f64;
    let sites = counted.sites.iter().take(SITES_SHOWN).map(|site| CallSite {
        place: format!(
            "{} ({}:{})",
            folded(&site.function, NAME_WIDTH),
            site.file,
            site.line
        ),
        per_1000_instructions: per_1000(site.calls),
        targets: site
            .targets
            .iter()
            .take(TARGETS_SHOWN)
            .map(|(name, calls)| {
                let share = *calls as f64 / site.calls.max(1) as f64;
                (folded(name, NAME_WIDTH), share)
            })
            .collect(),
    });
    IndirectCalls {
        per_1000_instructions: per_1000(counted.calls),
        instructions: counted.instructions,
        sites: sites.collect(),
    }
}

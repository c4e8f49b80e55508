//! What the report says of a rung.

use anyhow::Result;
use hone_build::Variant;
use hone_measure::{Comparison, Verdict};
use hone_report::model::{CallSite, Flags, IndirectCalls, Outcome, Rung};

use super::Run;
use super::profile;
use super::workspace::Built;
use crate::convert;

/// Call sites that a report names.
const SITES_SHOWN: usize = 10;
/// Targets that a report names for each call site.
const TARGETS_SHOWN: usize = 5;

/// The first rung.
pub(super) fn baseline(built: &Built) -> Rung {
    Rung {
        id: "baseline".into(),
        title: "Baseline".into(),
        levers: Vec::new(),
        outcome: Outcome::Baseline,
        comparison: None,
        build_s: built.build_s,
        file_bytes: Some(built.file_bytes),
        text_bytes: Some(built.text_bytes),
        indirect_calls: None,
        flags: Flags::default(),
    }
}

/// A rung that was not measured.
pub(super) fn unbuilt(variant: &Variant, outcome: Outcome) -> Rung {
    Rung {
        id: variant.id(),
        title: title(variant),
        levers: ids(variant),
        outcome,
        comparison: None,
        build_s: 0.0,
        file_bytes: None,
        text_bytes: None,
        indirect_calls: None,
        flags: Flags::default(),
    }
}

/// A rung that failed, which is said; an error if it failed because the user asked to stop.
pub(super) fn failed(run: &Run, variant: &Variant, error: &anyhow::Error) -> Result<Rung> {
    run.check_interrupted()?;
    let reason = crate::advice::in_one_sentence(error);
    run.say.line(&format!("  failed: {reason}"));
    Ok(unbuilt(variant, Outcome::Failed { reason }))
}

/// What becomes of a rung that has no rival.
pub(super) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Faster => Outcome::Kept,
        Verdict::Slower => Outcome::Slower,
        Verdict::NoProvableDifference => Outcome::NotProven,
    }
}

/// A rung that was measured; its outcome comes when its step is done.
pub(super) fn measured(variant: &Variant, built: &Built, comparison: Comparison) -> Rung {
    Rung {
        comparison: Some(comparison),
        build_s: built.build_s,
        file_bytes: Some(built.file_bytes),
        text_bytes: Some(built.text_bytes),
        flags: flags(built),
        ..unbuilt(variant, Outcome::NotProven)
    }
}

/// The flags of a build, in the report's form.
pub(super) fn flags(built: &Built) -> Flags {
    Flags {
        compile: built
            .flags
            .compile
            .iter()
            .chain(&built.flags.compile_program)
            .cloned()
            .collect(),
        link: built
            .flags
            .link
            .iter()
            .chain(&built.flags.link_program)
            .cloned()
            .collect(),
        env: built.flags.run_env.clone().into_iter().collect(),
        post_link: built.post_link.clone(),
    }
}

/// Counts indirect calls in branch records of a build, recording it first if that has not been done.
pub(super) fn indirect_calls(run: &mut Run, built: &Built) -> Result<IndirectCalls> {
    if let Some(counted) = run.workspace.state.indirect_calls.get(&built.name) {
        return Ok(counted.clone());
    }
    let recordings = profile::record(run, built)?;
    let binary = run.workspace.tree(&built.name).join(&run.project.binary);
    let counted = in_report_form(&convert::indirect_calls(&recordings, &binary)?);
    run.workspace
        .state
        .indirect_calls
        .insert(built.name.clone(), counted.clone());
    run.workspace.save()?;
    Ok(counted)
}

fn in_report_form(counted: &hone_fdo::indirect::IndirectCalls) -> IndirectCalls {
    let per_1000 = |calls: u64| calls as f64 * 1000.0 / counted.instructions.max(1) as f64;
    let sites = counted.sites.iter().take(SITES_SHOWN).map(|site| CallSite {
        place: format!("{} ({}:{})", site.function, site.file, site.line),
        per_1000_instructions: per_1000(site.calls),
        targets: site
            .targets
            .iter()
            .take(TARGETS_SHOWN)
            .map(|(name, calls)| (name.clone(), *calls as f64 / site.calls.max(1) as f64))
            .collect(),
    });
    IndirectCalls {
        per_1000_instructions: per_1000(counted.calls),
        instructions: counted.instructions,
        sites: sites.collect(),
    }
}

fn title(variant: &Variant) -> String {
    variant
        .top()
        .map_or("Baseline".into(), |lever| lever.title.into())
}

fn ids(variant: &Variant) -> Vec<String> {
    variant.lever_ids().into_iter().map(Into::into).collect()
}

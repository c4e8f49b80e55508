//! Makes the report's entry of a rung.

use std::fs;

use anyhow::Result;
use hone_build::Variant;
use hone_build::lever::{Lever, Reach};
use hone_fdo::devirtualise;
use hone_measure::{Comparison, Verdict};
use hone_report::model::{CallSite, Flags, IndirectCalls, Outcome, Rung};
use hone_symbols::folded;

use super::Run;
use super::profile;
use super::sampled::Idle;
use super::workspace::{BASELINE, Built};

/// The kernel's setting of transparent huge pages.
const HUGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";
/// Maximum number of call sites that a report names.
const SITES_SHOWN: usize = 10;
/// Maximum number of targets that a report names for each call site.
const TARGETS_SHOWN: usize = 5;

/// Maximum number of characters of a function's name that a report shows.
pub(super) const NAME_WIDTH: usize = 100;

/// Makes the first rung, the baseline.
pub(super) fn baseline(built: &Built) -> Rung {
    Rung {
        id: BASELINE.into(),
        title: "Baseline".into(),
        levers: Vec::new(),
        outcome: Outcome::Baseline,
        comparison: None,
        build_s: built.build_s,
        file_bytes: Some(built.file_bytes),
        loaded_bytes: built.loaded_bytes,
        text_bytes: Some(built.text_bytes),
        indirect_calls: None,
        flags: Flags::default(),
        profile: None,
    }
}

/// Makes a rung that was not measured.
pub(super) fn unbuilt(variant: &Variant, outcome: Outcome) -> Rung {
    Rung {
        id: variant.id(),
        title: title(variant),
        levers: ids(variant),
        outcome,
        comparison: None,
        build_s: 0.0,
        file_bytes: None,
        loaded_bytes: None,
        text_bytes: None,
        indirect_calls: None,
        flags: Flags::default(),
        profile: None,
    }
}

/// Makes a rung that failed or had nothing to do, and prints why; returns an error if the user asked to stop.
pub(super) fn failed(run: &Run, variant: &Variant, error: &anyhow::Error) -> Result<Rung> {
    run.check_interrupted()?;
    let reason = hone_run::advice::in_one_sentence(error);
    if error.is::<Idle>() {
        run.progress.line(&format!("  skipped: {reason}"));
        return Ok(unbuilt(variant, Outcome::Skipped { reason }));
    }
    run.progress.line(&format!("  failed: {reason}"));
    Ok(unbuilt(variant, Outcome::Failed { reason }))
}

/// Returns the outcome of a rung without a rival.
pub(super) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Faster => Outcome::Kept,
        Verdict::Slower => Outcome::Slower,
        Verdict::NoProvableDifference => Outcome::NotProven,
    }
}

/// Makes a rung that was measured; its outcome is set when its step is done.
pub(super) fn measured(variant: &Variant, built: &Built, comparison: Comparison) -> Rung {
    Rung {
        comparison: Some(comparison),
        build_s: built.build_s,
        file_bytes: Some(built.file_bytes),
        loaded_bytes: built.loaded_bytes,
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

/// Counts indirect calls in branch records of a build; records the build first if that has not been done.
pub(super) fn indirect_calls(run: &mut Run, built: &Built) -> Result<IndirectCalls> {
    if let Some(counted) = run.workspace.state.indirect_calls.get(&built.name) {
        return Ok(counted.clone());
    }
    let recordings = profile::record(run, built)?;
    let binary = run.workspace.tree(&built.name).join(&run.project.binary);
    let counted = in_report_form(&hone_convert::indirect_calls(&recordings, &binary)?);
    run.workspace
        .state
        .indirect_calls
        .insert(built.name.clone(), counted.clone());
    run.workspace.save()?;
    Ok(counted)
}

/// Predicts how far a rung can reach, before it is built. A failure costs the prediction, not the rung.
pub(super) fn predict(run: &mut Run, lever: &Lever, below: &Built) -> Result<()> {
    let text = match lever.reach {
        Reach::NotPredicted => return Ok(()),
        Reach::SingleImplementations => virtual_calls(run, below)?,
        Reach::HugePages => huge_pages(&fs::read_to_string(HUGE_PAGES).unwrap_or_default()),
    };
    run.progress.line(&text);
    run.note(format!("{}: {text}.", lever.title));
    Ok(())
}

fn virtual_calls(run: &mut Run, below: &Built) -> Result<String> {
    let predicted = profile::record(run, below).and_then(|recordings| {
        let binary = run.workspace.tree(&below.name).join(&run.project.binary);
        hone_convert::devirtualisable(&recordings, &binary)
    });
    run.check_interrupted()?;
    Ok(match predicted {
        Ok(reach) => in_words(&reach),
        Err(error) => format!("what it can reach was not counted: {error:#}"),
    })
}

/// Describes what this machine still needs before code gets huge pages, by the kernel's setting.
fn huge_pages(enabled: &str) -> String {
    let fact = if enabled.contains("[always]") {
        "transparent huge pages are on here"
    } else if enabled.contains("[madvise]") {
        "transparent huge pages are only for programs here that ask: call madvise(..., MADV_HUGEPAGE) on the code at \
         start, or set /sys/kernel/mm/transparent_hugepage/enabled to always"
    } else {
        "transparent huge pages are off here: set /sys/kernel/mm/transparent_hugepage/enabled to always"
    };
    format!("{fact}; the kernel must know them for files too (CONFIG_READ_ONLY_THP_FOR_FS)")
}

fn in_words(reach: &devirtualise::Reach) -> String {
    if reach.sites == 0 {
        return "the recording of the rung below saw no virtual call for it to reach".into();
    }
    format!(
        "it reaches at most {} of {} hot virtual call sites of the rung below, {:.0} % of the virtual calls: those that \
         only went to one function; {} even where the call is made through the class that introduced the function",
        reach.at_most,
        reach.sites,
        reach.calls_at_most as f64 * 100.0 / reach.calls.max(1) as f64,
        reach.at_least
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

fn title(variant: &Variant) -> String {
    variant
        .top()
        .map_or("Baseline".into(), |lever| lever.title.into())
}

fn ids(variant: &Variant) -> Vec<String> {
    variant.lever_ids().into_iter().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_huge_pages_still_want_depends_on_the_machine() {
        assert!(huge_pages("[always] madvise never").contains("are on here"));
        assert!(huge_pages("always [madvise] never").contains("MADV_HUGEPAGE"));
        for off in ["always madvise [never]", ""] {
            assert!(huge_pages(off).contains("are off here"), "{off}");
        }
    }

    #[test]
    fn the_reach_is_told_in_figures() {
        let reach = devirtualise::Reach {
            sites: 41,
            at_most: 3,
            at_least: 1,
            calls: 1000,
            calls_at_most: 250,
        };
        let text = in_words(&reach);
        assert!(
            text.contains("at most 3 of 41 hot virtual call sites") && text.contains("25 %"),
            "{text}"
        );
        assert!(in_words(&devirtualise::Reach::default()).contains("no virtual call"));
    }
}

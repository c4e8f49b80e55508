//! Predicts how far a lever can reach.

use std::fs;

use anyhow::Result;
use hone_build::Lever;
use hone_build::lever::Reach;
use hone_fdo::devirtualise;
use hone_fdo::dispatch::{self, Dispatch};
use hone_report::note::BuildNote;
use hone_symbols::{Binary, folded};

use crate::NAME_WIDTH;
use crate::profile::{recording, tell_of_workloads};
use crate::run::Run;
use crate::workspace::state::Built;

/// Number of functions that are named.
const FUNCTIONS_NAMED: usize = 3;
/// The kernel's setting of transparent huge pages.
const HUGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// Predicts how far a lever can reach, before the rung is built. A failure costs the prediction, not the rung.
pub(crate) fn predict(run: &mut Run, lever: &Lever, below: &Built) -> Result<()> {
    let reach = match lever.reach {
        Reach::NotPredicted => return Ok(()),
        Reach::SingleImplementations => virtual_calls(run, below)?,
        Reach::ComputedGotos => dispatches(&fs::read(run.binary(below))?),
        Reach::HugePages => huge_pages(&fs::read_to_string(HUGE_PAGES).unwrap_or_default()),
    };
    run.progress.line(&reach);
    run.tell(BuildNote::Reach {
        lever: lever.title.into(),
        reach,
    });
    Ok(())
}

fn virtual_calls(run: &mut Run, below: &Built) -> Result<String> {
    let predicted = recording::record(run, below).and_then(|recordings| {
        tell_of_workloads(run, below)?;
        hone_convert::devirtualisable(&recordings, &run.binary(below))
    });
    run.check_interrupted()?;
    Ok(match predicted {
        Ok(reach) => in_words(&reach),
        Err(error) => format!("what it can reach was not counted: {error:#}"),
    })
}

/// Describes the functions with joined dispatch.
fn dispatches(bytes: &[u8]) -> String {
    let found = Binary::parse(bytes).and_then(|binary| dispatch::dispatches(&binary));
    let mut joined = found.unwrap_or_default();
    joined.retain(Dispatch::is_joined);
    let words = joined.iter().take(FUNCTIONS_NAMED).map(|one| {
        let name = folded(&one.function, NAME_WIDTH);
        format!("{name} {}", one.in_words())
    });
    words.collect::<Vec<_>>().join(", ")
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

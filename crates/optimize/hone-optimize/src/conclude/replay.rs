//! Tries the recipe by flags in variables on a copy of the source, before the report prints the recipe.
//!
//! A build whose command sets CC itself (`make CC=clang-19`) takes no flag from the variable, a build whose Makefile says
//! `-O2` takes back the `-O3` before it, and both end well. So the lines of the recipe run behind wrappers that add nothing
//! and note each call. That costs one build at most: a call that gets none of the flags takes the objects of the baseline.
//! Nothing is built if Hone itself sets nothing but variables, or if no compiler gets a flag.

use std::time::Duration;

use anyhow::Result;
use hone_build::calls::{self, Reached};
use hone_build::wrapper::bazel;
use hone_build::{Toolchain, VariantFlags};
use hone_measure::{Comparison, Verdict};
use hone_report::note::WinnerNote;
use hone_report::number;

use crate::build::{WrappedBuild, environment};
use crate::conclude::recipe;
use crate::run::Run;
use crate::workspace::remove;
use crate::workspace::state::Built;
use hone_wrap::winner::ToolNames;

/// Name of the build in the logs.
const REPLAY: &str = "recipe";
/// Maximum time of a replay in seconds.
const SECONDS_MAX: f64 = 600.0;
/// Factor on the time of the slowest build that a replay may take ...
const TIMES: f64 = 2.0;
/// ... and seconds more.
const MORE_S: f64 = 30.0;

/// Result for the winner's build by flags in variables alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// The recipe shows the build; the rest of a sentence that says why.
    Shown(String),
    /// The recipe leaves the build out; the sentence that says why.
    LeftOut(String),
}

/// Finds out whether the winner can be built by flags in variables alone.
pub(crate) fn plain(run: &mut Run, built: &Built, confirmation: &Comparison) -> Result<Plain> {
    let slowest = run.workspace.state.built.values();
    let slowest_s = slowest.map(|built| built.build_s).fold(0.0, f64::max);
    if let Some(known) = without_a_build(run, built, confirmation, slowest_s) {
        return Ok(known);
    }
    run.progress.phase(
        "the winner by flags alone, in a copy of the source, to see whether its recipe works without Hone",
    );
    let limit_s = (TIMES * slowest_s + MORE_S).min(SECONDS_MAX);
    let replayed = replay(run, built, Duration::from_secs_f64(limit_s));
    run.check_interrupted()?;
    let plain = judged(replayed);
    if let Plain::LeftOut(sentence) = &plain {
        run.tell_now(WinnerNote::NoPlainRecipe(sentence.clone()));
    }
    Ok(plain)
}

/// Returns the result if it is known without trying.
fn without_a_build(
    run: &Run,
    built: &Built,
    confirmation: &Comparison,
    slowest_s: f64,
) -> Option<Plain> {
    let flags = &built.flags;
    let shown = |why: &str| Some(Plain::Shown(why.into()));
    let left_out = |why: String| Some(Plain::LeftOut(why));
    if flags.toolchain == Some(Toolchain::Go) {
        return shown(", by the variables that Hone set too:");
    }
    if !flags.dependencies.is_empty() {
        return shown(
            ", by flags alone; not tried here, since it builds libraries in their own source:",
        );
    }
    if flags.of_compilers().iter().all(|list| list.is_empty()) {
        return shown(", since the compilers get no flag:");
    }
    if confirmation.verdict != Verdict::Faster {
        return left_out(
            "Flags in variables alone were not tried, since the gain was not confirmed.".into(),
        );
    }
    if bazel::is_called_by(&run.project.build_command) {
        return left_out(
            "Bazel takes no flags from variables: hone export writes options for it.".into(),
        );
    }
    (slowest_s > SECONDS_MAX).then(|| {
        Plain::LeftOut(format!(
            "Flags in variables alone were not tried, since a build takes {} here; whether they reach the compilers is \
             to be seen in what make or ninja prints.",
            number::seconds(slowest_s)
        ))
    })
}

/// Runs the recipe's lines on a copy of the source, at the place where the winner was built.
fn replay(run: &Run, built: &Built, limit: Duration) -> Result<Reached> {
    let tree = run.workspace.clear_build()?;
    run.source.copy_to(&tree)?;
    remove(&tree.join(&run.project.binary))?;
    let tools = ToolNames::of(&run.tools, built.flags.toolchain);
    // Compilers are called by their names, which lead to the wrappers; the variables hold the paths of the compilers.
    let name = |tool: &str| tool.rsplit('/').next().unwrap_or(tool).to_owned();
    let by_name = ToolNames {
        c: name(&tools.c),
        cxx: name(&tools.cxx),
        ..tools.clone()
    };
    let mut env = environment(run);
    env.extend([("CC".into(), tools.c), ("CXX".into(), tools.cxx)]);
    let nothing = VariantFlags {
        toolchain: built
            .flags
            .toolchain
            .filter(|known| *known == Toolchain::Rust),
        ..VariantFlags::default()
    };
    let lines = recipe::plain_flags(run, built, &by_name).join("\n");
    let build = WrappedBuild {
        name: REPLAY,
        command: &lines,
        tree: &tree,
        flags: &nothing,
        env: &env,
        layout_seed: None,
        keeps_objects: true,
        ir: None,
        limit: Some(limit),
    };
    let outcome = build.run(run);
    // The place of all builds leads to a finished build again, as the recipe says.
    run.workspace.enter(&built.name())?;
    outcome?;
    let log = run.workspace.path(format!("logs/{REPLAY}.calls.log"));
    let log = std::fs::read_to_string(log).unwrap_or_default();
    Ok(calls::reached(&log, &built.flags))
}

fn judged(replayed: Result<Reached>) -> Plain {
    const OTHERWISE: &str = "Build it by hone wrap.";
    match replayed {
        Ok(reached) if reached.is_all() => Plain::Shown(format!(
            ", by flags alone; tried here on a copy of the source, where they were in {}:",
            in_words(reached)
        )),
        Ok(reached) => Plain::LeftOut(format!(
            "Flags in variables (CC, CXX, LDFLAGS, RUSTFLAGS) do not make the winner of your build: tried here, they were in \
             {}, and where its command or its files set these variables or a flag of the same kind themselves, theirs \
             count. {OTHERWISE}",
            in_words(reached)
        )),
        Err(error) => {
            let error = hone_files::advice::in_one_sentence(&error);
            let first = error.lines().next().unwrap_or_default();
            Plain::LeftOut(format!(
                "Flags in variables (CC, CXX, LDFLAGS, RUSTFLAGS) do not make the winner of your build: tried here, it \
                 failed ({first}; logs/{REPLAY}.build.log in .hone). {OTHERWISE}"
            ))
        }
    }
}

fn in_words(reached: Reached) -> String {
    format!(
        "{} of {} compilations and {} of {} links of programs",
        reached.compiled_so, reached.compilations, reached.linked_so, reached.programs
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_whose_flags_do_not_arrive_is_not_printed() {
        let all = Reached {
            compilations: 43,
            compiled_so: 43,
            programs: 1,
            linked_so: 1,
        };
        let Plain::Shown(why) = judged(Ok(all)) else {
            panic!("all of them came");
        };
        assert!(
            why.ends_with("in 43 of 43 compilations and 1 of 1 links of programs:"),
            "{why}"
        );
        for reached in [
            Reached {
                compiled_so: 0,
                ..all
            },
            Reached {
                linked_so: 0,
                ..all
            },
            Reached::default(),
        ] {
            let plain = judged(Ok(reached));
            assert!(matches!(plain, Plain::LeftOut(_)), "{plain:?}");
        }
        let failed = judged(Err(anyhow::anyhow!(
            "the build command failed: exit status 2\nld: no"
        )));
        let Plain::LeftOut(why) = failed else {
            panic!("it failed");
        };
        assert!(
            !why.contains('\n') && why.contains("exit status 2;"),
            "{why}"
        );
    }
}

//! The end of a run: measure the winner afresh, write the report in its four forms.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::Variant;
use hone_measure::{Comparison, Verdict};
use hone_report::model::{
    FORMAT, LadderReport, Outcome, Recipe, RecordingFacts, Rung, Tool, Workloads,
};
use hone_report::{html, json, markdown};

use super::Run;
use super::climb::Climb;
use super::measure::compare;
use super::rung;
use super::workspace::utf8;
use crate::doctor::machine;
use crate::files::write_whole;

/// Stands for the path of `.hone` in reports.
pub(super) const HOME_VARIABLE: &str = "$HONE";

/// Measures the winner against the baseline with fresh runs, and makes the report.
pub(super) fn conclude(run: &mut Run, mut climb: Climb) -> Result<LadderReport> {
    let confirmation = confirm(run, &mut climb)?;
    note_what_a_reader_must_know(run, &climb, confirmation.as_ref());
    let recipe = confirmation.as_ref().map(|_| recipe(run, &climb));
    let best = match recipe {
        Some(_) => &climb.best.1,
        None => &climb.baseline,
    };
    run.workspace.enter(&best.name)?;
    let report = LadderReport {
        format: FORMAT,
        program: run.project.name.clone(),
        hone_version: env!("CARGO_PKG_VERSION").into(),
        finished_at: now(),
        machine: machine::describe(),
        tools: tools(run),
        recordings: run
            .workspace
            .state
            .recordings
            .values()
            .filter_map(|all| summed(all))
            .map(|facts| of_its_rung(facts, &climb.rungs))
            .collect(),
        rungs: climb.rungs,
        confirmation,
        self_check: Some(climb.self_check),
        recipe,
        workloads: Workloads {
            train: run
                .project
                .train
                .iter()
                .map(|workload| workload.command.clone())
                .collect(),
            measure: run
                .project
                .measure
                .iter()
                .map(|workload| workload.command.clone())
                .collect(),
        },
        notes: run.workspace.state.notes.clone(),
        raw: climb.raw,
    };
    with_movable_paths(&report, &run.workspace.path(""))
}

/// Replaces the path of `.hone` by a variable, so that a report can be shown to others and its shell lines
/// work wherever the project is moved to.
fn with_movable_paths(report: &LadderReport, root: &Path) -> Result<LadderReport> {
    let root = utf8(root)?.trim_end_matches('/');
    let text = json::render(report).replace(root, HOME_VARIABLE);
    json::parse(&text).context("the report with movable paths")
}

/// The build with debug information is the baseline's, unless it is a rung by itself.
fn of_its_rung(facts: RecordingFacts, rungs: &[Rung]) -> RecordingFacts {
    if rungs.iter().any(|rung| rung.id == facts.rung) {
        return facts;
    }
    RecordingFacts {
        rung: Variant::default().id(),
        ..facts
    }
}

/// All recordings of one build as one; the workloads are recorded as often as it takes.
fn summed(recordings: &[RecordingFacts]) -> Option<RecordingFacts> {
    let (first, further) = recordings.split_first()?;
    let mut sum = first.clone();
    for facts in further {
        sum.samples += facts.samples;
        sum.branch_records += facts.branch_records;
        sum.wall_s += facts.wall_s;
        sum.stopped_s += facts.stopped_s;
        sum.target_cpu_s += facts.target_cpu_s;
    }
    if !further.is_empty() {
        sum.path = sum.path.replace(".0.data", ".*.data");
    }
    Some(sum)
}

/// Writes the report's files into `.hone/report/` and marks the run as finished.
pub(super) fn write(run: &mut Run, report: &LadderReport) -> Result<PathBuf> {
    let file = |name: &str| run.workspace.path("report").join(name);
    write_whole(&file("report.json"), json::render(report).as_bytes())?;
    write_whole(&file("report.md"), markdown::render(report).as_bytes())?;
    let page = file("report.html");
    write_whole(&page, html::render(report).as_bytes())?;
    run.workspace.finish()?;
    Ok(page)
}

fn confirm(run: &mut Run, climb: &mut Climb) -> Result<Option<Comparison>> {
    if !climb.rungs.iter().any(|rung| rung.outcome == Outcome::Kept) {
        return Ok(None);
    }
    run.say.phase(&format!(
        "the winner, {}, afresh against the baseline",
        climb.best.1.name
    ));
    let (old, new) = (climb.baseline.clone(), climb.best.1.clone());
    let measured = compare(run, "confirmation", &old, &new)?;
    run.say.comparison(&measured.comparison);
    climb.raw.push(measured.experiment);
    Ok(Some(measured.comparison))
}

fn note_what_a_reader_must_know(run: &mut Run, climb: &Climb, confirmation: Option<&Comparison>) {
    let check = &climb.self_check;
    if check.verdict != Verdict::NoProvableDifference {
        run.note(
            "The baseline differed provably from itself: this machine was not steady, so take every \
             interval below as too narrow.",
        );
    }
    let width = check.overall.high / check.overall.low - 1.0;
    if climb.best.0.levers.is_empty() {
        run.note(format!(
            "No lever was proven to help. The baseline against itself has an interval {:.1} % wide: \
             a gain of half of that is seen every second time or so. A quieter machine or a larger \
             seconds_per_rung sees more.",
            width * 100.0
        ));
    }
    if confirmation.is_some_and(|comparison| comparison.verdict != Verdict::Faster) {
        run.note(
            "The winner's gain was not confirmed by the fresh measurement: do not rely on it.",
        );
    }
    if check.stolen_share > 0.02 {
        run.note(format!(
            "Of the CPU time that was used or withheld while the baseline was measured against itself, the \
             hypervisor took {:.1} %.",
            check.stolen_share * 100.0
        ));
    }
}

fn recipe(run: &Run, climb: &Climb) -> Recipe {
    let (variant, built) = &climb.best;
    let files = variant.levers.iter().filter_map(|lever| {
        let path = run.inputs.profiles.get(lever.id)?;
        Some((
            path.display().to_string(),
            format!("profile for {}", lever.title),
        ))
    });
    let flags = rung::flags(built);
    Recipe {
        rung: built.name.clone(),
        binary: run
            .workspace
            .tree(&built.name)
            .join(&run.project.binary)
            .display()
            .to_string(),
        files: files.collect(),
        shell: shell_lines(run, &flags),
        deploy: variant
            .levers
            .iter()
            .map(|lever| format!("{}: {}", lever.title, lever.deploy))
            .collect(),
        flags,
    }
}

/// The winner's build as shell lines. The flags stand in CC and CXX, since autoconf, make, meson and cmake all
/// take them from there beside whatever flags they choose themselves.
fn shell_lines(run: &Run, flags: &hone_report::model::Flags) -> String {
    let mut lines = vec![
        "# In the directory of hone.toml. Profiles name static functions by the path of their source:".into(),
        "# for those to match, build in a copy of the source at $HONE/build, as Hone did (now a link: remove it)."
            .into(),
        "export HONE=\"$PWD/.hone\"".to_string(),
    ];
    let others = run
        .project
        .build_env
        .iter()
        .filter(|(name, _)| *name != "CC" && *name != "CXX");
    lines.extend(
        others.map(|(name, value)| format!("export {name}={}", super::shell::quoted(value))),
    );
    lines.push(format!("FLAGS=\"{}\"", flags.compile.join(" ")));
    lines.push(format!(
        "export CC=\"{} $FLAGS\" CXX=\"{} $FLAGS\"",
        tool_name(&run.tools.clang, "clang"),
        tool_name(&run.tools.clangxx, "clang++")
    ));
    lines.push(format!(
        "export LDFLAGS=\"$LDFLAGS {}\"",
        flags.link.join(" ")
    ));
    if flags.link.iter().any(|flag| flag.starts_with("-flto")) {
        lines.push(format!(
            "export AR={} RANLIB={}",
            tool_name(&run.tools.llvm_ar, "llvm-ar"),
            tool_name(&run.tools.llvm_ranlib, "llvm-ranlib")
        ));
    }
    lines.push(run.project.build_command.clone());
    lines.extend(flags.post_link.iter().cloned());
    lines.join("\n")
}

/// What a tool is called here, such as `clang-19`.
pub(super) fn tool_name(tool: &Option<crate::doctor::tools::Tool>, plain: &str) -> String {
    let name = tool.as_ref().and_then(|tool| tool.path.file_name());
    name.map_or(plain.into(), |name| name.to_string_lossy().into_owned())
}

fn tools(run: &Run) -> Vec<Tool> {
    run.tools
        .named()
        .map(|(name, tool)| Tool {
            name: name.into(),
            version: tool.version.clone(),
            path: tool.path.display().to_string(),
        })
        .collect()
}

/// The time now, RFC 3339 in UTC with whole seconds.
fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second())
        .unwrap_or(now)
        .to_string()
}

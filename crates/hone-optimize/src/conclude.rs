//! Ends a run: measures the winner afresh, and writes the report in its four forms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::lever;
use hone_measure::service::{Beside, compare};
use hone_measure::{Comparison, Experiment, Metric, Verdict, analyse, misfit};
use hone_report::model::{
    FORMAT, LadderReport, OtherCpu, Outcome, Recipe, RecordingFacts, Rung, Tool, Workloads,
};
use hone_report::{html, json, markdown, number};

use super::Run;
use super::climb::Climb;
use super::measure::{compare_alone, compare_whole, note_regressions};
use super::workspace::{BASELINE, Built, utf8};
use super::{layouts, recipe, replay, rung, staleness, vectorisation};
use hone_run::files::write_whole;
use hone_run::machine;
use hone_wrap::winner::{self, ToolNames, Winner};

/// Variable that replaces the path of `.hone` in reports.
pub const HOME_VARIABLE: &str = "$HONE";

/// Measures the winner against the baseline with fresh runs, and makes the report.
pub(super) fn conclude(run: &mut Run, mut climb: Climb) -> Result<LadderReport> {
    let confirmation = confirm(run, &mut climb)?;
    let other_cpu = confirmation.as_ref().and(climb.raw.last());
    let other_cpu = other_cpu.and_then(by_other_cpu);
    let beside = beside(run, &mut climb, confirmation.as_ref())?;
    if let Some(confirmation) = &confirmation {
        staleness::tell(run, &mut climb, confirmation)?;
        vectorisation::tell(run, &climb)?;
    }
    note_what_a_reader_must_know(run, &climb, confirmation.as_ref());
    let recipe = match &confirmation {
        Some(confirmation) => Some(recipe_of(run, &climb, confirmation)?),
        None => None,
    };
    if let (Some(recipe), Some(confirmation)) = (&recipe, &confirmation) {
        save_winner(run, &climb, recipe, confirmation)?;
    }
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
        lever_titles: lever_titles(run, &climb.rungs),
        rungs: climb.rungs,
        confirmation,
        other_cpu,
        beside,
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
        build_command: Some(run.project.build_command.clone()),
        check: run
            .project
            .check
            .as_ref()
            .map(|check| check.command.clone()),
        notes: [
            &run.workspace.state.notes_of_builds[..],
            &run.workspace.state.notes,
        ]
        .concat(),
        remarks: run.workspace.state.remarks.clone(),
        raw: climb.raw,
    };
    with_movable_paths(&report, &run.workspace.path(""))
}

/// Titles of all levers in the rungs, including levers of rebuilt libraries.
fn lever_titles(run: &Run, rungs: &[Rung]) -> BTreeMap<String, String> {
    let rebuilt = run.project.dependencies.iter().flatten();
    let known = lever::ALL.iter().chain(rebuilt);
    let used = |id: &str| {
        rungs
            .iter()
            .any(|rung| rung.levers.iter().any(|used| used == id))
    };
    known
        .filter(|lever| used(lever.id))
        .map(|lever| (lever.id.into(), lever.title.into()))
        .collect()
}

/// Replaces the path of `.hone` by a variable, so that a report can be shown to others and its shell lines
/// work wherever the project is moved to.
fn with_movable_paths(report: &LadderReport, root: &Path) -> Result<LadderReport> {
    let root = utf8(root)?.trim_end_matches('/');
    let text = json::render(report).replace(root, HOME_VARIABLE);
    json::parse(&text).context("the report with movable paths")
}

/// Assigns the recordings of a build to its rung. A build that is no rung belongs to the smallest rung with all of its
/// levers: for a rebuilt library, profiles are made anew on the way up to its rung. The build with debug information
/// belongs to the baseline.
fn of_its_rung(facts: RecordingFacts, rungs: &[Rung]) -> RecordingFacts {
    let has_all = |rung: &&Rung| {
        let mut levers = facts.rung.split('+');
        levers.all(|lever| rung.levers.iter().any(|own| own == lever))
    };
    let itself = rungs.iter().find(|rung| rung.id == facts.rung);
    let smallest = || {
        let holding = rungs.iter().filter(has_all);
        holding.min_by_key(|rung| rung.levers.len())
    };
    let rung = itself.or_else(smallest);
    RecordingFacts {
        rung: rung.map_or(BASELINE, |rung| rung.id.as_str()).into(),
        ..facts
    }
}

/// Adds up all recordings of one build; the workloads are recorded as often as needed.
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
    run.progress.end_ladder();
    run.progress.phase(&format!(
        "the winner, {}, afresh against the baseline",
        climb.best.1.name
    ));
    let (old, new) = both_in_layouts(run, climb)?;
    let measured = compare_whole(run, "confirmation", &old, &new)?;
    run.progress.comparison(&measured.comparison);
    note_misfit(run, climb, &measured.comparison);
    remark_on_luck(run, &measured.comparison);
    climb.raw.push(measured.experiment);
    Ok(Some(measured.comparison))
}

/// Builds the baseline and the winner in the number of layouts that was asked for. If another layout cannot be built, the
/// report says so, and the figure is that of one layout.
fn both_in_layouts(run: &mut Run, climb: &Climb) -> Result<(Vec<Built>, Vec<Built>)> {
    let count = run.layouts;
    let both = layouts::of(run, &climb.baseline, count)
        .and_then(|old| Ok((old, layouts::of(run, &climb.best.1, count)?)));
    match both {
        Ok(both) => Ok(both),
        Err(error) => {
            run.check_interrupted()?;
            let reason = hone_run::advice::in_one_sentence(&error);
            run.note(format!(
                "The winner was measured in one layout only, since another could not be built: {reason}."
            ));
            Ok((vec![climb.baseline.clone()], vec![climb.best.1.clone()]))
        }
    }
}

/// Compares latency and other quantities of a server, beside its CPU. Runs that shared a CPU say nothing about latency, so
/// in that case other runs are made.
fn beside(
    run: &mut Run,
    climb: &mut Climb,
    confirmation: Option<&Comparison>,
) -> Result<Vec<Beside>> {
    if run.project.server.is_none() || confirmation.is_none() {
        return Ok(Vec::new());
    }
    let duet = climb
        .raw
        .last()
        .filter(|experiment| experiment.schedule.duet);
    if duet.is_some() {
        run.progress
            .phase("the winner beside the baseline, one after the other, for latency");
        let best = climb.best.1.clone();
        let measured = compare_alone(run, "confirmation-alone", &climb.baseline, &best)?;
        note_regressions(run, &measured.experiment);
        climb.raw.push(measured.experiment);
    }
    Ok(climb.raw.last().map(compare).unwrap_or_default())
}

/// Analyses the same runs with the kernel's time if the metric left it out, and without if the metric counted it.
fn by_other_cpu(experiment: &Experiment) -> Option<OtherCpu> {
    let metric = experiment.schedule.metric;
    let mut experiment = experiment.clone();
    experiment.schedule.metric = Metric::new(metric.is_per_work(), !metric.is_user_only());
    let comparison = analyse(&experiment).ok()?;
    Some(OtherCpu {
        metric: comparison.metric,
        gain: comparison.overall,
    })
}

/// Reports how much of the gain could be the luck of a layout.
fn remark_on_luck(run: &mut Run, confirmation: &Comparison) {
    let Some(spread) = &confirmation.layouts else {
        run.remark(
            "The winner's figure holds for one layout of either binary; --layouts 5 measures how much of it \
             could be luck.",
        );
        return;
    };
    let gains = || spread.gains.iter().copied();
    let low = gains().fold(f64::INFINITY, f64::min);
    let high = gains().fold(f64::NEG_INFINITY, f64::max);
    run.remark(format!(
        "In {} layouts (link orders) of both binaries the gain was between {low:.3}x and {high:.3}x; beside \
         the noise of measuring, layouts differ by {:.1} % (one standard deviation). Of the gain that a single \
         build shows, {:.0} % could be the luck of its layout.",
        spread.gains.len(),
        (spread.scatter.exp() - 1.0) * 100.0,
        spread.luck_share * 100.0,
    ));
}

/// Adds a note if the gains of the steps from the baseline to the winner, each measured against the step before, do not
/// multiply to the gain that was measured directly.
fn note_misfit(run: &mut Run, climb: &Climb, confirmation: &Comparison) {
    let measured = |name: &str| {
        let rung = climb.rungs.iter().find(|rung| rung.id == name)?;
        rung.comparison.as_ref()
    };
    let mut steps = Vec::new();
    let mut at = climb.best.1.name.as_str();
    while at != BASELINE && steps.len() < climb.rungs.len() {
        let Some(comparison) = measured(at) else {
            return;
        };
        steps.push(comparison.overall);
        at = &comparison.old;
    }
    if let Some(misfit) = misfit(&steps, &confirmation.overall) {
        run.note(format!(
            "The gains of the winner's steps multiply to {}, and measured directly it gains {}: more apart than chance \
             explains, as when the luck of one build's layout, or of where its files lie in memory, is part of a step. \
             What was measured directly counts.",
            number::gain(misfit.product, 3),
            number::gain(misfit.direct, 3),
        ));
    }
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
    let linked = &run.workspace.state.linked_again;
    let of_rungs = linked
        .iter()
        .filter(|(name, _)| climb.rungs.iter().any(|rung| rung.id == **name));
    let of_rungs: Vec<_> = of_rungs
        .map(|(name, from)| format!("{name} (from {from})"))
        .collect();
    if !of_rungs.is_empty() {
        run.remark(format!(
            "Linked again from the objects of a build with the same compiler flags, so that the time to build is \
             not that of a whole build: {}.",
            of_rungs.join(", ")
        ));
    }
}

fn recipe_of(run: &mut Run, climb: &Climb, confirmation: &Comparison) -> Result<Recipe> {
    let (variant, built) = &climb.best;
    let plain = replay::plain(run, built, confirmation)?;
    let files = variant.levers.iter().filter_map(|lever| {
        let path = run.inputs.profiles.get(lever.id)?;
        Some((
            path.display().to_string(),
            format!("profile for {}", lever.title),
        ))
    });
    let flags = rung::flags(built);
    Ok(Recipe {
        rung: built.name.clone(),
        binary: run
            .workspace
            .tree(&built.name)
            .join(&run.project.binary)
            .display()
            .to_string(),
        files: files.collect(),
        shell: recipe::shell(run, built, &plain).join("\n"),
        deploy: variant
            .levers
            .iter()
            .map(|lever| format!("{}: {}", lever.title, lever.deploy))
            .collect(),
        flags,
    })
}

/// Saves the winner for `hone wrap` and `hone export`.
fn save_winner(run: &Run, climb: &Climb, recipe: &Recipe, confirmation: &Comparison) -> Result<()> {
    let (variant, built) = &climb.best;
    let used = variant.levers.iter();
    let used = used.filter_map(|lever| run.inputs.profiles.get(lever.id).cloned());
    let gain = &confirmation.overall;
    let winner = Winner {
        program: run.project.name.clone(),
        variant: variant.id(),
        gain: format!("{:.3}x [{:.3}, {:.3}]", gain.ratio, gain.low, gain.high),
        build_command: run.project.build_command.clone(),
        build_env: run.project.build_env.clone(),
        binary: run.project.binary.clone(),
        flags: built.flags.clone(),
        post_link: built.post_link.clone(),
        profiles: used.collect(),
        deploy: recipe.deploy.clone(),
        tools: ToolNames::of(&run.tools, built.flags.toolchain),
    };
    let file = run.workspace.path("report").join(winner::FILE);
    winner.save(&file, &run.workspace.path(""))
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

/// Returns the current time as RFC 3339 in UTC with whole seconds.
fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second())
        .unwrap_or(now)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_build::Variant;
    use hone_build::lever::{Dependency, by_id};

    #[test]
    fn recordings_for_a_rebuilt_library_stand_under_its_rung() {
        let steps = Dependency {
            name: "steps".into(),
            source: "steps".into(),
            exclude: Vec::new(),
            command: "make".into(),
            env: Default::default(),
            archive: "libsteps.a".into(),
            link: Vec::new(),
        };
        let [_, rebuilt] = steps.levers();
        let [o3, autofdo] = ["o3", "autofdo"].map(|id| by_id(id).unwrap());
        let ladder = [
            vec![],
            vec![o3],
            vec![o3, autofdo],
            vec![o3, autofdo, rebuilt],
        ];
        let rungs = ladder.map(|levers| {
            let variant = Variant {
                levers,
                ..Variant::default()
            };
            rung::unbuilt(&variant, Outcome::NotProven)
        });
        for (recorded, expected) in [
            ("profiling", "baseline"),
            ("o3", "o3"),
            ("steps-rebuilt", "o3+autofdo+steps-rebuilt"),
            ("steps-rebuilt+o3", "o3+autofdo+steps-rebuilt"),
            ("autofdo", "o3+autofdo"),
        ] {
            let facts = RecordingFacts {
                rung: recorded.into(),
                ..RecordingFacts::default()
            };
            assert_eq!(of_its_rung(facts, &rungs).rung, expected, "{recorded}");
        }
    }
}

//! Ends a run: looks at the winner once more, and writes the report in its four forms.

mod home;
mod recipe;
mod replay;
mod staleness;
mod vectorisation;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use hone_build::lever;
use hone_measure::Comparison;
use hone_report::model::{FORMAT, LadderReport, Recipe, RecordingFacts, Rung, Tool, Workloads};
use hone_report::note::BuildNote;
use hone_report::{html, json, markdown};

use crate::ladder::confirm::Confirmed;
use crate::ladder::{Climb, rung};
use crate::run::Run;
use crate::workspace::BASELINE;
use crate::workspace::state::Recorded;
use home::Home;
use hone_files::files::write_whole;
use hone_run::{clock, machine};
use hone_wrap::winner::{self, ToolNames, Winner};

pub use home::HOME_VARIABLE;

/// Makes the report on a climb.
pub(crate) fn conclude(
    run: &mut Run,
    mut climb: Climb,
    confirmed: Option<Confirmed>,
) -> Result<LadderReport> {
    let home = Home::of(&run.workspace)?;
    tell_linked_again(run, &climb.rungs);
    let recipe = match &confirmed {
        Some(confirmed) => Some(tell_of_winner(
            run,
            &mut climb,
            &confirmed.comparison,
            &home,
        )?),
        None => None,
    };
    let best = match recipe {
        Some(_) => &climb.best.built,
        None => &climb.baseline,
    };
    run.workspace.enter(&best.name())?;
    let (confirmation, other_cpu, beside) = match confirmed {
        Some(confirmed) => (
            Some(confirmed.comparison),
            confirmed.other_cpu,
            confirmed.beside,
        ),
        None => (None, None, Vec::new()),
    };
    let (warnings, remarks) = notes(run, &home);
    let recorded = run.workspace.state.recordings.values();
    Ok(LadderReport {
        format: FORMAT,
        program: run.project.name.clone(),
        hone_version: env!("CARGO_PKG_VERSION").into(),
        finished_at: clock::now_utc(),
        machine: machine::describe(),
        tools: tools(run),
        recordings: recorded
            .filter_map(|recorded| of_its_rung(recorded, &climb.rungs))
            .collect(),
        lever_titles: lever_titles(run, &climb.rungs),
        rungs: climb
            .rungs
            .into_iter()
            .map(|rung| home.movable_rung(rung))
            .collect(),
        confirmation,
        other_cpu,
        beside,
        self_check: Some(climb.self_check),
        recipe,
        workloads: workloads(run),
        build_command: Some(run.project.build_command.clone()),
        check: run
            .project
            .check
            .as_ref()
            .map(|check| check.command.clone()),
        notes: warnings,
        remarks,
        raw: climb.raw,
    })
}

/// Looks at the winner's age, loops and recipe, and saves the winner for `hone wrap`; returns the recipe.
fn tell_of_winner(
    run: &mut Run,
    climb: &mut Climb,
    confirmation: &Comparison,
    home: &Home,
) -> Result<Recipe> {
    staleness::tell(run, climb, confirmation)?;
    vectorisation::tell(run, climb)?;
    let recipe = recipe_of(run, climb, confirmation, home)?;
    save_winner(run, climb, &recipe, confirmation)?;
    Ok(recipe)
}

/// Tells which rungs took the objects of earlier builds.
fn tell_linked_again(run: &mut Run, rungs: &[Rung]) {
    let linked = run.workspace.state.linked_again.iter();
    let of_rungs = linked.filter(|(name, _)| rungs.iter().any(|rung| rung.id == **name));
    let of_rungs: Vec<_> = of_rungs
        .map(|(name, from)| (name.clone(), from.clone()))
        .collect();
    if !of_rungs.is_empty() {
        run.tell(BuildNote::LinkedAgain(of_rungs));
    }
}

/// Words the warnings and the remarks, those of builds first.
fn notes(run: &Run, home: &Home) -> (Vec<String>, Vec<String>) {
    let mut notes: Vec<_> = run.workspace.state.notes.iter().collect();
    notes.sort_by_key(|note| !note.lasts_with_its_build());
    let (warnings, remarks): (Vec<_>, Vec<_>) = notes.into_iter().partition(|note| note.warns());
    let words = |notes: Vec<_>| {
        let notes = notes.into_iter();
        notes
            .map(|note: &hone_report::note::Note| home.movable(&note.to_string()))
            .collect()
    };
    (words(warnings), words(remarks))
}

fn workloads(run: &Run) -> Workloads {
    let commands = |workloads: &[hone_build::Workload]| {
        let workloads = workloads.iter();
        workloads.map(|workload| workload.command.clone()).collect()
    };
    Workloads {
        train: commands(&run.project.train),
        measure: commands(&run.project.measure),
    }
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

/// Adds up all recordings of one build, and assigns them to a rung: the rung of the build, or the smallest rung with all of
/// its levers, since for a rebuilt library profiles are made anew on the way up to its rung.
fn of_its_rung(recorded: &Recorded, rungs: &[Rung]) -> Option<RecordingFacts> {
    let sum = summed(&recorded.facts)?;
    let levers = recorded.key.levers();
    let name = recorded.key.measured().to_string();
    let itself = rungs.iter().find(|rung| rung.id == name);
    let itself = itself.or_else(|| rungs.iter().find(|rung| rung.levers == levers));
    let smallest = || {
        let holding = rungs
            .iter()
            .filter(|rung| levers.iter().all(|lever| rung.levers.contains(lever)));
        holding.min_by_key(|rung| rung.levers.len())
    };
    let rung = itself.or_else(smallest);
    Some(RecordingFacts {
        rung: rung.map_or(BASELINE, |rung| rung.id.as_str()).into(),
        ..sum
    })
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
pub(crate) fn write(run: &mut Run, report: &LadderReport) -> Result<PathBuf> {
    let file = |name: &str| run.workspace.path("report").join(name);
    write_whole(&file("report.json"), json::render(report).as_bytes())?;
    write_whole(&file("report.md"), markdown::render(report).as_bytes())?;
    let page = file("report.html");
    write_whole(&page, html::render(report).as_bytes())?;
    run.workspace.finish()?;
    Ok(page)
}

fn recipe_of(
    run: &mut Run,
    climb: &Climb,
    confirmation: &Comparison,
    home: &Home,
) -> Result<Recipe> {
    let version = &climb.best;
    let plain = replay::plain(run, &version.built, confirmation)?;
    let levers = version.variant.levers.iter();
    let files = levers.clone().filter_map(|lever| {
        let profile = version.profiles.get(lever.id)?;
        let path = run.workspace.path(&profile.file);
        let path = home.movable(&path.display().to_string());
        Some((path, format!("profile for {}", lever.title)))
    });
    let binary = run.binary(&version.built);
    Ok(Recipe {
        rung: version.built.name(),
        binary: home.movable(&binary.display().to_string()),
        files: files.collect(),
        shell: home.movable(&recipe::shell(run, &version.built, &plain).join("\n")),
        deploy: levers
            .map(|lever| format!("{}: {}", lever.title, lever.deploy))
            .collect(),
        flags: home.movable_flags(rung::flags(&version.built)),
    })
}

/// Saves the winner for `hone wrap` and `hone export`.
fn save_winner(run: &Run, climb: &Climb, recipe: &Recipe, confirmation: &Comparison) -> Result<()> {
    let version = &climb.best;
    let built = &version.built;
    let used = version.variant.levers.iter();
    let used = used.filter_map(|lever| version.profiles.get(lever.id));
    let used = used.map(|profile| run.workspace.path(&profile.file));
    let gain = &confirmation.overall;
    let winner = Winner {
        program: run.project.name.clone(),
        variant: version.variant.id(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use hone_build::lever::{Dependency, by_id};
    use hone_build::{BuildKey, Lever, Purpose, Variant};
    use hone_report::model::Outcome;

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
        let recorded = |levers: Vec<&'static Lever>| {
            let variant = Variant {
                levers,
                ..Variant::default()
            };
            Recorded {
                key: BuildKey::new(&variant, Purpose::Probe),
                facts: vec![RecordingFacts::default()],
            }
        };
        let rung = |levers: Vec<_>, rungs: &[Rung]| {
            let facts = of_its_rung(&recorded(levers), rungs);
            facts.unwrap().rung
        };
        for (levers, expected) in [
            (vec![], "baseline"),
            (vec![o3], "o3"),
            (vec![rebuilt], "o3+autofdo+steps-rebuilt"),
            (vec![rebuilt, o3], "o3+autofdo+steps-rebuilt"),
            (vec![autofdo], "o3+autofdo"),
        ] {
            assert_eq!(rung(levers, &rungs), expected);
        }
        // Where the compiler is changed, the build without levers has a rung of its own.
        let changed = Rung {
            id: "profiling".into(),
            ..rungs[0].clone()
        };
        let rungs = [rungs[0].clone(), changed];
        assert_eq!(rung(vec![], &rungs), "profiling");
    }
}

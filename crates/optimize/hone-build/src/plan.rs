//! The ordered steps of an `optimize` run, made before anything is built, so that `--dry-run` can print
//! exactly what the run will do.

use crate::action::{Action, describe};
use crate::config::Project;
use crate::lever::{Bundle, Lever, Need, Step, Toolchain};

/// Options of the user beside the project file.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanOptions {
    /// True to leave out the levers that need a slow instrumented binary.
    pub sampling_only: bool,
    /// True if the user brings a recording, so that none is made for AutoFDO.
    pub brings_profile: bool,
    /// True if the binary of the brought recording has pseudo-probes.
    pub brings_probes: bool,
    /// True if neighbours of the winner are tried after the ladder.
    pub searches: bool,
    /// Compiler of the program.
    pub toolchain: Toolchain,
}

/// One rung to try.
#[derive(Clone, Debug)]
pub struct RungPlan {
    /// The levers.
    pub levers: Bundle,
    /// Reason why the rung will not be tried, with the next step; `None` if it will be tried.
    pub skip: Option<String>,
}

/// All rungs, in groups of alternatives, lowest first.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Groups of rungs of which at most one is kept; a lever that adds to others of its step has a group of its own.
    pub steps: Vec<(Step, Vec<RungPlan>)>,
}

impl Plan {
    /// Plans the project's levers. `missing` returns how to meet a need that is not met, or `None`.
    pub fn new(
        project: &Project,
        options: PlanOptions,
        missing: &dyn Fn(Need) -> Option<String>,
    ) -> Self {
        let mut steps: Vec<(Step, Vec<RungPlan>)> = Vec::new();
        let planned = |levers: Bundle| RungPlan {
            skip: skip_reason(&levers, options, missing),
            levers,
        };
        for levers in rungs(project, options) {
            let here = levers.top().step;
            match steps.last_mut() {
                Some((step, rungs)) if *step == here && !step.is_cumulative() => {
                    rungs.push(planned(levers));
                }
                _ => steps.push((here, vec![planned(levers)])),
            }
        }
        let place = steps.iter().position(|(step, _)| *step > Step::Dependency);
        let place = place.unwrap_or(steps.len());
        let groups = project.dependencies.iter().map(|levers| {
            let rungs = levers.map(|lever| planned(Bundle::of(lever)));
            (Step::Dependency, Vec::from(rungs))
        });
        steps.splice(place..place, groups);
        Self { steps }
    }

    /// Returns every rung in the order of the run.
    pub fn rungs(&self) -> impl Iterator<Item = &RungPlan> {
        self.steps.iter().flat_map(|(_, rungs)| rungs)
    }

    /// Returns the plan as lines for people.
    pub fn describe(&self, project: &Project, options: PlanOptions) -> Vec<String> {
        let measured: Vec<_> = project.measure.iter().map(|w| w.name.as_str()).collect();
        let trained: Vec<_> = project.train.iter().map(|w| w.name.as_str()).collect();
        let mut lines = vec![format!(
            "baseline: build as {:?}, check, {}one pilot run of each measured workload, measure against itself",
            project.build_command,
            match project.server {
                Some(_) => "start and stop once, ",
                None => "",
            }
        )];
        for rung in self.rungs() {
            let title = rung.levers.title();
            match &rung.skip {
                Some(reason) => lines.push(format!("{title}: skipped, {reason}")),
                None => {
                    lines.push(format!(
                        "{title}: {}",
                        actions(&rung.levers, options).join(", ")
                    ));
                }
            }
        }
        lines.extend(self.after_the_ladder(project, options));
        lines.push(format!(
            "trained on {}; measured on {}; about {:.0} s of measuring per rung, {} % confidence",
            trained.join(", "),
            measured.join(", "),
            project.seconds_per_rung,
            project.confidence * 100.0
        ));
        lines
    }
}

impl Plan {
    /// Returns the steps after all rungs are tried, as lines for people; most of them are done only if a rung was kept.
    fn after_the_ladder(&self, project: &Project, options: PlanOptions) -> Vec<String> {
        let mut lines = Vec::new();
        let mut tried = self.rungs().filter(|rung| rung.skip.is_none());
        if tried.any(|rung| rung.levers.top().step == Step::Profile) {
            lines.push(
                "indirect calls: counted in recordings of the rung below the profile and of the one that is kept; plain \
                 samples of the measured workloads tell whether their mix of functions is that of training"
                    .into(),
            );
        }
        if options.searches {
            lines.push(
                "search: neighbours of the best, built and measured until the budget is spent"
                    .into(),
            );
        }
        lines.push(match project.layouts {
            0 | 1 => "winner: measured afresh against the baseline".into(),
            layouts => format!(
                "winner: linked in {layouts} layouts, as the baseline, and measured afresh against it"
            ),
        });
        if project.server.is_some() && project.duet == Some(true) {
            lines.push(
                "winner: runs one after the other against the baseline, for latency, throughput, memory and start"
                    .into(),
            );
        }
        if project.previous.is_some() {
            lines.push(
                "winner: its flags and profile on the previous release, which is built and measured with and without"
                    .into(),
            );
        }
        lines.push(
            "hot loops: plain samples of the measured workloads on the winner and the baseline, which is built with line \
             tables for that where it was not, tell what lost its vectorisation"
                .into(),
        );
        if options.toolchain != Toolchain::Go {
            lines.push(
                "recipe: a build of a copy of the source by flags in variables alone, to see whether they reach the \
                 compilers without hone wrap"
                    .into(),
            );
        }
        lines
    }
}

/// Returns the project's rungs. The default rungs use a brought recording of a build without probes by its lines.
pub fn rungs(project: &Project, options: PlanOptions) -> Vec<Bundle> {
    let rungs = project.rungs(options.toolchain);
    if project.named.is_some() || !options.brings_profile || options.brings_probes {
        return rungs;
    }
    let mut by_lines = Vec::new();
    for rung in rungs.iter().map(Bundle::without_probes) {
        if !by_lines.contains(&rung) {
            by_lines.push(rung);
        }
    }
    by_lines
}

/// Returns the reason why levers are not tried at all, as a clause with the next step; `None` if they are tried.
pub fn skip_reason(
    levers: &Bundle,
    options: PlanOptions,
    missing: &dyn Fn(Need) -> Option<String>,
) -> Option<String> {
    let mut levers = levers.levers().iter();
    levers.find_map(|lever| skip_reason_of(lever, options, missing))
}

fn skip_reason_of(
    lever: &'static Lever,
    options: PlanOptions,
    missing: &dyn Fn(Need) -> Option<String>,
) -> Option<String> {
    if options.sampling_only && lever.profile.is_instrumented() {
        return Some("it needs an instrumented build, and --sampling-only was given".into());
    }
    let compiler = match options.toolchain {
        Toolchain::Clang => Some(Need::Clang),
        Toolchain::Gcc => Some(Need::Gcc),
        Toolchain::Rust | Toolchain::Go => None,
    };
    let needs = lever.needs.iter().copied().chain(compiler);
    needs
        .filter(|need| *need == Need::Gcc || need.concerns(options.toolchain))
        .find_map(missing)
}

/// Returns the actions of a rung in words.
fn actions(levers: &Bundle, options: PlanOptions) -> Vec<String> {
    let top = levers.top();
    let built = levers.levers().iter().rfind(|lever| !lever.is_setting());
    let mut below = "the rung below".to_owned();
    let mut words = Vec::new();
    for &lever in levers.levers() {
        let own = match (lever == top, Some(&lever) == built) {
            (true, _) => lever.actions(options),
            (false, true) => {
                let mut own = lever.actions(options);
                own.retain(|action| *action != Action::Measure);
                own
            }
            (false, false) => {
                let own = lever.profile_actions(options).into_iter();
                own.map(Action::Profile).collect()
            }
        };
        words.extend(describe(&own, &below, options));
        below += &format!(" with {}", lever.title);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(levers: &str) -> Project {
        Project::parse(&format!(
            "[program]\nname = \"p\"\nbinary = \"p\"\n[build]\ncommand = \"make\"\n\
             [[train]]\nname = \"t\"\ncommand = \"a\"\n[[measure]]\nname = \"m\"\ncommand = \"b\"\n\
             [ladder]\nlevers = [{levers}]"
        ))
        .unwrap()
    }

    #[test]
    fn alternatives_share_a_step() {
        let project = project("\"thinlto\", \"autofdo\", \"pgo\", \"bolt\"");
        let plan = Plan::new(&project, PlanOptions::default(), &|_| None);
        let sizes: Vec<_> = plan.steps.iter().map(|(_, rungs)| rungs.len()).collect();
        assert_eq!(sizes, [1, 2, 1]);
        assert!(plan.rungs().all(|rung| rung.skip.is_none()));
    }

    #[test]
    fn dependencies_come_when_all_is_known_that_they_are_rebuilt_with() {
        let mut project = project("\"thinlto\", \"pgo\", \"icp\", \"bolt\"");
        let dependency = |name: &str| crate::lever::Dependency {
            name: name.into(),
            source: "../lib".into(),
            exclude: Vec::new(),
            command: "make".into(),
            env: Default::default(),
            archive: "liblib.a".into(),
            link: Vec::new(),
        };
        project.dependencies = ["one", "two"].map(|name| dependency(name).levers()).into();
        let plan = Plan::new(&project, PlanOptions::default(), &|_| None);
        let ids: Vec<Vec<_>> = plan
            .steps
            .iter()
            .map(|(_, rungs)| rungs.iter().map(|rung| rung.levers.id()).collect())
            .collect();
        let expected: [&[&str]; 6] = [
            &["thinlto"],
            &["pgo"],
            &["icp"],
            &["one-from-source", "one-rebuilt"],
            &["two-from-source", "two-rebuilt"],
            &["bolt"],
        ];
        assert_eq!(ids, expected);
    }

    #[test]
    fn every_step_after_the_ladder_is_named() {
        let describe = |project: &Project, options| {
            Plan::new(project, options, &|_| None)
                .describe(project, options)
                .join("\n")
        };
        let plain = describe(&project("\"o3\""), PlanOptions::default());
        for words in ["pilot run", "vectorisation", "recipe: a build"] {
            assert!(plain.contains(words), "no {words} in\n{plain}");
        }
        for words in [
            "indirect calls",
            "latency",
            "layouts",
            "search:",
            "previous",
        ] {
            assert!(!plain.contains(words), "{words} in\n{plain}");
        }
        let server = Project::parse(
            "[program]\nname = \"p\"\nbinary = \"p\"\nprevious = \"old\"\n[build]\ncommand = \"make\"\n\
             [server]\nstart = \"{binary} {port}\"\ncpus = \"0\"\nload_cpus = \"1\"\n[[train]]\nname = \"t\"\ncommand = \"load {port}\"\n\
             [[measure]]\nname = \"m\"\ncommand = \"load -m {port}\"\nrequests = \"([0-9]+) done\"\n\
             [ladder]\nlevers = [\"pgo\"]\nduet = true\nlayouts = 3",
        )
        .unwrap();
        let options = PlanOptions {
            searches: true,
            ..PlanOptions::default()
        };
        let all = describe(&server, options);
        for words in [
            "start and stop once",
            "indirect calls",
            "search:",
            "in 3 layouts",
            "for latency",
            "previous release",
        ] {
            assert!(all.contains(words), "no {words} in\n{all}");
        }
    }

    #[test]
    fn a_recording_of_a_build_without_probes_is_used_by_its_lines() {
        let mut project = project("");
        project.named = None;
        let ids = |brings_probes| {
            let options = PlanOptions {
                brings_profile: true,
                brings_probes,
                ..Default::default()
            };
            let plan = Plan::new(&project, options, &|_| None);
            plan.rungs()
                .map(|rung| rung.levers.id())
                .collect::<Vec<_>>()
        };
        assert!(ids(true).contains(&"memops+autofdo-probes".into()));
        let lines = ids(false);
        assert!(lines.contains(&"memops+autofdo".into()), "{lines:?}");
        let all = lines.concat();
        assert!(
            !all.contains("probes") && !all.contains("counters"),
            "{lines:?}"
        );
        let once: std::collections::BTreeSet<_> = lines.iter().collect();
        assert_eq!(once.len(), lines.len(), "{lines:?}");
    }

    #[test]
    fn what_a_bundle_records_is_told_as_it_is() {
        let project = project("\"memops+autofdo-probes\", \"o3+thinlto\"");
        let said = |brings_profile| {
            let options = PlanOptions {
                brings_profile,
                brings_probes: brings_profile,
                ..Default::default()
            };
            let plan = Plan::new(&project, options, &|_| None);
            plan.describe(&project, options)
        };
        let own = said(false);
        assert_eq!(
            own[1],
            "-O3 + ThinLTO: build, check, measure against the rung below"
        );
        assert_eq!(
            own[2],
            "Sized copies + AutoFDO with pseudo-probes: record the rung below on the train workloads, convert to headers, \
             build the rung below with Sized copies with probes, record it on the train workloads, convert, build with \
             the profile, check, measure against the rung below"
        );
        let brought = &said(true)[2];
        assert!(
            !brought.contains("record the") && !brought.contains("record it"),
            "{brought}"
        );
    }

    #[test]
    fn a_setting_is_tried_on_a_program_that_is_not_built_again() {
        let project = project("\"gogc-200\", \"autofdo+gogc-400\"");
        let options = PlanOptions {
            toolchain: Toolchain::Go,
            ..Default::default()
        };
        let lines = Plan::new(&project, options, &|_| None).describe(&project, options);
        assert_eq!(
            lines[1..3],
            [
                "GOGC=200: start the program with the setting, measure against the rung below",
                "AutoFDO (branch records) + GOGC=400: record the rung below on the train workloads, convert, build with the profile, check, \
                 start the program with the setting, measure against the rung below"
            ]
        );
        let missing = |need| (need == Need::MemoryLimit).then(|| "set memory".to_string());
        let lines = Plan::new(&project, options, &missing).describe(&project, options);
        assert_eq!(lines[1], "GOGC=200: skipped, set memory");
    }

    #[test]
    fn sampling_only_leaves_out_what_is_instrumented() {
        let options = PlanOptions {
            sampling_only: true,
            ..Default::default()
        };
        let plan = Plan::new(
            &project("\"autofdo\", \"pgo\", \"bolt-instrumented\""),
            options,
            &|_| None,
        );
        let skipped: Vec<_> = plan
            .rungs()
            .filter(|rung| rung.skip.is_some())
            .map(|rung| rung.levers.id())
            .collect();
        assert_eq!(skipped, ["pgo", "bolt-instrumented"]);
    }

    #[test]
    fn a_missing_tool_skips_the_rung_and_says_the_mend() {
        let project = project("\"thinlto\", \"bolt\"");
        let missing = |need| (need == Need::Bolt).then(|| "apt-get install bolt-19".to_string());
        let plan = Plan::new(&project, PlanOptions::default(), &missing);
        let lines = plan.describe(&project, PlanOptions::default()).join("\n");
        assert!(
            lines.contains("BOLT (branch records): skipped, apt-get install bolt-19"),
            "{lines}"
        );
        assert!(lines.contains("ThinLTO: build, check, measure"), "{lines}");
    }
}

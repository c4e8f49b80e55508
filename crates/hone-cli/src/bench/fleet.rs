//! `hone bench --fleet`: two builds that run side by side, from the series that hone-agent stored.
//!
//! The CPU cost of a deployed build is in the series `hone.service.*`; the work that it did is in a counter that the
//! service itself sends. This module fetches both in windows of time for each instance; the statistics are in
//! hone-measure ([`hone_measure::fleet`]).

mod api;
mod plan;
mod show;
mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::anyhow;
use hone_measure::Arm;
use hone_measure::fleet::{
    Fleet, FleetComparison, FleetError, Gathered, Grouping, HOSTS_MIN, INSTANCES_MIN, Labels,
    Series, WINDOWS_MIN, compare,
};

use self::api::{Api, metric_name, selector};
use self::plan::Plan;
use super::{Args, Expect};
use crate::output::to_stdout;
use hone_run::advice::{Advice, Advise};

/// hone-agent's metrics, as back ends name them.
const CPU: &str = "hone_service_cpu_seconds";
const THROTTLED: &str = "hone_service_throttled_seconds";
const UNATTRIBUTED: &str = "hone_service_cpu_unattributed_seconds";

/// Number of build ids that an error lists.
const LISTED_MAX: usize = 20;
/// Smallest number of digits of a build id by which a build may be named.
const DIGITS_MIN: usize = 4;

/// Arguments of `--fleet` alone.
#[derive(clap::Args)]
pub(super) struct FleetArgs {
    /// Compare two builds where they run side by side: OLD and NEW are build ids, the beginning of them, or their
    /// executables; exit with 1 unless a gain is proven
    #[arg(long, requires_all = ["from", "new"], conflicts_with_all =
        ["workload", "blocks", "quick", "warmup", "allow_short", "cpu", "duet", "timeout"])]
    pub(super) fleet: bool,
    /// With --fleet: the server that has the agents' series (Prometheus' HTTP API), such as http://127.0.0.1:8428
    #[arg(long, value_name = "URL", requires = "fleet")]
    from: Option<String>,
    /// With --fleet: how far back, such as 30m, 6h or 2d [default: 1h]
    #[arg(long, value_name = "TIME", requires = "fleet")]
    since: Option<String>,
    /// With --fleet: the length of a window [default: a 24th of --since, at least 10s]
    #[arg(long, value_name = "TIME", requires = "fleet")]
    window: Option<String>,
    /// With --fleet: only services whose whole name matches this regular expression
    #[arg(long, value_name = "REGEX", requires = "fleet")]
    service: Option<String>,
    /// With --fleet: the labels that tell instances apart; the first says where they run [default: host,service]
    #[arg(long, value_name = "LABELS", requires = "fleet", value_delimiter = ',')]
    by: Option<Vec<String>>,
}

/// Data from which the report of a verdict is made.
struct Told {
    plan: Plan,
    /// Build ids and names of executables, old and new.
    builds: [Build; 2],
    fleet: Fleet,
    gathered: Gathered,
    comparison: FleetComparison,
    /// Seconds throttled, and CPU seconds of processes that the agent did not see; old and new.
    throttled_s: [f64; 2],
    unattributed_s: [f64; 2],
}

/// A build as the series name it.
#[derive(Clone, PartialEq, Debug)]
struct Build {
    id: String,
    executables: BTreeSet<String>,
}

/// Fetches, compares and reports.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = Plan::new(args, jiff::Timestamp::now().as_second())?;
    let api = Api::new(&plan.from);
    let told = compared(plan, &api)?;
    if let Some(file) = &told.plan.output {
        store::write(Some(file), &told)?;
    }
    match told.plan.json {
        true => store::write(None, &told)?,
        false => to_stdout(show::text(&told).as_bytes())?,
    }
    let expect = told.plan.expect.unwrap_or(Expect::Faster);
    Ok(if expect.holds(told.comparison.verdict) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn compared(plan: Plan, api: &Api) -> anyhow::Result<Told> {
    let builds = builds(&plan, api)?;
    let grouping = Grouping {
        by: &plan.by,
        builds: [&builds[0].id, &builds[1].id],
        grid: plan.grid,
    };
    let of_builds = |metric: &str| -> anyhow::Result<Vec<Series>> {
        // Go's build ids have no character with a meaning in regular expressions, and other build ids are hexadecimal.
        let ids = grouping.builds.join("|");
        let mut labels = vec![("build_id", ids.as_str())];
        if plan.by.iter().any(|label| label == "service") {
            labels.extend(plan.service_label());
        }
        api.values(&selector(metric, &labels), plan.grid)
    };
    let cpu = of_builds(CPU)?;
    let work = plan
        .work
        .as_deref()
        .map(|work| of_builds(&metric_name(work)))
        .transpose()?;
    if let (Some(work), Some(name)) = (&work, &plan.work) {
        is_work(work, name, &cpu, &grouping)?;
    }
    let gathered = grouping.gather(&cpu, work.as_deref());
    let of_services = |metric: &str| -> anyhow::Result<[f64; 2]> {
        let labels: Vec<_> = plan.service_label().into_iter().collect();
        let series = api.values(&selector(metric, &labels), plan.grid)?;
        Ok(grouping.of_services(&series, &gathered.instances))
    };
    let throttled_s = of_services(THROTTLED)?;
    let unattributed_s = of_services(UNATTRIBUTED)?;
    let fleet = Fleet {
        metric: plan.metric(),
        confidence: plan.confidence,
        seed: plan.seed,
        instances: gathered.instances.clone(),
        cells: gathered.cells.clone(),
    };
    let comparison = compare(&fleet).map_err(|error| advised(error, &plan, &gathered))?;
    Ok(Told {
        plan,
        builds,
        fleet,
        gathered,
        comparison,
        throttled_s,
        unattributed_s,
    })
}

/// Returns the two builds that the user named.
fn builds(plan: &Plan, api: &Api) -> anyhow::Result<[Build; 2]> {
    let mut labels = vec![("mode", "user")];
    labels.extend(plan.service_label());
    let series = api.series(&selector(CPU, &labels), plan.grid)?;
    let mut known: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for labels in &series {
        let of = |label: &str| labels.get(label).map(String::as_str);
        if let Some(id) = of("build_id").filter(|id| !["none", "unknown", "others"].contains(id)) {
            known
                .entry(id)
                .or_default()
                .extend(of("executable").map(str::to_owned));
        }
    }
    let found = |name: &str| -> anyhow::Result<Build> {
        let wanted = plan::id_of_file(name)?.unwrap_or_else(|| name.to_owned());
        let of = |(id, executables): (&&str, &BTreeSet<String>)| Build {
            id: (*id).to_owned(),
            executables: executables.clone(),
        };
        if let Some(exact) = known.get_key_value(wanted.as_str()) {
            return Ok(of(exact));
        }
        let begins = |id: &&&str| wanted.len() >= DIGITS_MIN && id.starts_with(&wanted);
        let mut beginning = known.iter().filter(|(id, _)| begins(id));
        match (beginning.next(), beginning.next()) {
            (Some(only), None) => Ok(of(only)),
            (Some(_), Some(_)) => Err(anyhow!("more than one build id begins with {wanted}"))
                .next(format!("more digits of it; there are {}", listed(&known))),
            (None, _) => Err(anyhow!("no build {wanted} ran in the last {}", plan.since))
                .next(other_builds(&known, &series)),
        }
    };
    let [old, new] = &plan.builds;
    let builds = [found(old)?, found(new)?];
    if builds[0] == builds[1] {
        return Err(anyhow!(
            "{old} and {new} are the same build, {}",
            builds[0].id
        ))
        .next("two builds; the report compares the old one with itself anyway");
    }
    Ok(builds)
}

fn other_builds(known: &BTreeMap<&str, BTreeSet<String>>, series: &[Labels]) -> String {
    if known.is_empty() && series.is_empty() {
        return "[services] report = true in the configuration of hone-agent on these hosts; \
                or a longer --since, another --service"
            .into();
    }
    if known.is_empty() {
        return "link the programs with a build id (-Wl,--build-id), and let the agent read them (CAP_SYS_PTRACE)".into();
    }
    format!("one of these that ran: {}", listed(known))
}

fn listed(known: &BTreeMap<&str, BTreeSet<String>>) -> String {
    let names = known.iter().take(LISTED_MAX).map(|(id, executables)| {
        let executables: Vec<&str> = executables.iter().map(String::as_str).collect();
        format!("{id} ({})", executables.join(", "))
    });
    let names: Vec<String> = names.collect();
    let more = known.len().saturating_sub(LISTED_MAX);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{more}", names.join(", "))
}

/// Refuses work that belongs to no instance: it would make all instances look idle.
fn is_work(
    work: &[Series],
    name: &str,
    cpu: &[Series],
    grouping: &Grouping<'_>,
) -> anyhow::Result<()> {
    if work.is_empty() {
        return Err(anyhow!("--work {name}: no series of it has one of these build ids"))
            .next(format!("[services] work = [\"{name}\"] in the configuration of hone-agent, and services that send it over a Unix socket"));
    }
    let keys: BTreeSet<_> = cpu
        .iter()
        .map(|series| grouping.key(&series.metric))
        .collect();
    if work
        .iter()
        .any(|series| keys.contains(&grouping.key(&series.metric)))
    {
        return Ok(());
    }
    let shown = |key: Option<&Vec<String>>| key.map_or(String::new(), |key| key.join(" "));
    let of_work = grouping.key(&work[0].metric);
    Err(anyhow!(
        "--work {name}: its {} are those of no instance: {}, where CPU time has {}",
        grouping.by.join(" and "),
        shown(Some(&of_work)),
        shown(keys.first())
    ))
    .next("--by with labels that both have, such as --by host")
}

/// Adds to an error what is missing and how to get it.
fn advised(error: FleetError, plan: &Plan, gathered: &Gathered) -> anyhow::Error {
    let window_s = plan.grid.window_s;
    let next = match &error {
        FleetError::Confidence { .. } => "--confidence 0.95".into(),
        FleetError::NothingOf { .. } if plan.work.is_some() => {
            "look whether the work is counted for it; without --work, CPU time alone is compared"
                .into()
        }
        FleetError::NothingOf { .. } => "let it take load; or a longer --since".into(),
        FleetError::TooFewWindows { windows } => {
            let missing = WINDOWS_MIN.saturating_sub(*windows) as i64 * window_s;
            format!(
                "let both run for about {missing} seconds more; or a shorter --window than {window_s}s; or a longer --since"
            )
        }
        FleetError::TooFewInstances { old, new, .. } => {
            let count = |arm| {
                gathered
                    .instances
                    .iter()
                    .filter(|instance| instance.arm == arm)
                    .count()
            };
            let (all_old, all_new) = (count(Arm::Old), count(Arm::New));
            let is_short = (all_old, all_new) != (*old, *new);
            let or_wait = if is_short {
                format!(
                    "; {all_old} and {all_new} were there, some for fewer than {WINDOWS_MIN} windows of {window_s} s"
                )
            } else {
                String::new()
            };
            format!(
                "run {} more of the old build and {} of the new one, or both builds on {HOSTS_MIN} hosts: what one \
                 instance or host costs more cannot be told from the build, however long it runs{or_wait}",
                INSTANCES_MIN.saturating_sub(*old),
                INSTANCES_MIN.saturating_sub(*new)
            )
        }
    };
    Advice::error(error, next)
}

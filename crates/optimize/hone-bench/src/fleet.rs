//! Two builds that run side by side in production, from the series that hone-agent stored, or from the samples in a hub.
//!
//! The CPU cost of a deployed build is in the series `hone.service.*`; the work that it did is in a counter that the
//! service itself sends. A hub knows the CPU cost alone. This module fetches it in windows of time for each instance; the
//! statistics are in hone-measure ([`hone_measure::fleet`]).

mod api;
mod builds;
mod hub;
mod plan;
mod result_file;

use std::collections::BTreeSet;

use anyhow::anyhow;
use hone_files::advice::{Advice, Advise};
use hone_measure::Arm;
use hone_measure::fleet::{
    Fleet, FleetComparison, FleetError, Gathered, Grouping, HOSTS_MIN, INSTANCES_MIN, Series,
    WINDOWS_MIN,
};

use self::api::{Api, metric_name, selector};
pub use self::builds::Build;
pub use self::plan::{Plan, Request};
pub use self::result_file::stored;

/// hone-agent's metrics, as back ends name them.
const CPU: &str = "hone_service_cpu_seconds";
const THROTTLED: &str = "hone_service_throttled_seconds";
const UNATTRIBUTED: &str = "hone_service_cpu_unattributed_seconds";

/// Two builds compared: all numbers, and what they prove. Pairs are of the old and the new build.
pub struct Compared {
    /// The plan.
    pub plan: Plan,
    /// The builds.
    pub builds: [Build; 2],
    /// Raw numbers of all instances.
    pub fleet: Fleet,
    /// The series by instances and windows.
    pub gathered: Gathered,
    /// Gain and verdict.
    pub comparison: FleetComparison,
    /// What else is known of the CPU time.
    pub known: Known,
}

/// Fetches the series of both builds up to now, and judges.
///
/// # Errors
///
/// Returns an error if the request has no meaning, the server does not answer, or its series do not tell the builds apart.
pub fn compare(request: Request) -> anyhow::Result<Compared> {
    compared(Plan::new(request, jiff::Timestamp::now().as_second())?)
}

/// What else is known of the CPU time, of the old and the new build.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// An agent has read it from the kernel.
    Metered {
        /// Seconds throttled.
        throttled_s: [f64; 2],
        /// CPU seconds of processes that the agent did not see.
        unattributed_s: [f64; 2],
    },
    /// A hub has added it up from samples.
    Sampled {
        /// Standard error of the CPU time of an instance in a window, as a share of it: the median.
        error: f64,
        /// Hosts that are left out since others used more.
        hosts_left_out: usize,
    },
}

/// Series of CPU time and work of both builds, and what else is known of them.
struct Found {
    builds: [Build; 2],
    gathered: Gathered,
    known: Known,
}

fn compared(plan: Plan) -> anyhow::Result<Compared> {
    let Found {
        builds,
        gathered,
        known,
    } = match hub::is_hub(&plan.from) {
        true => of_hub(&plan)?,
        false => of_agents(&plan)?,
    };
    let fleet = Fleet {
        metric: plan.metric(),
        confidence: plan.confidence,
        seed: plan.seed,
        instances: gathered.instances.clone(),
        cells: gathered.cells.clone(),
    };
    let comparison =
        hone_measure::fleet::compare(&fleet).map_err(|error| advised(error, &plan, &gathered))?;
    Ok(Compared {
        plan,
        builds,
        fleet,
        gathered,
        comparison,
        known,
    })
}

fn grouping<'p>(plan: &'p Plan, builds: &'p [Build; 2]) -> Grouping<'p> {
    Grouping {
        by: &plan.by,
        builds: [&builds[0].id, &builds[1].id],
        grid: plan.grid,
    }
}

/// Gathers what a hub has of a service.
fn of_hub(plan: &Plan) -> anyhow::Result<Found> {
    let service = hub::Service::of(&plan.from, plan.grid)?;
    let builds = builds::chosen(plan, &service.builds()?)?;
    let grouping = grouping(plan, &builds);
    let (cpu, known) = service.cpu(grouping.builds)?;
    let gathered = grouping.gather(&cpu, None);
    Ok(Found {
        gathered,
        known,
        builds,
    })
}

/// Gathers what agents reported to a server with Prometheus' API.
fn of_agents(plan: &Plan) -> anyhow::Result<Found> {
    let api = Api::new(&plan.from);
    let mut labels = vec![("mode", "user")];
    labels.extend(plan.service_label());
    let builds = builds::chosen(plan, &api.series(&selector(CPU, &labels), plan.grid)?)?;
    let grouping = grouping(plan, &builds);
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
    let known = Known::Metered {
        throttled_s: of_services(THROTTLED)?,
        unattributed_s: of_services(UNATTRIBUTED)?,
    };
    Ok(Found {
        gathered,
        known,
        builds,
    })
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

#[cfg(test)]
mod tests {
    use hone_files::advice::render;

    use super::*;

    fn series(labels: &[(&str, &str)]) -> Series {
        let pairs = labels
            .iter()
            .map(|(key, value)| ((*key).into(), (*value).into()));
        Series {
            metric: pairs.collect(),
            values: Vec::new(),
        }
    }

    #[test]
    fn work_that_belongs_to_no_instance_is_refused() {
        let request = plan::tests::request("aaaa", "bbbb");
        let plan = Plan::new(request, 1_000_000).unwrap();
        let grouping = Grouping {
            by: &plan.by,
            builds: ["aaaa", "bbbb"],
            grid: plan.grid,
        };
        let cpu = [series(&[("host", "h1"), ("service", "web")])];
        let said = |work: &[Series]| match is_work(work, "requests", &cpu, &grouping) {
            Ok(()) => String::new(),
            Err(error) => render(&error),
        };
        assert_eq!(said(&cpu), "");
        let none = said(&[]);
        assert!(
            none.contains("--work requests: no series of it has one"),
            "{none}"
        );
        assert!(
            none.contains("next: [services] work = [\"requests\"]"),
            "{none}"
        );
        assert_eq!(
            said(&[series(&[("host", "h1"), ("service", "other")])]),
            "hone: --work requests: its host and service are those of no instance: h1 other, where CPU time has h1 web\n\
             next: --by with labels that both have, such as --by host\n"
        );
    }
}

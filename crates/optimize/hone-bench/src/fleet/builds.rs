//! The two builds that the user named, among those that ran.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow};
use hone_files::advice::Advise;
use hone_host::build_id::build_id;
use hone_measure::fleet::Labels;

use super::hub;
use super::plan::Plan;

/// Number of build ids that an error lists.
const LISTED_MAX: usize = 20;
/// Smallest number of digits of a build id by which a build may be named.
const DIGITS_MIN: usize = 4;
/// Build ids of the agent's series that belong to no build.
const NO_BUILDS: [&str; 3] = ["none", "unknown", "others"];

/// A build as the series name it.
#[derive(Clone, PartialEq, Debug)]
pub struct Build {
    /// The whole build id.
    pub id: String,
    /// Names of the build's executables.
    pub executables: BTreeSet<String>,
}

/// Returns the two builds of a plan, from the labels of all series of CPU time.
pub(super) fn chosen(plan: &Plan, series: &[Labels]) -> anyhow::Result<[Build; 2]> {
    let ran = Ran::of(series);
    let [old, new] = &plan.builds;
    let builds = [ran.find(old, plan)?, ran.find(new, plan)?];
    if builds[0] == builds[1] {
        return Err(anyhow!(
            "{old} and {new} are the same build, {}",
            builds[0].id
        ))
        .next("two builds; the report compares the old one with itself anyway");
    }
    Ok(builds)
}

/// The builds that ran.
struct Ran {
    /// Names of executables, by build id.
    builds: BTreeMap<String, BTreeSet<String>>,
    /// True if no service has any series.
    is_nothing: bool,
}

impl Ran {
    fn of(series: &[Labels]) -> Self {
        let mut builds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for labels in series {
            let id = labels.get("build_id");
            if let Some(id) = id.filter(|id| !NO_BUILDS.contains(&id.as_str())) {
                let executables = builds.entry(id.clone()).or_default();
                executables.extend(labels.get("executable").cloned());
            }
        }
        Self {
            builds,
            is_nothing: series.is_empty(),
        }
    }

    /// Returns the build of a name: a build id, the beginning of one, or the path of an executable.
    fn find(&self, name: &str, plan: &Plan) -> anyhow::Result<Build> {
        let wanted = id_of_file(name)?.unwrap_or_else(|| name.to_owned());
        let of = |(id, executables): (&String, &BTreeSet<String>)| Build {
            id: id.clone(),
            executables: executables.clone(),
        };
        if let Some(exact) = self.builds.get_key_value(&wanted) {
            return Ok(of(exact));
        }
        let begins = |id: &str| wanted.len() >= DIGITS_MIN && id.starts_with(&wanted);
        let mut beginning = self.builds.iter().filter(|(id, _)| begins(id));
        match (beginning.next(), beginning.next()) {
            (Some(only), None) => Ok(of(only)),
            (Some(_), Some(_)) => Err(anyhow!("more than one build id begins with {wanted}"))
                .next(format!("more digits of it; there are {}", self.listed())),
            (None, _) => Err(anyhow!("no build {wanted} ran in the last {}", plan.since))
                .next(self.others(hub::is_hub(&plan.from))),
        }
    }

    /// Returns the next step after a build that did not run.
    fn others(&self, is_hub: bool) -> String {
        if self.is_nothing && is_hub {
            return "a longer --since; hone top hub:SERVICE --by label:build lists builds".into();
        }
        if self.is_nothing {
            return "[services] report = true in the configuration of hone-agent on these hosts; \
                    or a longer --since, another --service"
                .into();
        }
        if self.builds.is_empty() {
            return "link the programs with a build id (-Wl,--build-id), and let the agent read them (CAP_SYS_PTRACE)".into();
        }
        format!("one of these that ran: {}", self.listed())
    }

    fn listed(&self) -> String {
        let names = self.builds.iter().take(LISTED_MAX);
        let names = names.map(|(id, executables)| {
            let executables: Vec<&str> = executables.iter().map(String::as_str).collect();
            format!("{id} ({})", executables.join(", "))
        });
        let names: Vec<String> = names.collect();
        let more = match self.builds.len().saturating_sub(LISTED_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", names.join(", "))
    }
}

/// Returns the build id of an executable, if the name is that of a file.
fn id_of_file(name: &str) -> anyhow::Result<Option<String>> {
    let path = Path::new(name);
    if !path.is_file() {
        return Ok(None);
    }
    let file = File::open(path).with_context(|| name.to_owned())?;
    let id = build_id(&file).with_context(|| format!("{name} has no build id"));
    id.next("name an executable that was linked with one (-Wl,--build-id), or the id itself")
        .map(Some)
}

#[cfg(test)]
mod tests {
    use hone_files::advice::render;

    use super::super::plan::tests::request;
    use super::*;

    fn labels(id: &str, executable: &str) -> Labels {
        let pairs = [("build_id", id), ("executable", executable)];
        pairs.map(|(key, value)| (key.into(), value.into())).into()
    }

    fn ran() -> Vec<Labels> {
        vec![
            labels("aaaa1111", "web"),
            labels("aaaa2222", "web"),
            labels("aaaa2222", "web-debug"),
            labels("bb", "job"),
            labels("none", "script"),
        ]
    }

    fn chosen_of(old: &str, new: &str, series: &[Labels]) -> anyhow::Result<[Build; 2]> {
        chosen(&Plan::new(request(old, new), 1_000_000).unwrap(), series)
    }

    #[test]
    fn builds_are_named_by_whole_ids_and_by_beginnings() {
        let [old, new] = chosen_of("bb", "aaaa2", &ran()).unwrap();
        assert_eq!((old.id.as_str(), new.id.as_str()), ("bb", "aaaa2222"));
        let executables: Vec<_> = new.executables.iter().map(String::as_str).collect();
        assert_eq!(executables, ["web", "web-debug"]);
    }

    #[test]
    fn a_name_that_fits_no_single_build_gets_the_next_step() {
        #[track_caller]
        fn refused(old: &str, series: &[Labels], fact: &str, next: &str) {
            let said = render(&chosen_of(old, "bb", series).unwrap_err());
            let (first, step) = said.split_once("\nnext: ").unwrap();
            assert!(first.contains(fact) && step.contains(next), "{said}");
        }
        let all = "aaaa1111 (web), aaaa2222 (web, web-debug), bb (job)";
        refused(
            "aaaa",
            &ran(),
            "more than one build id begins with aaaa",
            all,
        );
        refused("cccc", &ran(), "no build cccc ran in the last 1h", all);
        refused("none", &ran(), "no build none ran", all);
        refused("b", &ran(), "no build b ran", all);
        refused(
            "bb",
            &ran(),
            "bb and bb are the same build, bb",
            "two builds",
        );
        refused("cccc", &ran()[4..], "no build cccc", "-Wl,--build-id");
        refused("cccc", &[], "no build cccc", "report = true");
    }

    #[test]
    fn a_long_list_of_builds_is_cut() {
        let ids = 0..LISTED_MAX + 3;
        let series: Vec<_> = ids.map(|id| labels(&format!("id{id:02}"), "web")).collect();
        let said = render(&chosen_of("cccc", "id00", &series).unwrap_err());
        assert!(said.ends_with("id19 (web) and 3 more\n"), "{said}");
    }
}

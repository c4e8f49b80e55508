//! Who the recorded processes are: their service, their container, and the build of their program.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hone_host::build_id::{KnownBuilds, build_id};
use hone_host::cgroup::Membership;
use hone_host::container::{self, Labels};
use hone_host::process::Process;
use hone_host::service;
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::choice::Candidate;
use crate::containers::Containers;

/// Endings of units that are a service as a whole.
const UNIT: &str = ".service";

/// Rule that names the service of processes.
#[derive(Clone, Debug)]
pub struct ServiceRule {
    /// Name of the service; `$1` and the like stand for groups of the expression.
    pub service: String,
    /// What the expression is searched in.
    pub by: RuleOf,
    /// The expression.
    pub pattern: Regex,
}

/// What the expression of a rule is searched in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleOf {
    /// The path of the process' control group.
    Cgroup,
    /// The path of its executable.
    Executable,
    /// The value of a label of its container, by the label's key.
    Label(String),
}

/// What is known of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Identity {
    /// Service; empty if the process was gone before anybody could look.
    pub(crate) service: String,
    /// Id of the container in hexadecimal digits; empty outside of containers.
    pub(crate) container: String,
    /// Build id of the executable in hexadecimal digits, or as Go writes it; empty if there is none.
    pub(crate) build: String,
}

/// The processes of the host. A process is looked at when it is new, and again when its name is another one, since it has then
/// become another program.
#[derive(Debug)]
pub(crate) struct Identities {
    proc: PathBuf,
    rules: Vec<ServiceRule>,
    containers: Containers,
    known: FxHashMap<i32, Known>,
    builds: KnownBuilds,
    looks: u64,
    /// Time of the last look, and how long the look before it had been over then.
    looked: Instant,
    between: Duration,
}

#[derive(Debug)]
struct Known {
    /// True for threads of the kernel.
    is_kernels: bool,
    /// CPU time so far, and that part of it since the look before, in ticks.
    ticks: u64,
    recent_ticks: u64,
    /// Start of the process in ticks since boot, which tells it from a later one of the same id.
    started: u64,
    name: Vec<u8>,
    identity: Identity,
    /// The last look that saw the process.
    seen: u64,
}

impl Identities {
    /// Creates the table of the processes of the host with this root of its files.
    pub(crate) fn of(root: &Path, rules: Vec<ServiceRule>) -> Self {
        Self {
            proc: root.join("proc"),
            rules,
            containers: Containers::of(root),
            known: FxHashMap::default(),
            builds: KnownBuilds::default(),
            looks: 0,
            looked: Instant::now(),
            between: Duration::ZERO,
        }
    }

    /// Looks at all processes, and forgets those that were gone at the look before already: samples of a process may come after
    /// its end.
    pub(crate) fn look(&mut self) {
        self.looks += 1;
        self.between = self.looked.elapsed();
        self.looked = Instant::now();
        let Ok(entries) = fs::read_dir(&self.proc) else {
            return;
        };
        for entry in entries.flatten() {
            if let Some(pid) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            {
                self.look_at(pid);
            }
        }
        let before = self.looks.saturating_sub(1);
        self.known.retain(|_, known| known.seen >= before);
        let known = self.known.values();
        let used: FxHashSet<&str> = known.map(|known| &*known.identity.container).collect();
        self.containers.keep(|id| used.contains(id));
    }

    /// Returns what is known of a process.
    pub(crate) fn get(&self, pid: i32) -> Option<&Identity> {
        self.known.get(&pid).map(|known| &known.identity)
    }

    /// Returns the time between the last two looks.
    pub(crate) fn since_the_look_before(&self) -> Duration {
        self.between
    }

    /// Returns the processes that run programs, with the CPU time that they used since the look before.
    pub(crate) fn candidates(&self) -> Vec<Candidate<'_>> {
        let known = self.known.iter();
        let known = known.filter(|(_, known)| known.seen == self.looks && !known.is_kernels);
        let candidates = known.map(|(&pid, known)| Candidate {
            pid,
            service: &known.identity.service,
            ticks: known.recent_ticks,
        });
        let mut candidates: Vec<_> = candidates.collect();
        candidates.sort_unstable_by_key(|one| one.pid);
        candidates
    }

    fn look_at(&mut self, pid: i32) {
        let directory = self.proc.join(pid.to_string());
        let Ok(line) = fs::read(directory.join("stat")) else {
            return;
        };
        let Some(process) = Process::parse(&line) else {
            return;
        };
        let ticks = process.user_ticks.saturating_add(process.system_ticks);
        if let Some(known) = self.known.get_mut(&pid)
            && known.started == process.started_ticks
            && known.name == process.name
        {
            known.seen = self.looks;
            known.recent_ticks = ticks.saturating_sub(known.ticks);
            known.ticks = ticks;
            return;
        }
        let Some(identity) = self.identify(&directory, process.name) else {
            return;
        };
        let known = Known {
            is_kernels: process.is_kernels,
            ticks,
            recent_ticks: ticks,
            started: process.started_ticks,
            name: process.name.to_owned(),
            identity,
            seen: self.looks,
        };
        self.known.insert(pid, known);
    }

    fn identify(&mut self, directory: &Path, name: &[u8]) -> Option<Identity> {
        let text = fs::read_to_string(directory.join("cgroup")).ok()?;
        let membership = Membership::parse(&text);
        let link = directory.join("exe");
        let executable = fs::read_link(&link).ok();
        let executable = executable.map_or_else(
            || String::from_utf8_lossy(name).into_owned(),
            |path| path.to_string_lossy().into_owned(),
        );
        let executable = executable.strip_suffix(" (deleted)").unwrap_or(&executable);
        let cgroup = membership.path();
        let container = service::container(cgroup).unwrap_or_default();
        let labels = match container.is_empty() {
            true => Arc::default(),
            false => self.containers.labels(container),
        };
        Some(Identity {
            service: service_of(&self.rules, cgroup, executable, &labels),
            container: container.to_owned(),
            build: self.build_of(&link),
        })
    }

    fn build_of(&mut self, link: &Path) -> String {
        let read = || {
            let file = File::open(link).ok()?;
            Some(build_id(&file).unwrap_or_default().into())
        };
        let file = fs::metadata(link).ok();
        let build = file.and_then(|file| self.builds.of(&file, read));
        build.map_or_else(String::new, |build| build.to_string())
    }
}

/// Returns the service of a process: that of the first rule that fits; else what the labels of its container name; else the unit
/// of systemd that runs it; else, in containers and elsewhere, the name of its executable.
fn service_of(rules: &[ServiceRule], cgroup: &str, executable: &str, labels: &Labels) -> String {
    for rule in rules {
        let searched = match &rule.by {
            RuleOf::Cgroup => Some(cgroup),
            RuleOf::Executable => Some(executable),
            RuleOf::Label(key) => labels.get(key).map(String::as_str),
        };
        if let Some(found) = searched.and_then(|searched| rule.pattern.captures(searched)) {
            let mut name = String::new();
            found.expand(&rule.service, &mut name);
            if container::is_name(&name) {
                return name;
            }
        }
    }
    if let Some(named) = container::service(labels) {
        return named.to_owned();
    }
    let unit = service::service(cgroup).name;
    let is_whole = unit.ends_with(UNIT) && !unit.starts_with("user@");
    match (is_whole, service::container(cgroup)) {
        (true, None) => unit.trim_end_matches(UNIT).to_owned(),
        _ => executable.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_a_unit_or_else_a_program_unless_a_rule_says_otherwise() {
        let of =
            |cgroup: &str, executable: &str| service_of(&[], cgroup, executable, &Labels::new());
        assert_eq!(
            of("/system.slice/nginx.service", "/usr/sbin/nginx"),
            "nginx"
        );
        assert_eq!(
            of("/user.slice/user-0.slice/session-1.scope", "/usr/bin/make"),
            "make"
        );
        assert_eq!(of("/", "/opt/server"), "server");
        let container = format!("/docker/{}", "ab".repeat(32));
        assert_eq!(of(&container, "/app/checkout"), "checkout");
        let rule = |by, pattern: &str, service: &str| ServiceRule {
            service: service.into(),
            by,
            pattern: Regex::new(pattern).unwrap(),
        };
        let rules = &[
            rule(RuleOf::Cgroup, "/batch/([a-z]+)", "batch-$1"),
            rule(RuleOf::Executable, "^/opt/jvm/", "java"),
        ];
        let by_rules =
            |cgroup: &str, executable: &str| service_of(rules, cgroup, executable, &Labels::new());
        assert_eq!(
            by_rules("/batch/nightly/7", "/opt/jvm/bin/java"),
            "batch-nightly"
        );
        assert_eq!(by_rules("/", "/opt/jvm/bin/java"), "java");
    }

    #[test]
    fn containers_are_of_the_service_that_labels_name_unless_a_rule_says_otherwise() {
        let cgroup = format!("/docker/{}", "ab".repeat(32));
        let labels = [("com.docker.compose.service", "till"), ("team", "pay")];
        let labels: Labels = labels
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
        let of = |rules: &[ServiceRule]| service_of(rules, &cgroup, "/app/server", &labels);
        assert_eq!(of(&[]), "till");
        let by_label = |key: &str| ServiceRule {
            service: "$0".into(),
            by: RuleOf::Label(key.into()),
            pattern: Regex::new(".*").unwrap(),
        };
        assert_eq!(of(&[by_label("owner"), by_label("team")]), "pay");
        let nameless = ServiceRule {
            service: "$9".into(),
            ..by_label("team")
        };
        assert_eq!(of(&[nameless]), "till");
    }

    #[test]
    fn this_process_is_known_by_its_executable_and_build() {
        let mut identities = Identities::of(Path::new("/"), Vec::new());
        identities.look();
        let own = identities.get(std::process::id() as i32).unwrap();
        assert!(!own.service.is_empty());
        let executable = std::env::current_exe().unwrap();
        let expected = build_id(&File::open(executable).unwrap()).unwrap_or_default();
        assert_eq!(own.build, expected);
    }

    /// Writes the line of a process whose every number is this one.
    fn stat(directory: &Path, number: &str) {
        let mut fields = vec![number; 49];
        // No thread of the kernel; started at once.
        (fields[5], fields[18]) = ("0", "1");
        let line = format!("7 (worker) S {}\n", fields.join(" "));
        fs::write(directory.join("stat"), line).unwrap();
    }

    #[test]
    fn candidates_tell_the_cpu_time_since_the_look_before() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("proc/7");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("cgroup"), "0::/system.slice/a.service\n").unwrap();
        let mut identities = Identities::of(root.path(), Vec::new());
        let mut ticks = |number: &str| {
            stat(&directory, number);
            identities.look();
            let candidates = identities.candidates();
            candidates
                .iter()
                .map(|one| (one.pid, one.ticks))
                .collect::<Vec<_>>()
        };
        assert_eq!(ticks("10"), [(7, 20)]);
        assert_eq!(ticks("13"), [(7, 6)]);
    }

    #[test]
    fn a_process_is_remembered_for_one_look_after_its_end() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("proc/7");
        fs::create_dir_all(&directory).unwrap();
        stat(&directory, "1");
        fs::write(directory.join("cgroup"), "0::/system.slice/a.service\n").unwrap();
        let mut identities = Identities::of(root.path(), Vec::new());
        identities.look();
        fs::remove_dir_all(&directory).unwrap();
        identities.look();
        assert_eq!(identities.get(7).unwrap().service, "a");
        identities.look();
        assert_eq!(identities.get(7), None);
    }
}

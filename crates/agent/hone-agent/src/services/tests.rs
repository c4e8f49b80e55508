//! Tests with trees of files that stand for processes and cgroups, and the points reported for them.

use super::*;
use crate::aggregate::Aggregate;
use crate::limits::TAGS_MAX;
use crate::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use hone_host::build_id::build_id;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use tempfile::TempDir;
use testkit::made_elf::with_id;

/// A host that is made of files.
struct Host {
    root: TempDir,
}

impl Host {
    fn new() -> Self {
        let host = Self {
            root: tempfile::tempdir().unwrap(),
        };
        host.write("cgroup/cgroup.controllers", "cpu memory");
        host.write("proc/uptime", "1 1");
        host
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a process of a service, with the ticks that it has used so far.
    fn process(&self, pid: u32, service: &str, program: &str, user: u64, system: u64) {
        self.process_with_flags(pid, program, user, system, 0);
        let cgroup = format!("0::/system.slice/{service}\n");
        self.write(&format!("proc/{pid}/cgroup"), cgroup);
        let link = self.path(&format!("proc/{pid}/exe"));
        fs::remove_file(&link).ok();
        symlink(self.path(program), link).unwrap();
    }

    fn process_with_flags(&self, pid: u32, program: &str, user: u64, system: u64, flags: u64) {
        let started = 1000 + u64::from(pid);
        let stat = format!(
            "{pid} ({program}) S 1 1 1 0 -1 {flags} 0 0 0 0 {user} {system} 0 0 20 0 1 0 {started} 0 0\n"
        );
        self.write(&format!("proc/{pid}/stat"), stat);
    }

    fn cpu_stat(&self, service: &str, text: &str) {
        self.write(&format!("cgroup/system.slice/{service}/cpu.stat"), text);
    }

    fn end(&self, pid: u32) {
        fs::remove_dir_all(self.path(&format!("proc/{pid}"))).unwrap();
    }

    fn settings(&self) -> Settings {
        Settings {
            services_max: 3,
            work: vec!["hits".into()],
            proc: self.path("proc"),
            cgroup: self.path("cgroup"),
        }
    }
}

/// Returns the growth of counters and the values of gauges, by metric and tags.
fn values(points: &[Point]) -> BTreeMap<String, f64> {
    let named = points.iter().map(|point| {
        let tags: Vec<_> = point.series.tags().map(|(_, value)| value).collect();
        let metric = point.series.metric().trim_start_matches("hone.service.");
        let value = match point.value {
            Aggregate::Counter { delta, .. } => delta,
            Aggregate::Gauge(value) => value,
            _ => f64::NAN,
        };
        (format!("{metric} {}", tags.join(" ")), value)
    });
    named.collect()
}

#[track_caller]
fn holds(values: &BTreeMap<String, f64>, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        let found = values.get(*name).copied();
        assert!(
            found.is_some_and(|found| (found - value).abs() < 1e-9),
            "{name} is {found:?}, not {value}: {values:#?}"
        );
    }
}

#[test]
fn cpu_time_counts_from_the_first_look_on_and_is_added_up_by_service_and_build() {
    let host = Host::new();
    host.write("old", with_id(&[0xaa]));
    host.write("new", with_id(&[0xbb]));
    host.process(10, "web.service", "old", 500, 100);
    host.process(11, "web.service", "new", 0, 0);
    host.process_with_flags(2, "kthreadd", 9, 9, 0x0020_0000);
    let mut services = Services::watch(host.settings());
    host.process(10, "web.service", "old", 530, 110);
    host.process(11, "web.service/inner", "new", 7, 0);
    // Two processes that are new since then: all their CPU time counts.
    host.process(12, "web.service", "new", 3, 1);
    host.process(13, "db.service", "new", 2, 0);
    let found = values(&services.look());
    let expected = [
        ("cpu.seconds aa old user web.service", 0.30),
        ("cpu.seconds aa old system web.service", 0.10),
        ("cpu.seconds bb new user web.service", 0.10),
        ("cpu.seconds bb new system web.service", 0.01),
        ("cpu.seconds bb new user db.service", 0.02),
        ("processes aa old web.service", 1.0),
        ("processes bb new web.service", 2.0),
    ];
    holds(&found, &expected);
    let kernels = found.keys().filter(|name| name.contains("kthreadd"));
    assert_eq!(kernels.count(), 0);
    // Nothing counts twice.
    let again = values(&services.look());
    let expected =
        expected.map(|(name, value)| (name, if name.starts_with("cpu") { 0.0 } else { value }));
    holds(&again, &expected);
}

#[test]
fn another_program_in_the_same_process_and_another_process_of_the_same_number_are_seen() {
    let host = Host::new();
    host.write("old", with_id(&[0xaa]));
    host.write("new", with_id(&[0xbb]));
    host.process(10, "web.service", "old", 100, 0);
    host.process(11, "web.service", "old", 100, 0);
    let mut services = Services::watch(host.settings());
    host.process(10, "web.service", "new", 120, 0);
    host.process(11, "web.service", "old", 5, 0);
    // The process now seems to have started later.
    let stat = fs::read_to_string(host.path("proc/11/stat")).unwrap();
    host.write("proc/11/stat", stat.replace(" 1011 ", " 9999 "));
    let found = values(&services.look());
    let expected = [
        ("cpu.seconds bb new user web.service", 0.20),
        ("cpu.seconds aa old user web.service", 0.05),
    ];
    holds(&found, &expected);
}

#[test]
fn what_ended_between_two_looks_is_told_by_the_cgroup() {
    let host = Host::new();
    host.write("sh", with_id(&[1]));
    host.process(10, "cron.service", "sh", 100, 0);
    host.cpu_stat(
        "cron.service",
        "usage_usec 50000000\nnr_periods 1\nnr_throttled 0\nthrottled_usec 0\n",
    );
    let mut services = Services::watch(host.settings());
    host.process(10, "cron.service", "sh", 150, 0);
    let stat = "usage_usec 52500000\nnr_periods 101\nnr_throttled 20\nthrottled_usec 300000\n";
    host.cpu_stat("cron.service", stat);
    host.write("cgroup/system.slice/cron.service/memory.current", "4096");
    let found = values(&services.look());
    let expected = [
        ("cpu.seconds 01 sh user cron.service", 0.5),
        ("cpu.unattributed_seconds cron.service", 2.0),
        ("throttled.seconds cron.service", 0.3),
        ("throttled.periods cron.service", 20.0),
        ("periods cron.service", 100.0),
        ("memory.bytes cron.service", 4096.0),
    ];
    holds(&found, &expected);
    // Late ticks are subtracted from the CPU time beyond processes, and no reported sum falls.
    host.process(10, "cron.service", "sh", 160, 0);
    let found = values(&services.look());
    holds(&found, &[("cpu.unattributed_seconds cron.service", 0.0)]);
    host.cpu_stat("cron.service", "usage_usec 52700000\n");
    let found = values(&services.look());
    holds(&found, &[("cpu.unattributed_seconds cron.service", 0.1)]);
}

/// Layout of a user's own systemd.
#[test]
fn services_within_a_service_are_not_unattributed_there() {
    let host = Host::new();
    host.write("sh", with_id(&[1]));
    let within = "user.service/app.slice/x.service";
    let usage = |ms: u64| format!("usage_usec {}\n", ms * 1000);
    let at = |user: u64, x: u64, all_ms: u64, x_ms: u64| {
        host.process(10, "user.service", "sh", user, 0);
        host.process(11, within, "sh", x, 0);
        host.cpu_stat("user.service", &usage(all_ms));
        host.cpu_stat(within, &usage(x_ms));
    };
    at(10, 20, 300, 200);
    let mut services = Services::watch(host.settings());
    // 100 and 300 ms of processes; 50 ms of an unseen process in x.
    at(20, 50, 750, 550);
    let found = values(&services.look());
    let expected = [
        ("cpu.seconds 01 sh user user.service", 0.1),
        ("cpu.seconds 01 sh user x.service", 0.3),
        ("cpu.unattributed_seconds user.service", 0.05),
        ("cpu.unattributed_seconds x.service", 0.05),
    ];
    holds(&found, &expected);
}

#[test]
fn the_busiest_have_places_of_their_own_and_the_others_come_together() {
    let host = Host::new();
    host.write("x", with_id(&[1]));
    for pid in 10..20 {
        host.process(pid, &format!("{pid}.service"), "x", 0, 0);
    }
    let mut services = Services::watch(host.settings());
    // Idle services got no entries, and entries are free again after a while.
    for pid in 10..13 {
        host.process(pid, &format!("{pid}.service"), "x", 1, 0);
    }
    services.look();
    for pid in 10..20 {
        host.end(pid);
    }
    for _ in 0..30 {
        services.look();
    }
    for pid in 20..30 {
        host.process(pid, &format!("{pid}.service"), "x", u64::from(pid), 0);
    }
    let found = values(&services.look());
    let busy: Vec<_> = found
        .iter()
        .filter(|(name, _)| name.contains(" user "))
        .collect();
    assert_eq!(busy.len(), 4, "{busy:?}");
    let expected = [
        ("cpu.seconds 01 x user 29.service", 0.29),
        ("cpu.seconds 01 x user 27.service", 0.27),
        ("cpu.seconds others others user others", 1.61),
        ("processes others others others", 7.0),
    ];
    holds(&found, &expected);
}

#[test]
fn a_program_that_cannot_be_read_or_has_no_id_is_said_to_be_so() {
    let host = Host::new();
    host.write("script", "#!/bin/sh\n");
    host.process(10, "a.service", "script", 0, 0);
    host.process(11, "a.service", "gone", 0, 0);
    let mut services = Services::watch(host.settings());
    host.process(10, "a.service", "script", 1, 0);
    host.process(11, "a.service", "gone", 2, 0);
    let found = values(&services.look());
    let expected = [
        ("cpu.seconds none script user a.service", 0.01),
        ("cpu.seconds unknown gone user a.service", 0.02),
    ];
    holds(&found, &expected);
}

#[test]
fn samples_that_count_work_get_the_build_of_their_process_in_every_dialect_of_tags() {
    let host = Host::new();
    host.write("web", with_id(&[0xaa]));
    host.process(10, "web.service", "web", 0, 0);
    let mut work = WorkTags::of(&host.settings()).unwrap();
    let mut tags_of = |metric: &str, tags: &str, syntax, pid| {
        let sample = Sample {
            series: RawSeries {
                kind: Kind::Counter,
                metric: metric.as_bytes(),
                tags: tags.as_bytes(),
                syntax,
            },
            values: Values::Numbers(&[1.0]),
            weight: 1.0,
            time_s: None,
            container: None,
        };
        let mut seen = Vec::new();
        work.tag(&sample, pid, &mut |sample| {
            let series = crate::canonical::canonical(&sample.series).unwrap();
            let tags = series.tags().map(|(key, value)| format!("{key}={value}"));
            seen.extend(tags);
        });
        seen.join(" ")
    };
    let own = "build_id=aa service=web.service";
    for (syntax, tags) in [
        (TagSyntax::Sdk, "p=/"),
        (TagSyntax::Colons, "p:/"),
        (TagSyntax::Equals, "p=/"),
    ] {
        assert_eq!(
            tags_of("hits", tags, syntax, 10),
            "build_id=aa p=/ service=web.service"
        );
        assert_eq!(tags_of("hits", "", syntax, 10), own);
        // Other metrics, unknown processes, and processes that are gone.
        assert_eq!(tags_of("misses", tags, syntax, 10), "p=/");
        assert_eq!(tags_of("hits", tags, syntax, 0), "p=/");
        assert_eq!(tags_of("hits", tags, syntax, 77), "p=/");
    }
    // A tag that the client has set holds.
    let said = tags_of("hits", "service=shop", TagSyntax::Sdk, 10);
    assert_eq!(said, "build_id=aa service=shop");
    // A sample without room for more tags is stored without them.
    for (count, expected) in [(TAGS_MAX - 2, TAGS_MAX), (TAGS_MAX - 1, TAGS_MAX - 1)] {
        for (syntax, is, and) in [
            (TagSyntax::Sdk, '=', "|"),
            (TagSyntax::Sdk, '=', " "),
            (TagSyntax::Colons, ':', ","),
            (TagSyntax::Equals, '=', ","),
        ] {
            let all: Vec<_> = (0..count).map(|number| format!("k{number}{is}v")).collect();
            let tags = tags_of("hits", &all.join(and), syntax, 10);
            assert_eq!(tags.split(' ').count(), expected);
        }
    }
}

/// The process of this test, as the kernel shows it.
#[test]
fn this_process_is_seen_with_its_own_build_id() {
    let directory = tempfile::tempdir().unwrap();
    let own = std::process::id();
    symlink(
        format!("/proc/{own}"),
        directory.path().join(own.to_string()),
    )
    .unwrap();
    let settings = Settings {
        proc: directory.path().to_owned(),
        ..Settings::default()
    };
    let mut services = Services::watch(settings);
    // Looks until this process has used a tick.
    let mut points = services.look();
    while points.is_empty() {
        points = services.look();
    }
    let processes: Vec<_> = points
        .iter()
        .filter(|point| point.series.metric() == PROCESSES)
        .collect();
    assert_eq!(processes.len(), 1);
    let series = &processes[0].series;
    let file = std::env::current_exe().unwrap();
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(
        series
            .tag("executable")
            .is_some_and(|tag| !tag.is_empty() && name.starts_with(tag))
    );
    let id = build_id(&File::open(&file).unwrap());
    let expected = id.unwrap_or_else(|| identity::NONE.to_owned());
    assert_eq!(series.tag("build_id"), Some(expected.as_str()));
}

/// No test: the cost of a look among 2,000 processes, which it starts. `HONE_LONG=1 cargo test -p hone-agent --lib cost_of_a_look -- --nocapture`
/// prints it.
#[test]
fn the_cost_of_a_look_at_two_thousand_processes() {
    if std::env::var_os("HONE_LONG").is_none() {
        return;
    }
    use std::process::{Child, Command};
    struct Sleeping(Vec<Child>);
    impl Drop for Sleeping {
        fn drop(&mut self) {
            for child in &mut self.0 {
                child.kill().ok();
                child.wait().ok();
            }
        }
    }
    let mut sleeping = Sleeping(Vec::new());
    for _ in 0..2000 {
        let child = Command::new("sleep").arg("600").spawn().unwrap();
        sleeping.0.push(child);
    }
    let cpu_ms = || {
        let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        let ns: f64 = text.split(' ').next().unwrap().parse().unwrap();
        ns / 1e6
    };
    let before = cpu_ms();
    let mut services = Services::watch(Settings::default());
    let processes = services.processes.len();
    println!(
        "first look at {processes} processes: {:.1} ms",
        cpu_ms() - before
    );
    for _ in 0..10 {
        let before = cpu_ms();
        let points = services.look().len();
        println!("look, {points} points: {:.1} ms", cpu_ms() - before);
    }
}

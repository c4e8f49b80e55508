//! Rules that rename, relabel and drop, from their files to what is told; and beside statsd_exporter with the same file.

use std::collections::BTreeSet;
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Made, Process, until};

use super::support::{ask, post};
use crate::common::{Agent, figure};

const CONFIG: &str = "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"127.0.0.1:0\"\nmetrics = \"all\"\n\
     [[listen]]\naddress = \"udp:127.0.0.1:0\"\n[rewrite]\nmapping = \"mapping.yml\"\n";
const RELABEL: &str = "relabel = [{ source_labels = [\"__name__\"], regex = \"debug[.].*\", action = \"drop\" },\n\
     { regex = \"pod\", action = \"labeldrop\" }]\n";

const MAPPING: &str = r#"
defaults: { observer_type: summary }
mappings:
- match: "shop.*.requests.*"
  name: "requests_total"
  labels: { service: "$1", outcome: "$2" }
- match: "shop.*.latency"
  match_metric_type: observer
  name: "latency"
  labels: { service: "${1}" }
- match: "*.queue.*"
  name: "queue_$2"
  honor_labels: true
  labels: { from: "$1" }
- match: "^node([0-9]+)[.](.+)$"
  match_type: regex
  name: "node_$2"
  labels: { node: "$1" }
- match: "legacy.*"
  action: drop
  name: "dropped"
"#;

/// What clients send, each thing once.
const LINES: &str = "shop.web.requests.ok:3|c\nshop.web.requests.failed:1|c\nshop.api.requests.ok:2|c|#zone:a\n\
     shop.web.latency:5|ms\nshop.web.latency:7|c\nmail.queue.length:4|g\nmail.queue.age:4|g|#from:client\n\
     node12.load:1|g\nnode12.disk.free:7|g\nlegacy.thing:1|c\nlegacy.thing.more:1|c\nplain:1|c|#service:web\n\
     shop.web.requests:1|c\nshop..requests.ok:1|c\nworker.requests.total.ok:1|c";

/// Sends lines until a text that can be scraped has all these series, and returns it.
fn told(lines: &str, to: SocketAddr, scraped: SocketAddr, awaited: &[&str]) -> String {
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(lines.as_bytes(), to).unwrap();
    until("all is told", || {
        // An answer in one piece.
        let (_, text) = ask(scraped, "GET /metrics HTTP/1.0\r\nHost: x\r\n\r\n")?;
        awaited
            .iter()
            .all(|name| text.contains(name))
            .then_some(text)
    })
}

#[test]
fn rules_hold_from_the_file_to_what_is_told_and_after_a_reload() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("mapping.yml"), MAPPING).unwrap();
    let agent = Agent::start(directory.path(), &format!("{CONFIG}{RELABEL}"));
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    let lines = "shop.web.requests.ok:3|c|#pod:p1\nshop.web.requests.ok:4|c|#pod:p2\ndebug.x:1|c\nlegacy.x:1|c\nkept:1|c";
    let requests = "requests_total{outcome=\"ok\",service=\"web\"} 7\n";
    let text = told(lines, udp, http, &[requests, "kept 1\n"]);
    assert!(
        !text.contains("debug") && !text.contains("legacy"),
        "{text}"
    );
    // The last rule is taken out while the agent runs.
    let rules = MAPPING.split("- match: \"legacy").next().unwrap();
    fs::write(directory.path().join("mapping.yml"), rules).unwrap();
    let (status, said) = post(http, "/-/reload");
    assert_eq!(
        (status, said.contains("rules of rewriting")),
        (200, true),
        "{said}"
    );
    until("the new rules hold", || {
        let text = told("legacy.x:1|c", udp, http, &[]);
        text.contains("legacy_x").then_some(())
    });
    fs::write(
        directory.path().join("mapping.yml"),
        "mappings: [{ match: a }]",
    )
    .unwrap();
    let (status, said) = post(http, "/-/reload");
    assert_eq!(status, 400, "{said}");
    assert!(
        said.contains("mapping.yml: mapping 1 (match: \"a\"): name is missing"),
        "{said}"
    );
    let said = agent.end();
    assert!(
        figure(
            &said,
            "hone.agent.values.refused reason=a rule of the configuration drops it "
        ) >= 2.0
    );
}

/// Names and labels of what can be scraped, without what the one or the other adds to spreads, and without its own figures.
fn series(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.filter_map(|line| Some(line.rsplit_once(' ')?.0));
    let own = [
        "go_",
        "process_",
        "promhttp_",
        "statsd_exporter_",
        "statsd_metric_mapper_",
        "hone_agent_",
    ];
    let is_of_clients = |name: &&str| !own.iter().any(|own| name.starts_with(own));
    let is_told_by_both = |name: &&str| {
        !name.contains("quantile=") && !name.contains("_min") && !name.contains("_max")
    };
    let names = names.filter(is_of_clients).filter(is_told_by_both);
    names.map(sorted).collect()
}

/// A name with its labels in order, without empty ones, which are none.
fn sorted(name: &str) -> String {
    let (metric, labels) = name.split_once('{').unwrap_or((name, ""));
    let labels = labels.trim_end_matches('}').split("\",");
    let labels = labels.map(|label| label.trim_end_matches('"'));
    let mut labels: Vec<_> = labels.filter(|label| !label.ends_with('=')).collect();
    labels.sort_unstable();
    format!("{metric} {}", labels.join(","))
}

/// statsd_exporter, from the Go module proxy.
fn statsd_exporter() -> Option<PathBuf> {
    const MODULE: &str = "github.com/prometheus/statsd_exporter@v0.31.0";
    let go = testkit::go()?;
    let made = Made::new("statsd_exporter").with_words(&[MODULE]);
    let place = made.if_by(|place| {
        let mut install = Command::new(&go);
        let install = install.args(["install", MODULE]).env("GOBIN", place);
        let ended = install.output().unwrap();
        let why = String::from_utf8_lossy(&ended.stderr);
        if !ended.status.success() {
            println!("skipped: statsd_exporter cannot be had: {why}");
        }
        ended.status.success()
    })?;
    Some(place.join("statsd_exporter"))
}

/// Starts statsd_exporter with a mapping file; where it takes lines, and where it is scraped.
fn exporter(program: &Path, mapping: &Path) -> (Process, SocketAddr, SocketAddr) {
    let mut command = Command::new(program);
    command.args([
        "--web.listen-address=127.0.0.1:0",
        "--statsd.listen-udp=127.0.0.1:0",
        "--statsd.listen-tcp=",
    ]);
    let exporter =
        Process::start(command.arg(format!("--statsd.mapping-config={}", mapping.display())));
    exporter.hears("Accepting Prometheus Requests");
    let at = |table: &'static str| until(table, || listens(exporter.pid(), table));
    let (takes, scraped) = (at("udp"), at("tcp"));
    (exporter, takes, scraped)
}

/// Where a process listens, by a table of the kernel: "tcp" or "udp".
fn listens(pid: u32, table: &str) -> Option<SocketAddr> {
    const LISTENS: [&str; 2] = ["0A", "07"];
    let links = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
    let targets = links.filter_map(|link| fs::read_link(link.path()).ok());
    let sockets = targets.filter_map(|target| {
        let target = target.to_str()?;
        Some(
            target
                .strip_prefix("socket:[")?
                .strip_suffix(']')?
                .to_owned(),
        )
    });
    let own: BTreeSet<String> = sockets.collect();
    let table = fs::read_to_string(format!("/proc/{pid}/net/{table}")).ok()?;
    table.lines().skip(1).find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let port = u16::from_str_radix(words.get(1)?.rsplit(':').next()?, 16).ok()?;
        let is_it = own.contains(*words.get(9)?) && LISTENS.contains(words.get(3)?);
        is_it.then(|| SocketAddr::from(([127, 0, 0, 1], port)))
    })
}

#[test]
#[ignore = "builds whole modules"]
fn a_mapping_file_makes_the_series_that_statsd_exporter_makes() {
    let Some(program) = statsd_exporter() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let mapping = directory.path().join("mapping.yml");
    fs::write(&mapping, MAPPING).unwrap();
    let agent = Agent::start(directory.path(), CONFIG);
    let last = ["worker_requests_total_ok 1"];
    let own = told(LINES, agent.listens("udp:127.0.0.1:0"), agent.http(), &last);
    let (_exporter, takes, scraped) = exporter(&program, &mapping);
    let theirs = told(LINES, takes, scraped, &last);
    let (own, theirs) = (series(&own), series(&theirs));
    assert_eq!(own, theirs);
    assert!(own.len() >= 12, "{own:?}");
}

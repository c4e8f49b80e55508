//! The account as Prometheus' text exposition format 0.0.4 ("Exposition formats" in Prometheus' documentation), for
//! those who scrape the agent.
//!
//! The figures are those that are sent with every interval, and a few that are only of this moment. Names follow the
//! format's customs: `hone.agent.values` is `hone_agent_values_total` here.

use super::Account;
use crate::send::{Outcome, Reason};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What its answer is to be called in HTTP.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What stands behind `# TYPE`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
}

/// Name, type, help, and each label with its value.
type Families = BTreeMap<String, (Kind, &'static str, Vec<Labelled>)>;
type Labelled = (Vec<(&'static str, String)>, f64);

impl Account {
    /// The text. Whoever scrapes adds their own labels, such as the host.
    pub fn exposition(&self) -> String {
        let mut families = Families::new();
        for figure in self.figures() {
            let labels: Vec<_> = figure.tag.into_iter().collect();
            let name = format!("{}_total", figure.metric.replace('.', "_"));
            let help = help(figure.metric);
            add(
                &mut families,
                name,
                Kind::Counter,
                help,
                labels,
                figure.value as f64,
            );
        }
        let held = self.series as f64;
        let name = "hone_agent_series".to_owned();
        let text = "Series held now, as the limits count them.";
        add(&mut families, name, Kind::Gauge, text, Vec::new(), held);
        for (endpoint, outcome) in &self.endpoints {
            add_endpoint(&mut families, endpoint, outcome);
        }
        written(&families)
    }
}

fn add(
    families: &mut Families,
    name: String,
    kind: Kind,
    help: &'static str,
    labels: Vec<(&'static str, String)>,
    value: f64,
) {
    let family = families.entry(name);
    let (_, _, labelled) = family.or_insert_with(|| (kind, help, Vec::new()));
    labelled.push((labels, value));
}

/// What the figures do not say: what waits, and why points were lost.
fn add_endpoint(families: &mut Families, endpoint: &str, outcome: &Outcome) {
    let label = || ("endpoint", endpoint.to_owned());
    for (name, kind, text, value) in [
        (
            "hone_agent_points_queued",
            Kind::Gauge,
            "Points that wait for a back end.",
            outcome.queued,
        ),
        (
            "hone_agent_queue_bytes",
            Kind::Gauge,
            "Bytes that wait for a back end.",
            outcome.queued_bytes,
        ),
        (
            "hone_agent_retries_total",
            Kind::Counter,
            "Attempts to deliver that failed and are made again.",
            outcome.retries,
        ),
        (
            "hone_agent_delivered_bytes_total",
            Kind::Counter,
            "Bytes of delivered bodies.",
            outcome.delivered_bytes,
        ),
    ] {
        let labels = vec![label()];
        add(families, name.to_owned(), kind, text, labels, value as f64);
    }
    for reason in Reason::ALL {
        let labels = vec![label(), ("reason", reason.word().to_owned())];
        let text = "Points lost on their way to a back end, by reason.";
        let name = "hone_agent_points_lost_by_reason_total".to_owned();
        let lost = outcome.losses.of(reason) as f64;
        add(families, name, Kind::Counter, text, labels, lost);
    }
}

fn written(families: &Families) -> String {
    let mut text = String::new();
    for (name, (kind, help, labelled)) in families {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "# HELP {name} {}", escaped(help, false));
        let _ = writeln!(text, "# TYPE {name} {kind}");
        for (labels, value) in labelled {
            let pairs = labels
                .iter()
                .map(|(key, value)| format!("{key}=\"{}\"", escaped(value, true)));
            let pairs: Vec<_> = pairs.collect();
            let pairs = match pairs.is_empty() {
                true => String::new(),
                false => format!("{{{}}}", pairs.join(",")),
            };
            let _ = writeln!(text, "{name}{pairs} {value}");
        }
    }
    text
}

fn escaped(text: &str, is_quoted: bool) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    match is_quoted {
        true => text.replace('"', "\\\""),
        false => text,
    }
}

/// Of a figure of which nothing else is said.
const NO_HELP: &str = "A figure of the agent's account; see its guide.";

/// What a figure counts.
fn help(metric: &str) -> &'static str {
    match metric {
        "hone.agent.packets" => "Datagrams and whole frames received.",
        "hone.agent.bytes" => "Bytes of packets received.",
        "hone.agent.packets.truncated" => {
            "Datagrams that were longer than a packet may be, dropped."
        }
        "hone.agent.packets.dropped" => "Packets dropped because workers did not keep up.",
        "hone.agent.samples.dropped" => {
            "Points and lines in packets dropped because workers did not keep up."
        }
        "hone.agent.packets.dropped_by_kernel" => {
            "Datagrams that the kernel dropped because the receive buffer was full."
        }
        "hone.agent.frames.too_long" => {
            "Frames longer than a packet may be; their connections are closed."
        }
        "hone.agent.frames.foreign" => {
            "Frames of relaying agents that are none; their connections are closed."
        }
        "hone.agent.connections.without_room" => {
            "Connections closed since half-arrived frames of all took too much memory."
        }
        "hone.agent.frames.broken_off" => "Frames whose connections ended before them.",
        "hone.agent.connections.refused" => {
            "Connections closed at once because there were too many."
        }
        "hone.agent.errors" => "Calls of the system for packets or connections that failed.",
        "hone.agent.values" => "Values of samples that could be read.",
        "hone.agent.values.stored" => "Values stored, those in overflow series too.",
        "hone.agent.malformed" => "Points and lines that could not be read.",
        "hone.agent.values.lost" => {
            "Values stored, and lost with a worker's interval since it failed."
        }
        "hone.agent.failures" => "Packets that made a worker fail, each a fault of the agent.",
        "hone.agent.sums.held" => "Sums held at the largest number that there is.",
        "hone.agent.frames" => "Frames of relaying agents that were taken.",
        "hone.agent.frames.repeated" => {
            "Frames of relaying agents that had been taken before, not counted again."
        }
        "hone.agent.frames.too_late" => {
            "Frames of relaying agents so old that nobody knows whether they were taken, refused."
        }
        "hone.agent.events.dropped" => "Events of DogStatsD, which are dropped.",
        "hone.agent.checks.dropped" => "Service checks of DogStatsD, which are dropped.",
        "hone.agent.values.overflowed" => {
            "Values stored in an overflow series, by the limit on series."
        }
        "hone.agent.values.refused" => "Values whose series is not one, by reason.",
        "hone.agent.points.accepted" => {
            "Points given to a back end's queue, or found in it at the start."
        }
        "hone.agent.points.delivered" => "Points that a back end has.",
        "hone.agent.points.lost" => "Points lost on their way to a back end.",
        "hone.agent.attempts" => "Attempts to deliver.",
        _ => NO_HELP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receive::Received;

    fn account() -> Account {
        let mut account = Account::default();
        account.parsed.values = 12;
        let received = Received {
            packets: 7,
            ..Received::default()
        };
        account.listeners.insert("a\"b\\c\nd".into(), received);
        account.listeners.insert("other".into(), received);
        account.endpoints.insert("b".into(), Outcome::default());
        account
            .tally
            .refused
            .insert(crate::canonical::Refused::NoKey, 2);
        account
    }

    #[test]
    fn what_would_end_a_label_or_a_line_is_escaped() {
        let text = account().exposition();
        let wanted = r#"hone_agent_packets_total{listener="a\"b\\c\nd"} 7"#;
        assert!(text.lines().any(|line| line == wanted), "{text}");
        assert!(
            text.lines()
                .any(|line| line == "hone_agent_values_total 12"),
            "{text}"
        );
        assert_eq!(escaped("a\\b\n\"", false), "a\\\\b\\n\"");
    }

    #[test]
    fn each_figure_says_what_it_counts_once_and_its_lines_are_together() {
        let text = account().exposition();
        assert!(!text.contains(NO_HELP), "{text}");
        let mut family = String::new();
        let mut seen = Vec::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                family = rest.split(' ').next().unwrap().to_owned();
                assert!(!seen.contains(&family), "{family} comes twice");
                seen.push(family.clone());
            } else {
                let line = line.strip_prefix("# TYPE ").unwrap_or(line);
                let name = line.split([' ', '{']).next().unwrap();
                assert_eq!(name, family, "{text}");
            }
        }
        assert!(seen.len() > 20, "{seen:?}");
    }
}

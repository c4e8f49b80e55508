//! The account in Prometheus' text exposition format 0.0.4 ("Exposition formats" in Prometheus' documentation), for
//! scrapers of the agent.
//!
//! The text has all figures that are sent with every interval, and a few gauges that describe only the present moment.
//! Names follow the format's customs: `hone.agent.values` is `hone_agent_values_total` here.

use super::Account;
use crate::send::{Outcome, Reason};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Type of a metric family, written behind `# TYPE`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
}

/// Metric families by name: type, help text, and each value with its labels.
type Families = BTreeMap<String, (Kind, &'static str, Vec<Labelled>)>;
type Labelled = (Vec<(&'static str, String)>, f64);

impl Account {
    /// Returns the text. Scrapers add their own labels, such as the host.
    pub fn exposition(&self) -> String {
        let mut families = Families::new();
        for figure in self.figures() {
            let labels: Vec<_> = figure.tag.into_iter().collect();
            let name = format!("{}_total", figure.metric.replace('.', "_"));
            add(
                &mut families,
                name,
                Kind::Counter,
                figure.help,
                labels,
                figure.value,
            );
        }
        for (metric, text, value) in self.gauges() {
            let name = metric.replace('.', "_");
            add(&mut families, name, Kind::Gauge, text, Vec::new(), value);
        }
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

/// Adds what the figures leave out about an endpoint: the queue, retries, delivered bytes, and losses by reason.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receive::Received;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

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

    /// promtool also checks the customs of names: units, suffixes, help texts.
    #[test]
    fn promtool_has_nothing_to_say_about_any_figure() {
        let text = account().exposition();
        let promtool = Command::new("promtool")
            .args(["check", "metrics"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut promtool) = promtool else {
            println!("skipped: promtool is not installed (Debian: prometheus)");
            return;
        };
        let mut stdin = promtool.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        let said = promtool.wait_with_output().unwrap();
        let what = [said.stdout, said.stderr].concat();
        let what = String::from_utf8_lossy(&what);
        assert!(said.status.success() && what.is_empty(), "{what}");
    }

    #[test]
    fn times_are_in_seconds() {
        let mut account = account();
        account.own.cpu_ms = 1_250;
        account.flush_us = 1_500;
        let text = account.exposition();
        for line in [
            "hone_agent_cpu_seconds_total 1.25",
            "hone_agent_flush_seconds_total 0.0015",
        ] {
            assert!(text.lines().any(|own| own == line), "{text}");
        }
    }

    #[test]
    fn each_figure_says_what_it_counts_once_and_its_lines_are_together() {
        let text = account().exposition();
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

//! `hone-agent top`: asks the running agent which service and process sends how much, and shows the answer.

pub(crate) mod figures;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use console::Term;
use hone_collect::{CLOCKS_TOLD_S, clock_apart};

use crate::config::Config;
use figures::{Sender, SharedNames, ToHub, Top};

/// Time between two questions to the agent.
const EVERY: Duration = Duration::from_secs(2);
/// Longest time for an answer, and its largest size.
const TIME: Duration = Duration::from_secs(10);
const ANSWER_BYTES_MAX: u64 = 16 << 20;

#[derive(Args)]
#[command(after_help = "Example:\n  hone-agent top --once --address 127.0.0.1:8126")]
pub(crate) struct TopArgs {
    /// The configuration of the agent, which says where it answers
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    config: Option<PathBuf>,
    /// Where it answers HTTP [default: 127.0.0.1:8126]
    #[arg(long, value_name = "ADDRESS:PORT")]
    address: Option<SocketAddr>,
    /// Show it once
    #[arg(long)]
    once: bool,
    /// Show it once, as JSON
    #[arg(long, conflicts_with = "once")]
    json: bool,
    /// Lines of each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    lines: usize,
}

pub(crate) fn top(args: &TopArgs) -> Result<()> {
    let address = match args.address {
        Some(address) => address,
        None => answers_at(args.config.as_deref())?,
    };
    if args.json {
        println!("{}", asked(address, "top")?);
        return Ok(());
    }
    let term = Term::stdout();
    if args.once || !term.is_term() {
        print!("{}", table(&told(address)?, args.lines));
        return Ok(());
    }
    loop {
        let table = table(&told(address)?, args.lines);
        term.clear_screen()?;
        term.write_str(&format!("{table}\nCtrl-C ends\n"))?;
        thread::sleep(EVERY);
    }
}

fn answers_at(file: Option<&Path>) -> Result<SocketAddr> {
    let config = match file {
        Some(file) => Config::read(file)?,
        None => Config::parse("")?,
    };
    config.http.ok_or_else(|| {
        anyhow!("the agent answers no HTTP; set `listen` in [http], such as \"127.0.0.1:8126\"")
    })
}

fn told(address: SocketAddr) -> Result<Top> {
    let text = asked(address, "top")?;
    serde_json::from_str(&text).with_context(|| {
        format!("what answers at {address} is not a hone-agent of this version; --address ADDRESS:PORT asks another one")
    })
}

/// Asks the agent for a path and returns the answer's text.
pub(crate) fn asked(address: SocketAddr, path: &str) -> Result<String> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(TIME))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build();
    let agent = ureq::Agent::from(config);
    let mut answer = agent
        .get(format!("http://{address}/{path}"))
        .call()
        .with_context(|| {
            format!("no agent answers at {address}; `hone-agent run` says where it answers HTTP")
        })?;
    let body = answer.body_mut().with_config().limit(ANSWER_BYTES_MAX);
    let text = body.read_to_string()?;
    if !answer.status().is_success() {
        bail!("{address} answers {}: {}", answer.status(), text.trim());
    }
    Ok(text)
}

/// Returns all tables as text, each with at most the given number of lines.
pub(crate) fn table(top: &Top, lines: usize) -> String {
    let mut text = format!(
        "{} of {} series; figures are of the last {} s\n",
        top.series, top.series_max, top.interval_s
    );
    for (limit, values) in top
        .overflowed_per_s
        .iter()
        .filter(|(_, values)| **values > 0.0)
    {
        text += &format!(
            "{} values/s have no series of their own: over the limit `{}`\n",
            short(*values),
            match limit.as_str() {
                "metric" => "series_per_metric",
                "origin" => "series_per_process",
                "text" => "text_bytes",
                _ => "series",
            }
        );
    }
    text += &top.to_hub.as_ref().map_or_else(String::new, to_hub);
    text += &senders("service", &top.services, lines);
    text += &senders("process", &top.processes, lines);
    if !top.containers.is_empty() {
        text += &format!("\n{:>9}  container, as its clients say\n", "values/s");
    }
    for container in top.containers.iter().take(lines) {
        let (values, name) = (short(container.values_per_s), shown(&container.name));
        text += &format!("{values:>9}  {name}\n");
    }
    text += &format!(
        "\n{:>9} {:>9} {:>9}  listener\n",
        "packets/s", "bytes/s", "lost/s"
    );
    for listener in top.listeners.iter().take(lines) {
        text += &format!(
            "{:>9} {:>9} {:>9}  {}\n",
            short(listener.packets_per_s),
            short(listener.bytes_per_s),
            short(listener.lost_per_s),
            shown(&listener.name)
        );
    }
    text += &format!("\n{:>9}  metric\n", "series");
    for metric in top.metrics.iter().take(lines) {
        text += &format!("{:>9}  {}\n", metric.series, shown(&metric.metric));
    }
    text + &shared(&top.shared, lines)
}

/// Returns what somebody should know of the hub: that profiles wait, or that the clocks differ.
fn to_hub(told: &ToHub) -> String {
    match &told.waits_for {
        Some(why) => format!(
            "{} batches of profiles wait for the hub: {}\n",
            told.batches_waiting,
            without_control(why)
        ),
        None if told.clock_ahead_s.unsigned_abs() >= CLOCKS_TOLD_S => {
            format!("{}\n", clock_apart(told.clock_ahead_s))
        }
        None => String::new(),
    }
}

/// Returns the table of series that a back end cannot tell apart.
fn shared(all: &[SharedNames], lines: usize) -> String {
    let mut text = String::new();
    if !all.is_empty() {
        text += &format!(
            "\n{:>9}  names that several series have at a back end\n",
            "series"
        );
    }
    for shared in all.iter().take(lines) {
        let series: Vec<_> = shared.series.iter().map(|series| shown(series)).collect();
        let (sent_as, series) = (shown(&shared.sent_as), series.join(", "));
        let what = match shared.is_merged {
            true => format!("{sent_as}: the sum of {series}"),
            false => format!("{sent_as}: what {series} is sent as"),
        };
        let more = if shared.count > shared.series.len() {
            ", ..."
        } else {
            ""
        };
        text += &format!("{:>9}  {what}{more}\n", shared.count);
    }
    text
}

fn senders(what: &str, senders: &[Sender], lines: usize) -> String {
    let mut text = format!(
        "\n{:>9} {:>9} {:>9} {:>9}  {what}\n",
        "values/s", "packets/s", "bytes/s", "series"
    );
    for sender in senders.iter().take(lines) {
        let pid = sender.pid.map_or(String::new(), |pid| format!(" {pid}"));
        text += &format!(
            "{:>9} {:>9} {:>9} {:>9}  {}{pid}\n",
            short(sender.values_per_s),
            short(sender.packets_per_s),
            short(sender.bytes_per_s),
            sender.series,
            shown(&sender.name),
        );
    }
    text
}

/// Formats a number with about three digits.
fn short(number: f64) -> String {
    match number {
        number if number >= 1e9 => format!("{:.1}G", number / 1e9),
        number if number >= 1e6 => format!("{:.1}M", number / 1e6),
        number if number >= 1e4 => format!("{:.1}k", number / 1e3),
        number if number >= 100.0 || number == 0.0 => format!("{number:.0}"),
        number => format!("{number:.1}"),
    }
}

/// Replaces control characters: names come from clients, and a terminal would obey such characters.
fn shown(name: &str) -> String {
    without_control(name).chars().take(80).collect()
}

fn without_control(text: &str) -> String {
    text.replace(char::is_control, "?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use figures::{Container, Listener, Metric};

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.25, 99.94, 100.2, 9_999.0, 12_345.0, 1.5e6, 2e9].map(short);
        let expected = ["0", "0.2", "99.9", "100", "9999", "12.3k", "1.5M", "2.0G"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_clock_that_differs_from_the_hubs_is_shown_and_that_batches_wait_for_it() {
        let mut told = ToHub {
            clock_ahead_s: 299,
            ..ToHub::default()
        };
        assert_eq!(to_hub(&told), "");
        told.clock_ahead_s = -420;
        assert_eq!(
            to_hub(&told),
            "this host's clock is 7 min behind the hub's\n"
        );
        told.waits_for = Some("409: set\u{1b} the clock".into());
        told.batches_waiting = 3;
        assert_eq!(
            to_hub(&told),
            "3 batches of profiles wait for the hub: 409: set? the clock\n"
        );
    }

    #[test]
    fn each_table_has_its_lines_and_a_name_cannot_write_on_the_terminal() {
        let sender = |pid| Sender {
            name: "api\u{1b}[2J".into(),
            pid,
            values_per_s: 1500.0,
            ..Sender::default()
        };
        let top = Top {
            interval_s: 10.0,
            services: vec![sender(None)],
            processes: vec![sender(Some(7)), sender(Some(8)), sender(Some(9))],
            containers: vec![Container {
                name: "2a2de1c219f2".into(),
                values_per_s: 12_345.0,
            }],
            listeners: vec![Listener::default()],
            metrics: vec![Metric {
                metric: "hits".into(),
                series: 12,
            }],
            shared: vec![
                SharedNames {
                    is_merged: true,
                    sent_as: "counter a.b".into(),
                    series: vec!["counter a.b".into(), "counter a-b\u{1b}".into()],
                    count: 4,
                },
                SharedNames {
                    sent_as: "gauge x{hone_type=gauge}".into(),
                    series: vec!["gauge x".into()],
                    count: 1,
                    ..SharedNames::default()
                },
            ],
            series: 12,
            series_max: 100,
            to_hub: None,
            overflowed_per_s: [("metric".to_owned(), 3.0)].into(),
        };
        let text = table(&top, 2);
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains("12 of 100 series") && text.contains("`series_per_metric`"));
        let has = |end: &str| text.lines().filter(|line| line.ends_with(end)).count();
        assert_eq!(
            (has("api?[2J 7"), has("api?[2J 8"), has("api?[2J 9")),
            (1, 1, 0)
        );
        assert_eq!(
            (has("12.3k  2a2de1c219f2"), has("12  hits")),
            (1, 1),
            "{text}"
        );
        for shared in [
            "4  counter a.b: the sum of counter a.b, counter a-b?, ...",
            "1  gauge x{hone_type=gauge}: what gauge x is sent as",
        ] {
            assert_eq!(has(shared), 1, "{text}");
        }
    }
}

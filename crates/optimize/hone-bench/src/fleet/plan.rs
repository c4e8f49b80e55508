//! The plan of a comparison of two builds in production: a checked request.

use std::hash::{BuildHasher, RandomState};

use anyhow::{anyhow, ensure};
use hone_build::quantity;
use hone_files::advice::Advise;
use hone_measure::Metric;
use hone_measure::fleet::{Grid, WINDOWS_MIN};

use super::hub;

/// Default number of windows.
const WINDOWS: i64 = 24;
/// Step in seconds of the default length of a window: the agent's own interval.
const WINDOW_STEP_S: i64 = 10;
/// Largest number of windows; no server returns more points of a series.
const WINDOWS_MAX: i64 = 10_000;

/// Longest time to look back: ten years.
const SINCE_MAX_S: f64 = 86_400.0 * 3_650.0;

/// What is compared and where its series are, as the user wrote it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Old and new: build ids, beginnings of build ids, or executables.
    pub builds: [String; 2],
    /// Address of a server with Prometheus' HTTP API, or `hub:SERVICE`.
    pub from: String,
    /// Time to look back; `None` for an hour.
    pub since: Option<String>,
    /// Length of a window; `None` for a 24th of the time to look back, but at least ten seconds, and for a hub a minute.
    pub window: Option<String>,
    /// Regular expression of services; `None` for all.
    pub service: Option<String>,
    /// Metric that counts the work; `None` to compare CPU time alone.
    pub work: Option<String>,
    /// Labels that tell instances apart; `None` for host and service.
    pub by: Option<Vec<String>>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Seed of resampling; `None` for a random seed.
    pub seed: Option<u64>,
}

/// Plan of a comparison.
#[derive(Debug)]
pub struct Plan {
    /// Names that the user gave the builds, old and new.
    pub builds: [String; 2],
    /// Address of the server.
    pub from: String,
    /// Time to look back, as it was typed.
    pub since: String,
    /// The windows.
    pub grid: Grid,
    /// Regular expression of services.
    pub service: Option<String>,
    /// Metric that counts the work.
    pub work: Option<String>,
    /// Labels that tell instances apart.
    pub by: Vec<String>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Seed of resampling.
    pub seed: u64,
}

impl Plan {
    /// Checks a request; `now_s` is in seconds since 1970.
    pub(super) fn new(request: Request, now_s: i64) -> anyhow::Result<Self> {
        let is_hub = hub::is_hub(&request.from);
        let (step_s, now_s) = match is_hub {
            true => (hub::STEP_S, now_s - hub::SETTLE_S),
            false => (WINDOW_STEP_S, now_s),
        };
        if is_hub {
            check_hub(&request)?;
        }
        let since = request.since.unwrap_or_else(|| "1h".into());
        let since_s = seconds("--since", &since)?;
        let window_s = match &request.window {
            Some(window) => seconds("--window", window)?,
            None => {
                let steps = (since_s / WINDOWS + step_s - 1) / step_s;
                steps.max(1) * step_s
            }
        };
        if is_hub && window_s % step_s != 0 {
            return Err(anyhow!(
                "--window {window_s}s: a hub adds up samples by the minute"
            ))
            .next("such as --window 5m");
        }
        let windows = since_s / window_s;
        if windows < WINDOWS_MIN as i64 || windows > WINDOWS_MAX {
            return Err(anyhow!("--since {since} has {windows} windows of {window_s} s; {WINDOWS_MIN} to {WINDOWS_MAX} can be"))
                .next("another --window or --since");
        }
        let by = request
            .by
            .unwrap_or_else(|| vec!["host".into(), "service".into()]);
        ensure!(
            by.iter()
                .all(|label| !label.is_empty() && label != "build_id"),
            "--by {}: labels other than build_id are wanted",
            by.join(",")
        );
        Ok(Self {
            builds: request.builds,
            from: request.from,
            grid: Grid {
                start_s: (now_s / window_s - windows) * window_s,
                window_s,
                windows: windows as usize,
            },
            since,
            service: request.service,
            work: request.work,
            by,
            confidence: request.confidence,
            seed: request
                .seed
                .unwrap_or_else(|| RandomState::new().hash_one("seed")),
        })
    }

    /// Returns the metric that is compared.
    pub(super) fn metric(&self) -> Metric {
        Metric::new(self.work.is_some(), false)
    }

    /// Returns the label by which services are chosen, with its value.
    pub(super) fn service_label(&self) -> Option<(&str, &str)> {
        self.service.as_deref().map(|service| ("service", service))
    }
}

/// Refuses options that mean nothing with a hub.
fn check_hub(request: &Request) -> anyhow::Result<()> {
    let from = &request.from;
    let (option, why, next) = if request.work.is_some() {
        let next = "leave it out: CPU time of instances is compared, which get the same load; or let --from name the server \
                    with the agents' metrics";
        ("--work", "has no counters of work", next)
    } else if request.by.is_some() {
        ("--by", "tells instances apart by host", "leave it out")
    } else if request.service.is_some() {
        ("--service", "is one service", "leave it out")
    } else {
        return Ok(());
    };
    Err(anyhow!("{option} with --from {from}: that {why}")).next(next)
}

/// Parses a time of whole seconds, such as `90s`, `30m`, `6h` or `2d`.
fn seconds(option: &str, text: &str) -> anyhow::Result<i64> {
    let known = quantity::seconds(text);
    let known = known.map_err(|why| anyhow!("{option} {text}: {why}"))?;
    match known.fract() == 0.0 && known <= SINCE_MAX_S {
        true => Ok(known as i64),
        false => Err(anyhow!(
            "{option} {text}: whole seconds, and at most ten years, can be"
        ))
        .next(format!("such as {option} 30m")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use hone_files::advice::render;

    use super::*;

    /// Returns a request for two builds.
    pub(in crate::fleet) fn request(old: &str, new: &str) -> Request {
        Request {
            builds: [old.into(), new.into()],
            from: "http://x".into(),
            since: None,
            window: None,
            service: None,
            work: None,
            by: None,
            confidence: 0.95,
            seed: None,
        }
    }

    #[test]
    fn windows_are_whole_and_end_before_now() {
        let grid = |since: Option<&str>, window: Option<&str>| {
            let request = Request {
                since: since.map(str::to_owned),
                window: window.map(str::to_owned),
                ..request("aaaa", "bbbb")
            };
            let grid = Plan::new(request, 1_000_005).unwrap().grid;
            (grid.windows, grid.window_s, grid.end_s())
        };
        assert_eq!(grid(None, None), (24, 150, 999_900));
        assert_eq!(grid(Some("2m"), None), (12, 10, 1_000_000));
        assert_eq!(grid(Some("40s"), Some("4s")), (10, 4, 1_000_004));
    }

    #[test]
    fn windows_of_a_hub_are_whole_minutes_whose_batches_have_come() {
        let grid = |since: &str| {
            let request = Request {
                from: "hub:shop".into(),
                since: Some(since.to_owned()),
                ..request("aaaa", "bbbb")
            };
            let grid = Plan::new(request, 1_000_005).unwrap().grid;
            (grid.windows, grid.window_s, grid.end_s())
        };
        assert_eq!(grid("10m"), (10, 60, 999_840));
        assert_eq!(grid("1h"), (20, 180, 999_720));
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        #[track_caller]
        fn refused(fact: &str, change: impl FnOnce(&mut Request)) {
            let mut request = request("aaaa", "bbbb");
            change(&mut request);
            let said = render(&Plan::new(request, 1_000_000).unwrap_err());
            assert!(said.contains(fact), "{said}");
        }
        refused("--since soon: write a duration", |request| {
            request.since = Some("soon".into())
        });
        refused("3 windows of 10 s", |request| {
            request.since = Some("30s".into())
        });
        for (fact, option) in [
            ("--work with --from hub:shop: that has no counters", "work"),
            ("--by with --from hub:shop", "by"),
            ("--service with --from hub:shop", "service"),
            (
                "--window 90s: a hub adds up samples by the minute",
                "window",
            ),
        ] {
            refused(fact, |request| {
                request.from = "hub:shop".into();
                match option {
                    "work" => request.work = Some("requests".into()),
                    "by" => request.by = Some(vec!["host".into()]),
                    "service" => request.service = Some("shop".into()),
                    _ => request.window = Some("90s".into()),
                }
            });
        }
        refused("--by host,build_id: labels", |request| {
            request.by = Some(vec!["host".into(), "build_id".into()]);
        });
    }

    #[test]
    fn times_are_whole_seconds() {
        let of = |text| seconds("--since", text).ok();
        assert_eq!(
            [of("90"), of("90s"), of("30m"), of("6h"), of("2d")],
            [Some(90), Some(90), Some(1800), Some(21_600), Some(172_800)]
        );
        for wrong in ["", "h", "-1h", "0s", "1.5s", "9999999999999999d", "1ü"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}

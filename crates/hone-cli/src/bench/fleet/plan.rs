//! The plan of a comparison with `--fleet`: checked arguments.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use hone_build::quantity;
use hone_host::build_id::build_id;
use hone_measure::Metric;
use hone_measure::fleet::WINDOWS_MIN;

use crate::bench::{Args, Expect};
use hone_measure::fleet::Grid;
use hone_run::advice::Advise;

/// Default number of windows.
const WINDOWS: i64 = 24;
/// Step in seconds of the default length of a window: the agent's own interval.
const WINDOW_STEP_S: i64 = 10;
/// Largest number of windows; no server returns more points of a series.
const WINDOWS_MAX: i64 = 10_000;

/// Plan of a comparison.
#[derive(Debug)]
pub(super) struct Plan {
    /// Names that the user gave the builds, old and new.
    pub(super) builds: [String; 2],
    pub(super) from: String,
    /// Time to look back, as it was typed.
    pub(super) since: String,
    pub(super) grid: Grid,
    pub(super) service: Option<String>,
    pub(super) work: Option<String>,
    pub(super) by: Vec<String>,
    pub(super) output: Option<PathBuf>,
    pub(super) json: bool,
    pub(super) confidence: f64,
    pub(super) seed: u64,
    pub(super) expect: Option<Expect>,
}

/// Longest time to look back: ten years.
const SINCE_MAX_S: f64 = 86_400.0 * 3_650.0;

impl Plan {
    /// Makes a plan of checked arguments; `now_s` is in seconds since 1970.
    pub(super) fn new(args: Args, now_s: i64) -> anyhow::Result<Self> {
        let fleet = args.fleet;
        let since = fleet.since.unwrap_or_else(|| "1h".into());
        let since_s = seconds("--since", &since)?;
        let window_s = match &fleet.window {
            Some(window) => seconds("--window", window)?,
            None => {
                let tens = (since_s / WINDOWS + WINDOW_STEP_S - 1) / WINDOW_STEP_S;
                tens.max(1) * WINDOW_STEP_S
            }
        };
        let windows = since_s / window_s;
        if windows < WINDOWS_MIN as i64 || windows > WINDOWS_MAX {
            return Err(anyhow!("--since {since} has {windows} windows of {window_s} s; {WINDOWS_MIN} to {WINDOWS_MAX} can be"))
                .next("another --window or --since");
        }
        let by = fleet
            .by
            .unwrap_or_else(|| vec!["host".into(), "service".into()]);
        ensure!(
            by.iter()
                .all(|label| !label.is_empty() && label != "build_id"),
            "--by {}: labels other than build_id are wanted",
            by.join(",")
        );
        Ok(Self {
            builds: [args.old, args.new.context("--fleet compares two builds")?],
            from: fleet.from.context("--fleet needs --from")?,
            grid: Grid {
                start_s: (now_s / window_s - windows) * window_s,
                window_s,
                windows: windows as usize,
            },
            since,
            service: fleet.service,
            work: args.work,
            by,
            output: args.output,
            json: args.json,
            confidence: args.confidence,
            seed: args
                .seed
                .unwrap_or_else(|| RandomState::new().hash_one("seed")),
            expect: args.expect,
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

/// Returns the build id of an executable, if the name is that of a file.
pub(super) fn id_of_file(name: &str) -> anyhow::Result<Option<String>> {
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
    use super::*;

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

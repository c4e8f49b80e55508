//! CPU time of a service's builds as a hub has it: added up from samples, by host and window.

use std::path::Path;

use anyhow::{Context, anyhow};
use hone_files::advice::Advise;
use hone_inputs::hub;
use hone_measure::fleet::{Grid, Labels, Series};
use hone_measure::statistics::median;
use serde::Deserialize;

use super::Known;

/// Seconds of the steps in which a hub adds up samples: windows are multiples of it.
pub(super) const STEP_S: i64 = hub::STEP_NS as i64 / 1_000_000_000;
/// Time for batches to come, in seconds: windows end so long before now.
pub(super) const SETTLE_S: i64 = 120;
/// Path of CPU use over time.
const PATH: &str = "/v1/series";
/// Most lines of an answer.
const LINES: usize = 1_000;

/// Returns true if series come from a hub.
pub(super) fn is_hub(from: &str) -> bool {
    hub::is_hub(Path::new(from))
}

/// A service of a hub.
pub(super) struct Service {
    name: String,
    grid: Grid,
}

/// CPU use over time, as a hub tells it.
#[derive(Deserialize)]
struct Answer {
    first_s: i64,
    step_s: i64,
    lines: Vec<Line>,
    /// Number of the lines that are left out, and their sum.
    others: Option<(usize, Line)>,
}

#[derive(Deserialize)]
struct Line {
    name: String,
    cores: Vec<f64>,
    errors: Vec<f64>,
}

impl Service {
    /// Reads the name of a service; a name that says more is refused.
    pub(super) fn of(from: &str, grid: Grid) -> anyhow::Result<Self> {
        let query = hub::query_of(Path::new(from))?;
        if query.build.is_some() || query.from.is_some() || query.to.is_some() {
            return Err(anyhow!("--from {from} names a build or a time"))
                .next("name the service alone; OLD and NEW are the builds, and --since the time");
        }
        Ok(Self {
            name: query.service,
            grid,
        })
    }

    /// Returns labels of the service's builds.
    pub(super) fn builds(&self) -> anyhow::Result<Vec<Labels>> {
        let answer = self.ask(&[("by", "build".to_owned())])?;
        let names = answer.lines.into_iter().map(|line| line.name);
        let named = names.filter(|name| !name.is_empty());
        Ok(named
            .map(|build| self.labels(&[("build_id", &build)]))
            .collect())
    }

    /// Returns the CPU time of builds since the first window, by host, and what is known of it.
    pub(super) fn cpu(&self, builds: [&str; 2]) -> anyhow::Result<(Vec<Series>, Known)> {
        let (mut series, mut errors, mut hosts_left_out) = (Vec::new(), Vec::new(), 0);
        for build in builds {
            let asked = [("by", "host".to_owned()), ("build", build.to_owned())];
            let answer = self.ask(&asked)?;
            hosts_left_out += answer.others.map_or(0, |(hosts, _)| hosts);
            // Hosts are not told apart after a week.
            for line in answer.lines.iter().filter(|line| !line.name.is_empty()) {
                let labels = self.labels(&[("build_id", build), ("host", &line.name)]);
                series.push(Series {
                    metric: labels,
                    values: self.sums(&line.cores),
                });
                let known = line.cores.iter().zip(&line.errors);
                let used = known.filter(|(cores, _)| **cores > 0.0);
                errors.extend(used.map(|(cores, error)| error / cores));
            }
        }
        let known = Known::Sampled {
            error: if errors.is_empty() {
                0.0
            } else {
                median(&errors)
            },
            hosts_left_out,
        };
        Ok((series, known))
    }

    fn labels(&self, more: &[(&str, &str)]) -> Labels {
        let own = [("service", &*self.name), ("executable", &*self.name)];
        let all = own.iter().chain(more);
        all.map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    /// Returns sums of CPU seconds at the times of the grid, from the cores of its windows, as an agent would have reported
    /// them: none before the host's first window and after its last one, in which the build ran for a part of the time.
    fn sums(&self, cores: &[f64]) -> Vec<(f64, String)> {
        let Grid {
            start_s,
            window_s,
            windows,
        } = self.grid;
        let is_used = |cores: &f64| *cores > 0.0;
        let first = cores.iter().position(is_used).unwrap_or(windows);
        let last = cores.iter().rposition(is_used).unwrap_or(0);
        let begins = if first == 0 { 0 } else { first + 1 };
        let ends = if last + 1 == windows { windows } else { last };
        let mut sum_s = 0.0;
        let mut sums = Vec::new();
        for at in 0..=windows {
            if (begins..=ends).contains(&at) {
                let time_s = start_s + at as i64 * window_s;
                sums.push((time_s as f64, sum_s.to_string()));
            }
            sum_s += cores.get(at).copied().unwrap_or(0.0) * window_s as f64;
        }
        sums
    }

    fn ask(&self, more: &[(&str, String)]) -> anyhow::Result<Answer> {
        let Grid {
            start_s, window_s, ..
        } = self.grid;
        let own = [
            ("service", self.name.clone()),
            ("from", start_s.to_string()),
            ("to", self.grid.end_s().to_string()),
            ("step", window_s.to_string()),
            ("lines", LINES.to_string()),
        ];
        let bytes = hub::get(PATH, &[&own, more].concat())?;
        let answer: Answer = serde_json::from_slice(&bytes)
            .context("the hub's answer is not that of a series")
            .next("use hub and hone of the same version")?;
        if (answer.first_s, answer.step_s) != (start_s, window_s) {
            let step_s = answer.step_s;
            return Err(anyhow!(
                "the hub adds up this time by {step_s} s, and not by {window_s} s"
            ))
            .next(format!(
                "--window {step_s}s, or a shorter --since: hosts and minutes are kept for a week"
            ));
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use hone_files::advice::render;

    use super::*;

    const GRID: Grid = Grid {
        start_s: 600,
        window_s: 60,
        windows: 4,
    };

    fn sums(cores: &[f64]) -> Vec<(f64, f64)> {
        let service = Service::of("hub:shop", GRID).unwrap();
        let sums = service.sums(cores).into_iter();
        sums.map(|(time_s, sum)| (time_s, sum.parse().unwrap()))
            .collect()
    }

    #[test]
    fn sums_grow_by_the_cores_of_a_window() {
        let expected = [
            (600.0, 0.0),
            (660.0, 60.0),
            (720.0, 90.0),
            (780.0, 90.0),
            (840.0, 210.0),
        ];
        assert_eq!(sums(&[1.0, 0.5, 0.0, 2.0]), expected);
    }

    #[test]
    fn windows_in_which_a_build_came_or_went_have_no_sums() {
        // It came in the second window, and went in the last one but one.
        assert_eq!(sums(&[0.0, 1.0, 1.0, 0.0]), [(720.0, 60.0)]);
        assert_eq!(sums(&[0.0; 4]), []);
    }

    #[test]
    fn names_with_a_build_or_a_time_are_refused() {
        for name in ["hub:shop@ab", "hub:shop,-1d.."] {
            let said = render(&Service::of(name, GRID).err().unwrap());
            assert!(said.contains("next: name the service alone"), "{said}");
        }
    }
}

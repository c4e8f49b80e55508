//! The JSON file of a fleet: everything needed to judge the verdict, or to judge it again.

use std::collections::BTreeMap;
use std::path::Path;

use hone_measure::fleet::{Fleet, FleetComparison};
use serde::Serialize;

use super::Told;
use crate::bench::store::{now, print, write_whole};

/// Version of the file's layout.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Stored<'a> {
    format: u32,
    hone_version: &'static str,
    finished_at: String,
    /// Build ids, old and new.
    builds: [&'a str; 2],
    from: &'a str,
    service: Option<&'a str>,
    work: Option<&'a str>,
    by: &'a [String],
    /// Start in seconds since 1970, and length of the windows.
    start_s: i64,
    window_s: i64,
    /// Seconds throttled, and CPU seconds of processes that the agent did not see; old and new.
    throttled_s: [f64; 2],
    unattributed_s: [f64; 2],
    /// Work by its other labels, old and new.
    mix: &'a BTreeMap<String, [f64; 2]>,
    windows_left_out: usize,
    comparison: &'a FleetComparison,
    fleet: &'a Fleet,
}

/// Writes the result to the file, whole or not at all, or prints it if no file is given.
pub(super) fn write(file: Option<&Path>, told: &Told) -> anyhow::Result<()> {
    let plan = &told.plan;
    let stored = Stored {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        finished_at: now(),
        builds: [&told.builds[0].id, &told.builds[1].id],
        from: &plan.from,
        service: plan.service.as_deref(),
        work: plan.work.as_deref(),
        by: &plan.by,
        start_s: plan.grid.start_s,
        window_s: plan.grid.window_s,
        throttled_s: told.throttled_s,
        unattributed_s: told.unattributed_s,
        mix: &told.gathered.mix,
        windows_left_out: told.gathered.left_out,
        comparison: &told.comparison,
        fleet: &told.fleet,
    };
    match file {
        Some(file) => write_whole(file, &stored),
        None => print(&stored),
    }
}

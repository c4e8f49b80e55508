//! The JSON file of a fleet: everything needed to judge the verdict, or to judge it again.

use std::collections::BTreeMap;

use hone_measure::fleet::{Fleet, FleetComparison};
use hone_run::clock;
use serde::Serialize;

use super::Compared;
use crate::stored::in_one_line;

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

/// Returns the content of the JSON file.
///
/// # Errors
///
/// Returns an error if a number has no form in JSON.
pub fn stored(compared: &Compared) -> anyhow::Result<Vec<u8>> {
    let plan = &compared.plan;
    in_one_line(&Stored {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        finished_at: clock::now_utc(),
        builds: [&compared.builds[0].id, &compared.builds[1].id],
        from: &plan.from,
        service: plan.service.as_deref(),
        work: plan.work.as_deref(),
        by: &plan.by,
        start_s: plan.grid.start_s,
        window_s: plan.grid.window_s,
        throttled_s: compared.throttled_s,
        unattributed_s: compared.unattributed_s,
        mix: &compared.gathered.mix,
        windows_left_out: compared.gathered.left_out,
        comparison: &compared.comparison,
        fleet: &compared.fleet,
    })
}

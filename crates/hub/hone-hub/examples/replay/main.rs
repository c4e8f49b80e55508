//! A fleet that is replayed from few recordings, for `bench/hub/run`.
//!
//! `replay pool SERVICE POOL RECORDING...` adds recordings up to the stacks and branches of a service, and tells how many stacks are new.
//! `replay send HUB SPEC` sends what the fleet's hosts would, over HTTP, at their pace or as fast as the hub takes it.
//! `replay fill FOLDER SPEC` makes the store that a hub would have after these hours: the store takes times as they are handed in.
//! `replay compact FOLDER NOW_S` compacts a store as a hub would at that time.
//! `replay parca FOLDER SPEC COUNT` writes the first batches of the fleet as requests to Parca, each to a file.
//!
//! Each prints one object of JSON.

#![forbid(unsafe_code)]

mod fill;
mod fleet;
mod parca;
mod pool;
mod send;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::time::{ClockId, clock_gettime};

/// Whatever went wrong, in words.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run() {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("replay: {error}\nnext step: see the head of bench/hub/run");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<serde_json::Value, Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["pool", service, pool, recordings @ ..] => {
            let recordings: Vec<PathBuf> = recordings.iter().map(PathBuf::from).collect();
            pool::make(service, Path::new(pool), &recordings)
        }
        ["send", hub, spec] => send::send(hub, &fleet::Fleet::read(Path::new(spec))?),
        ["fill", folder, spec] => {
            fill::fill(Path::new(folder), &fleet::Fleet::read(Path::new(spec))?)
        }
        ["compact", folder, now_s] => fill::compact(Path::new(folder), now_s.parse()?),
        ["parca", folder, spec, count] => {
            let fleet = fleet::Fleet::read(Path::new(spec))?;
            parca::requests(Path::new(folder), &fleet, count.parse()?)
        }
        _ => Err("no such command".into()),
    }
}

/// CPU time of this process, all of its threads, in seconds.
pub(crate) fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

//! `hone-hub demo`: a hub, three services in two builds each under load, and an agent that records them.
//!
//! Constraints that shaped this module:
//! - Everything is real but the week: a regression is told of four hosts or more and of a week, and the demo has one host and two
//!   minutes. So the week of more hosts is replayed from what was recorded, and the screen says so.
//! - Nothing that the demo starts outlives it.

mod agent;
mod children;
mod hub;
mod services;
mod week;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use hone_files::{companions, libraries};
use serde_json::Value;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::run::now_s;
use agent::Agent;
use children::Running;
use hub::Hub;
use services::{CHANGED, Program};
use week::{HOSTS, Recorded};

/// Longest wait for something that the demo waits for.
const PATIENCE: Duration = Duration::from_secs(180);
const EVERY: Duration = Duration::from_millis(100);
/// File that tells a folder of the demo from others.
const MARK: &str = "made-by-hone-hub-demo";
/// Seed of the replayed week.
const SEED: u64 = 25;
/// Samples of a build, of which a share of 4 % is known to a tenth of itself.
const SAMPLES_ENOUGH: u64 = 2_400;
/// Longest time for which the services are recorded, and time between looks for enough samples.
const RECORDED_MAX: Duration = Duration::from_secs(300);
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Functions that are shown.
const TOP_LINES: &str = "8";
/// Libraries of C and C++ that the programs may use, by their linker names.
const LIBRARIES: [&str; 4] = ["c", "m", "stdc++", "gcc_s"];

#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone-hub demo --directory /tmp/hub-demo")]
pub(crate) struct DemoArgs {
    /// The folder of the demo, which is made anew each time
    #[arg(long, value_name = "DIRECTORY", default_value = "hub-demo")]
    directory: PathBuf,
    /// How long the services are recorded at least; longer where there are too few samples by then
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..=300))]
    seconds: u64,
}

/// Runs the demo.
pub(crate) fn demo(args: &DemoArgs) -> Result<()> {
    let stopped = Stopped::watch()?;
    let directory = fresh(&args.directory)?;
    let (compiler, programs) = services::compile(&directory)?;
    println!(
        "services  {}: each compiled in two builds by {compiler}",
        services::names().join(", ")
    );

    hub::write_settings(&directory, false)?;
    let hub = Hub::start(&directory, "hub-recording.log", &stopped)?;
    println!("hub       {}", hub.url);
    upload(&hub, &programs, &stopped)?;

    let recorded = record(&hub, &programs, args.seconds, &directory, &stopped)?;
    hub.end()?;
    replay(&recorded, &directory, &stopped)?;

    hub::write_settings(&directory, true)?;
    let mut hub = Hub::start(&directory, "hub.log", &stopped)?;
    show_regressions(&mut hub, &stopped)?;
    show_profile(&hub, &args.directory, &stopped)?;
    show_top(&hub, &stopped)?;
    println!(
        "\npage      {}/#service={CHANGED}&from=-7d (services, flame graphs, builds beside each other, regressions)",
        hub.url
    );
    if io::stdin().is_terminal() {
        println!("Ctrl-C ends the demo.");
        while !stopped.is_set() {
            hub.complain_if_ended()?;
            thread::sleep(EVERY);
        }
    }
    hub.end()?;
    println!(
        "Ended. To look at it again: hone-hub --config {} --listen 127.0.0.1:7007",
        args.directory.join("hub.toml").display()
    );
    Ok(())
}

/// Makes the folder anew.
fn fresh(directory: &Path) -> Result<PathBuf> {
    let shown = directory.display();
    let is_taken = fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some());
    if is_taken && !directory.join(MARK).is_file() {
        bail!("{shown} has files that are not the demo's; name another folder by --directory");
    }
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {shown}"));
        }
        _ => {}
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot make {shown}"))?;
    fs::write(directory.join(MARK), "")?;
    directory
        .canonicalize()
        .with_context(|| format!("cannot find {shown}"))
}

/// Uploads the programs as continuous integration would, and the libraries that they use as whoever makes the hosts' image would.
fn upload(hub: &Hub, programs: &[Program], stopped: &Stopped) -> Result<()> {
    let libraries = LIBRARIES.map(libraries::for_running);
    let libraries: Vec<_> = libraries.into_iter().flatten().collect();
    let mut command = hub.asked_by(own_command()?);
    command.arg("symbols");
    command.args(programs.iter().map(|program| &program.path));
    command.args(&libraries);
    let output = stopped.output(command, "hone-hub symbols")?;
    if !output.status.success() {
        bail!("symbols were not uploaded: {}", text(&output.stderr));
    }
    println!(
        "symbols   {} programs and {} libraries uploaded by hone-hub symbols",
        programs.len(),
        libraries.len()
    );
    Ok(())
}

/// Records the programs under load for so long; returns what the hub has of each service.
fn record(
    hub: &Hub,
    programs: &[Program],
    seconds: u64,
    directory: &Path,
    stopped: &Stopped,
) -> Result<Vec<Recorded>> {
    let running: Vec<Running> = programs
        .iter()
        .map(|program| program.start(directory))
        .collect::<Result<_>>()?;
    let mut agent = Agent::start(directory, &hub.url)?;
    println!(
        "agent     hone-agent records this machine for {seconds} s or longer while all {} programs work, and walks branches of {CHANGED}",
        running.len()
    );
    let begin = Instant::now();
    let mut until = begin + Duration::from_secs(seconds);
    let end = begin + RECORDED_MAX;
    while Instant::now() < until {
        stopped.check()?;
        agent.complain_if_it_cannot()?;
        thread::sleep(EVERY);
        if Instant::now() >= until && until < end && fewest(hub, programs)? < SAMPLES_ENOUGH {
            until = (until + LOOK_EVERY).min(end);
        }
    }
    agent.end()?;
    let time_s = begin.elapsed().as_secs_f64();
    for mut program in running {
        program.complain_if_ended()?;
    }
    let of = |service: &str, build: u32| {
        let mut programs = programs.iter();
        let program = programs.find(|one| one.service == service && one.build == build);
        let program = program.context("a program that is not there")?;
        let batch = hub.batch(service, &program.id)?;
        batch.with_context(|| {
            format!(
                "the hub has no samples of {service}, build {build}; see agent.log in {}",
                directory.display()
            )
        })
    };
    let services = services::names();
    let recorded: Vec<Recorded> = services
        .iter()
        .map(|service| {
            let builds = [of(service, 1)?, of(service, 2)?];
            Ok(Recorded { builds, time_s })
        })
        .collect::<Result<_>>()?;
    for (service, recorded) in services.iter().zip(&recorded) {
        let [old, new] = recorded.samples();
        println!("          {service}: {old} samples of build 1, {new} of build 2");
    }
    let fewest = recorded.iter().flat_map(Recorded::samples).min();
    if fewest.is_some_and(|samples| samples < SAMPLES_ENOUGH) {
        println!(
            "          fewer than {SAMPLES_ENOUGH} after {time_s:.0} s, so the machine is busy: what the new build of {CHANGED} costs may not be told"
        );
    }
    Ok(recorded)
}

/// Returns the samples that the hub has of the build with the fewest.
fn fewest(hub: &Hub, programs: &[Program]) -> Result<u64> {
    let mut fewest = u64::MAX;
    for program in programs {
        let batch = hub.batch(program.service, &program.id)?;
        let samples = batch.iter().flat_map(|batch| &batch.samples);
        fewest = fewest.min(samples.map(|row| row.times).sum());
    }
    Ok(fewest)
}

/// Replays a week of more hosts.
fn replay(recorded: &[Recorded], directory: &Path, stopped: &Stopped) -> Result<()> {
    println!(
        "week      replayed, not measured: {HOSTS} more hosts, to which the samples just recorded are dealt out, and whose week is drawn at random from these;"
    );
    let replayed = week::replay(&directory.join("hub-data"), recorded, now_s(), SEED)?;
    stopped.check()?;
    let ago_h = now_s().saturating_sub(replayed.new_since_s) / 3_600;
    println!(
        "          {} samples in {} batches; build 2 runs since {ago_h} hours",
        replayed.samples, replayed.batches
    );
    Ok(())
}

/// Waits for the hub's look, and prints what it found.
fn show_regressions(hub: &mut Hub, stopped: &Stopped) -> Result<()> {
    println!("\nRegressions of {CHANGED} that the hub has found by itself:");
    let told = stopped.wait("the hub to look for regressions", || {
        hub.complain_if_ended()?;
        hub.regressions(CHANGED)
    })?;
    let found = told["regressions"].as_array();
    let sentences = found
        .into_iter()
        .flatten()
        .filter_map(|one| one["text"].as_str());
    let sentences: Vec<&str> = sentences.collect();
    if sentences.is_empty() {
        // Half a minute on a loaded machine may have too few samples.
        println!(
            "  none of {} shares that were tested: it had too few samples; try again with --seconds 300",
            told["tested"]
        );
    }
    sentences
        .iter()
        .for_each(|sentence| println!("  {sentence}"));
    Ok(())
}

/// Has a compiler profile made, and prints what it is of.
fn show_profile(hub: &Hub, directory: &Path, stopped: &Stopped) -> Result<()> {
    let profiles = directory.join("profiles");
    println!(
        "\nCompiler profile of {CHANGED}, of all hosts and both builds (hone-hub pgo {CHANGED} --write {}):",
        profiles.display()
    );
    let mut command = hub.asked_by(own_command()?);
    command.args(["pgo", CHANGED, "--write"]).arg(&profiles);
    let output = stopped.output(command, "hone-hub pgo")?;
    print_indented(&output);
    let manifest = profiles.join(CHANGED).join("autofdo-extbinary.json");
    if output.status.success() {
        let manifest: Value = serde_json::from_slice(&fs::read(manifest)?)?;
        let builds = manifest["inputs"].as_array().into_iter().flatten();
        for input in builds {
            let build = input["build"].as_str().unwrap_or_default();
            let [share, fits] =
                ["share", "match_share"].map(|key| 100.0 * input[key].as_f64().unwrap_or(0.0));
            println!(
                "  build {build}: {share:.1} % of the weight, {fits:.1} % of it fits the new build"
            );
        }
    }
    Ok(())
}

/// Prints the functions that take most time, where `hone` is installed.
fn show_top(hub: &Hub, stopped: &Stopped) -> Result<()> {
    let Some(program) = companions::find(OsStr::new("hone")) else {
        return Ok(());
    };
    println!("\nWhere {CHANGED} spends its time (hone top hub:{CHANGED}):");
    let mut command = hub.asked_by(Command::new(program));
    command.args(["top", &format!("hub:{CHANGED}"), "-n", TOP_LINES]);
    print_indented(&stopped.output(command, "hone top")?);
    Ok(())
}

fn print_indented(output: &Output) {
    for said in [&output.stdout, &output.stderr] {
        text(said).lines().for_each(|line| println!("  {line}"));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

/// Returns a command that runs this program again.
fn own_command() -> Result<Command> {
    let own =
        std::env::current_exe().map_err(|error| anyhow!("cannot find this program: {error}"))?;
    Ok(Command::new(own))
}

/// Whether somebody wants the demo to end.
struct Stopped(Arc<AtomicBool>);

impl Stopped {
    fn watch() -> Result<Self> {
        let stopped = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::flag::register(signal, Arc::clone(&stopped))
                .context("cannot watch for signals")?;
        }
        Ok(Self(stopped))
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Fails if the demo is to end.
    fn check(&self) -> Result<()> {
        match self.is_set() {
            true => bail!("stopped"),
            false => Ok(()),
        }
    }

    /// Waits until there is something, and returns it. Fails after [`PATIENCE`], or if the demo is to end.
    fn wait<T>(&self, what: &str, mut is_there: impl FnMut() -> Result<Option<T>>) -> Result<T> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(there) = is_there()? {
                return Ok(there);
            }
            self.check()?;
            if Instant::now() > end {
                bail!("waited {} s in vain for {what}", PATIENCE.as_secs());
            }
            thread::sleep(EVERY);
        }
    }

    /// Runs a command to its end, and returns what it said. Ctrl-C ends it too.
    fn output(&self, mut command: Command, what: &str) -> Result<Output> {
        let output = command.output();
        let output = output.with_context(|| format!("cannot start {what}"))?;
        self.check()?;
        Ok(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_anew_only_if_it_is_the_demos() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("demo");
        fresh(&folder).unwrap();
        fs::write(folder.join("old"), "").unwrap();
        assert!(!fresh(&folder).unwrap().join("old").exists());

        fs::remove_file(folder.join(MARK)).unwrap();
        fs::write(folder.join("of-somebody"), "").unwrap();
        let refused = fresh(&folder).unwrap_err().to_string();
        assert!(
            refused.contains("name another folder by --directory"),
            "{refused}"
        );
        assert!(folder.join("of-somebody").exists());
    }
}

//! The agent of the demo: a real `hone-agent` that records this machine for the hub.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use hone_files::companions;

use super::children::Running;
use super::services::{CHANGED, names};

/// Words of the agent's log line about a round that could not be recorded.
const FAILED: &str = "a round failed";

/// An agent at work.
pub(super) struct Agent(Running);

impl Agent {
    /// Starts the agent.
    pub(super) fn start(directory: &Path, hub: &str) -> Result<Self> {
        let program = companions::find(OsStr::new("hone-agent")).with_context(|| {
            let how = companions::how_to_build("agent").unwrap_or_default();
            format!("the demo needs hone-agent beside hone-hub: {how}")
        })?;
        let file = directory.join("agent.toml");
        fs::write(&file, config(directory, hub))
            .with_context(|| format!("cannot write {}", file.display()))?;
        let mut command = Command::new(program);
        command.arg("run").arg("--config").arg(file);
        let log = directory.join("agent.log");
        Ok(Self(Running::start("hone-agent", command, &log)?))
    }

    /// Fails if the agent has ended, or cannot record this machine.
    pub(super) fn complain_if_it_cannot(&mut self) -> Result<()> {
        self.0.complain_if_ended()?;
        let said = self.0.said();
        let Some(line) = said.lines().find(|line| line.contains(FAILED)) else {
            return Ok(());
        };
        bail!(
            "this machine cannot be recorded, so there is nothing to show: {line}\n\
             next: run the demo as root on a machine with perf events, or allow them by: sudo sysctl kernel.perf_event_paranoid=-1"
        );
    }

    /// Ends the agent, which sends what it has before.
    pub(super) fn end(self) -> Result<()> {
        self.0.end().map(drop)
    }
}

/// Settings of the agent. It takes more samples than is usual, and may cost more, since there is half a minute alone.
fn config(directory: &Path, hub: &str) -> String {
    let queue = directory.join("agent-queue");
    format!(
        "[http]\nlisten = \"off\"\n\n[[listen]]\naddress = \"udp:127.0.0.1:0\"\n\n\
         [profiles]\nhub = {hub:?}\nfolder = {queue:?}\nhz = 499\nround_s = 5.0\ncpu_share = 0.5\nmemory_bytes = 1_073_741_824\n\
         branches = \"walk\"\nbranches_of = [{CHANGED:?}]\nbranches_cpu_share = 0.1\n\
         rules = [{{ service = \"$1\", executable = \"/build-[12]/({})$\" }}]\n",
        names().join("|")
    )
}

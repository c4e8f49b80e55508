//! The hub of the demo: this very program, started as a process of its own, and questions to it.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_batch::{Batch, Limits, wire};
use hone_fetch::http;
use serde_json::Value;

use super::children::Running;
use super::week::DAYS_WITH_HOSTS;
use super::{Stopped, own_command};

/// Time for a question with its answer.
const TIME: Duration = Duration::from_secs(60);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 256 << 20;
/// Words before the hub's address in its log.
const LISTENING: &str = "listening at ";

/// A hub at work.
pub(super) struct Hub {
    running: Running,
    /// Address without a slash at the end.
    pub(super) url: String,
    agent: ureq::Agent,
}

/// Writes the settings of the hub. While it has half a minute alone it must not look for regressions: each step of time is looked at
/// once.
pub(super) fn write_settings(directory: &Path, looks: bool) -> Result<()> {
    let text = format!(
        "# The hub of hone-hub demo. To see it again: hone-hub --config THIS-FILE --listen 127.0.0.1:7007\n\
         listen = \"127.0.0.1:0\"\n\n[store]\nfolder = {:?}\n\n[keep]\ndays_with_hosts = {DAYS_WITH_HOSTS}\n\n[upkeep]\ncompact_s = 5\n\n\
         # Half a minute of recording tells shares to about a percent, and less is not told.\n[regressions]\non = {looks}\nleast_share = 0.02\n",
        directory.join("hub-data")
    );
    let file = directory.join("hub.toml");
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

impl Hub {
    /// Starts a hub with the settings of the directory, and waits until it listens.
    pub(super) fn start(directory: &Path, log: &str, stopped: &Stopped) -> Result<Self> {
        let mut command = own_command()?;
        command.arg("--config").arg(directory.join("hub.toml"));
        let mut running = Running::start("hone-hub", command, &directory.join(log))?;
        let url = stopped.wait("the hub to listen", || {
            running.complain_if_ended()?;
            Ok(address(&running.said()))
        })?;
        let config = http::client()
            .proxy(None)
            .timeout_global(Some(TIME))
            .build();
        Ok(Self {
            running,
            url,
            agent: config.into(),
        })
    }

    /// Returns a command of this program, or of another one, that asks this hub.
    pub(super) fn asked_by(&self, mut command: Command) -> Command {
        command
            .env("HONE_HUB", &self.url)
            .env("DEBUGINFOD_URLS", &self.url)
            .env_remove("HONE_HUB_TOKEN");
        command
    }

    /// Returns what was recorded of a build of a service; `None` if there is nothing yet.
    pub(super) fn batch(&self, service: &str, build: &str) -> Result<Option<Batch>> {
        let path = format!("/v1/query?service={service}&build={build}");
        let Some(bytes) = self.get(&path)? else {
            return Ok(None);
        };
        let batch = wire::read(&bytes, &Limits::default()).context("the hub's answer")?;
        Ok((!batch.samples.is_empty()).then_some(batch))
    }

    /// Returns what the hub says of regressions of a service; `None` before its first look.
    pub(super) fn regressions(&self, service: &str) -> Result<Option<Value>> {
        let Some(bytes) = self.get(&format!("/v1/regressions?service={service}"))? else {
            return Ok(None);
        };
        let answer: Value = serde_json::from_slice(&bytes).context("the hub's answer")?;
        let told = answer["services"][0].clone();
        Ok((!told.is_null()).then_some(told))
    }

    /// Fails if the hub has ended.
    pub(super) fn complain_if_ended(&mut self) -> Result<()> {
        self.running.complain_if_ended()
    }

    /// Ends the hub, whose folder others may open then.
    pub(super) fn end(self) -> Result<()> {
        self.running.end().map(drop)
    }

    /// Asks; `None` if there is no such thing.
    fn get(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let asked = self.agent.get(format!("{}{path}", self.url)).call();
        let answer = asked.map_err(|error| anyhow!("the hub does not answer: {error}"))?;
        let status = answer.status().as_u16();
        let mut bytes = Vec::new();
        let body = answer.into_body().into_reader();
        body.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes)?;
        match status {
            200 => Ok(Some(bytes)),
            404 => Ok(None),
            status => bail!(
                "the hub answers {path} with {status}: {}",
                String::from_utf8_lossy(&bytes)
            ),
        }
    }
}

/// Returns the address that a hub said it listens at.
fn address(said: &str) -> Option<String> {
    let (_, rest) = said.split_once(LISTENING)?;
    let (address, _) = rest.split_once(',')?;
    Some(address.to_owned())
}

//! A hub that commands ask: its address, the token, and how its refusals read.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_fetch::http;
use hone_fetch::hub::Hub;
use ureq::http::Response;
use ureq::{Agent, Body, Error};

/// Time in which a connection must stand.
const CONNECT: Duration = Duration::from_secs(10);

/// A hub.
pub(crate) struct Client {
    /// Address without a slash at the end.
    pub(crate) address: String,
    token: Option<String>,
    agent: Agent,
}

impl Client {
    /// Returns the hub that an option or the environment names. An answer must begin within `patience`, and each further piece of
    /// it must come within that time.
    pub(crate) fn new(
        url: Option<&str>,
        token_file: Option<&Path>,
        patience: Duration,
    ) -> Result<Self> {
        let mut hub = Hub::from_environment();
        if let Some(url) = url {
            url.trim_end_matches('/').clone_into(&mut hub.address);
        }
        if let Some(file) = token_file {
            let text = fs::read_to_string(file)
                .with_context(|| format!("cannot read the token in {}", file.display()))?;
            hub.token = Some(text.trim().to_owned());
        }
        Ok(Self {
            address: hub.address,
            token: hub.token,
            agent: http::client_within(CONNECT, patience).build().into(),
        })
    }

    /// Asks for what is at an address of the hub.
    pub(crate) fn get(&self, url: &str) -> Result<Response<Body>> {
        let mut request = self.agent.get(url);
        if let Some(token) = self.authorization() {
            request = request.header("authorization", token);
        }
        self.answered(request.call())
    }

    /// Posts nothing to an address of the hub.
    pub(crate) fn post(&self, url: &str) -> Result<Response<Body>> {
        let mut request = self.agent.post(url);
        if let Some(token) = self.authorization() {
            request = request.header("authorization", token);
        }
        self.answered(request.send_empty())
    }

    /// Returns the address for messages.
    pub(crate) fn shown(&self) -> String {
        http::without_password(&self.address)
    }

    fn authorization(&self) -> Option<String> {
        let token = self.token.as_ref();
        token.map(|token| format!("Bearer {token}"))
    }

    fn answered(&self, sent: Result<Response<Body>, Error>) -> Result<Response<Body>> {
        let shown = self.shown();
        sent.map_err(|error| {
            anyhow!("no hub answers at {shown}: {error}: name it by --url or HONE_HUB, or start one with hone hub")
        })
    }

    /// Returns the error for a status, with the hub's own words; `next` says what to do about it.
    pub(crate) fn refusal(&self, status: u16, reason: &[u8], next: &str) -> anyhow::Error {
        let hub = self.shown();
        let line = words(reason);
        match line.is_empty() {
            true => anyhow!("the hub at {hub} answers with status {status}{next}"),
            false => anyhow!("the hub at {hub} answers: {line}{next}"),
        }
    }
}

/// Returns the line that a hub answers with.
pub(crate) fn words(reason: &[u8]) -> String {
    let text = String::from_utf8_lossy(reason);
    clean(text.trim().lines().next().unwrap_or_default())
}

/// Leaves out what the terminal takes for more than text.
pub(crate) fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

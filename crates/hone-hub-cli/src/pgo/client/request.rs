//! Requests to a hub for profiles.

use std::env;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_inputs::http;
use hone_pgo::{Decision, Form};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use ureq::Agent;

use super::Binary;
use crate::pgo::DECISION;
use crate::pgo::bundle::BYTES_MAX;

/// Address of a hub on this machine.
const ADDRESS: &str = "http://127.0.0.1:7007";
/// Time in which a connection must stand.
const CONNECT: Duration = Duration::from_secs(10);
/// Time in which an answer must begin, and each further piece of it come: longer than the hub works on one.
const PATIENCE: Duration = Duration::from_secs(930);
/// Bytes of the hub's reason that are read.
const REASON_BYTES_MAX: u64 = 4 << 10;

/// What a hub answers.
pub(super) enum Answer {
    /// An archive, and what became of the former profile.
    Profile {
        bytes: Vec<u8>,
        decision: Option<Decision>,
    },
    /// The manifest of a profile that is not fit.
    Unfit(Vec<u8>),
    /// There is no profile, and why.
    Nothing(String),
}

/// A hub.
pub(super) struct Hub {
    /// Address without a slash at the end.
    address: String,
    token: Option<String>,
    agent: Agent,
}

impl Hub {
    pub(super) fn new(url: Option<&str>, token_file: Option<&Path>) -> Result<Self> {
        let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let address = url.map(str::to_owned).or_else(|| variable("HONE_HUB"));
        let address = address.unwrap_or_else(|| ADDRESS.to_owned());
        let token = match token_file {
            None => variable("HONE_HUB_TOKEN"),
            Some(file) => {
                let text = fs::read_to_string(file)
                    .with_context(|| format!("cannot read the token in {}", file.display()))?;
                Some(text.trim().to_owned())
            }
        };
        let config = http::client()
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_per_read(Some(PATIENCE))
            .build();
        Ok(Self {
            address: address.trim_end_matches('/').to_owned(),
            token,
            agent: config.into(),
        })
    }

    /// Asks for a profile: for the one that was published, or to have one made.
    pub(super) fn ask(
        &self,
        service: &str,
        form: Form,
        binary: Option<&Binary>,
        published: bool,
    ) -> Result<Answer> {
        let url = url(&self.address, service, form, binary);
        let token = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let sent = match published {
            true => {
                let mut request = self.agent.get(&url);
                if let Some(token) = token {
                    request = request.header("authorization", token);
                }
                request.call()
            }
            false => {
                let mut request = self.agent.post(&url);
                if let Some(token) = token {
                    request = request.header("authorization", token);
                }
                request.send_empty()
            }
        };
        let shown = http::without_password(&self.address);
        let response = sent.map_err(|error| {
            anyhow!("no hub answers at {shown}: {error}: name it by --url or HONE_HUB, or start one with hone hub")
        })?;
        let status = response.status().as_u16();
        let decision = response.headers().get(DECISION);
        let decision = decision.and_then(|text| serde_json::from_slice(text.as_bytes()).ok());
        let is_whole = matches!(status, 200 | 422);
        let most = if is_whole {
            BYTES_MAX
        } else {
            REASON_BYTES_MAX
        };
        let mut bytes = Vec::new();
        let mut body = response.into_body().into_reader().take(most + 1);
        let read = body.read_to_end(&mut bytes);
        if is_whole {
            read.context("the answer broke off: ask again")?;
            if bytes.len() as u64 > most {
                bail!("the answer has more than {most} bytes: see what answers at {shown}");
            }
        }
        match status {
            200 => Ok(Answer::Profile { bytes, decision }),
            422 => Ok(Answer::Unfit(bytes)),
            404 | 409 if !bytes.is_empty() => Ok(Answer::Nothing(words(&bytes))),
            _ => Err(refusal(&shown, status, &bytes)),
        }
    }
}

/// Returns the error for another status, with the hub's own words.
fn refusal(hub: &str, status: u16, reason: &[u8]) -> anyhow::Error {
    let line = words(reason);
    let next = match status {
        401 | 403 => {
            ": the token is in --token-file or HONE_HUB_TOKEN; --published needs the scope read, and else pgo is needed"
        }
        413 => ": raise limits.question_rows of the hub",
        _ => "",
    };
    match line.is_empty() {
        true => anyhow!("the hub at {hub} answers with status {status}{next}"),
        false => anyhow!("the hub at {hub} answers: {line}{next}"),
    }
}

/// Returns the line that a hub answers with.
fn words(reason: &[u8]) -> String {
    let text = String::from_utf8_lossy(reason);
    super::clean(text.trim().lines().next().unwrap_or_default())
}

fn url(hub: &str, service: &str, form: Form, binary: Option<&Binary>) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut url = format!("{hub}/v1/pgo/{}?form={}", escaped(service), form.name());
    if let Some(Binary { build, name }) = binary {
        url += &format!("&binary={build}&name={}", escaped(name));
    }
    url
}

#[cfg(test)]
mod tests {
    use hone_profile::BuildId;

    use super::*;
    use crate::pgo::Asked;

    #[test]
    fn a_hub_reads_what_is_asked() {
        let binary = Binary {
            build: BuildId::from_hex("ab12").unwrap(),
            name: "a&b c+d".to_owned(),
        };
        let url = url("http://hub", "shop/tü?", Form::GoPgo, Some(&binary));
        let (path, query) = url.split_once('?').unwrap();
        let service = path.strip_prefix("http://hub/v1/pgo/").unwrap();
        let asked = Asked::parse(service, Some(query)).unwrap();
        assert_eq!((&*asked.service, asked.form), ("shop/tü?", Form::GoPgo));
        assert_eq!(
            (asked.binary, &*asked.name),
            (Some(binary.build), "a&b c+d")
        );
    }
}

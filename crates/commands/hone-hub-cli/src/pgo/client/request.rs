//! Requests to a hub for profiles.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_pgo::{Decision, Form};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::Binary;
use crate::client::{Client, words};
use crate::pgo::DECISION;
use crate::pgo::bundle::BYTES_MAX;

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
pub(super) struct Hub(Client);

impl Hub {
    pub(super) fn new(url: Option<&str>, token_file: Option<&Path>) -> Result<Self> {
        Client::new(url, token_file, PATIENCE).map(Self)
    }

    /// Asks for a profile: for the one that was published, or to have one made.
    pub(super) fn ask(
        &self,
        service: &str,
        form: Form,
        binary: Option<&Binary>,
        published: bool,
    ) -> Result<Answer> {
        let url = url(&self.0.address, service, form, binary);
        let response = match published {
            true => self.0.get(&url),
            false => self.0.post(&url),
        }?;
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
                bail!(
                    "the answer has more than {most} bytes: see what answers at {}",
                    self.0.shown()
                );
            }
        }
        match status {
            200 => Ok(Answer::Profile { bytes, decision }),
            422 => Ok(Answer::Unfit(bytes)),
            404 | 409 if !bytes.is_empty() => Ok(Answer::Nothing(words(&bytes))),
            _ => Err(self.0.refusal(status, &bytes, next_step(status))),
        }
    }
}

/// Returns what to do about another status.
fn next_step(status: u16) -> &'static str {
    match status {
        401 | 403 => {
            ": the token is in --token-file or HONE_HUB_TOKEN; --published needs the scope read, and else pgo is needed"
        }
        413 => ": raise limits.question_rows of the hub",
        _ => "",
    }
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

//! Who may do what: the tokens file, read again when it changes, and the open hub of one machine.
//!
//! A hub without tokens listens on loopback only, and everybody there may do everything. Pages in a browser on that machine
//! may not: they could send profiles by a form, or ask by a name of their own that leads to loopback.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hone_hub::tokens::{Grant, Scope, Tokens};
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HOST, ORIGIN};

/// Tenant of a hub without tokens.
pub(crate) const DEFAULT_TENANT: &str = "default";

/// Reason why a request is denied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Denied {
    /// There is no token, or one that the hub does not know.
    Unknown,
    /// The token is not good for this.
    Scope(Scope),
    /// A page of another site asks.
    Page,
    /// The tokens file cannot be read.
    File,
}

/// Who may do what.
pub(crate) struct Access {
    file: Option<PathBuf>,
    is_loopback: bool,
    known: Mutex<Known>,
}

/// The tokens as they were read.
#[derive(Default)]
struct Known {
    version: Option<Version>,
    /// `None` if the file could not be read.
    tokens: Option<Arc<Tokens>>,
}

/// What changes when a file does.
type Version = Option<(u64, i64, i64, u64)>;

impl Access {
    /// Reads the tokens.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if others could reach a hub without tokens.
    pub(crate) fn open(file: Option<PathBuf>, listen: IpAddr) -> Result<Self> {
        let tokens = match &file {
            Some(file) => read(file)?,
            None => Tokens::default(),
        };
        let is_loopback = listen.is_loopback();
        if !is_loopback && tokens.all().is_empty() {
            let option = match &file {
                Some(file) => format!(" --tokens {}", file.display()),
                None => " --tokens FILE".to_owned(),
            };
            bail!(
                "without tokens everybody who reaches {listen} could read and write profiles: make a token by \
                 `hone-hub token new --scopes ingest,read{option}`, or listen at 127.0.0.1"
            );
        }
        Ok(Self {
            file,
            is_loopback,
            known: Mutex::default(),
        })
    }

    /// Returns what a request may do that needs a scope.
    pub(crate) fn check(&self, headers: &HeaderMap, scope: Scope) -> Result<Grant, Denied> {
        let tokens = self.tokens().ok_or(Denied::File)?;
        if tokens.all().is_empty() && self.is_loopback {
            return match is_from_elsewhere(headers) {
                true => Err(Denied::Page),
                false => Ok(everything()),
            };
        }
        let secret = secret(headers).ok_or(Denied::Unknown)?;
        let token = tokens.find(&secret).ok_or(Denied::Unknown)?;
        match token.grant.has(scope) {
            true => Ok(token.grant.clone()),
            false => Err(Denied::Scope(scope)),
        }
    }

    /// True if there are no tokens now.
    pub(crate) fn is_open(&self) -> bool {
        self.tokens().is_some_and(|tokens| tokens.all().is_empty())
    }

    /// Returns the tokens of now; `None` if the file cannot be read.
    fn tokens(&self) -> Option<Arc<Tokens>> {
        let Some(file) = &self.file else {
            return Some(Arc::default());
        };
        let now = version(file);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version != Some(now) {
            let read = read(file);
            if let Err(error) = &read {
                crate::log::say(format!("nobody is let in: {error:#}"));
            }
            *known = Known {
                version: Some(now),
                tokens: read.ok().map(Arc::new),
            };
        }
        known.tokens.clone()
    }
}

/// Reads a tokens file; none is one without tokens.
pub(crate) fn read(file: &Path) -> Result<Tokens> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", file.display()));
        }
    };
    Tokens::parse(&text).with_context(|| file.display().to_string())
}

fn version(file: &Path) -> Version {
    let metadata = fs::metadata(file).ok()?;
    let (seconds, nanoseconds) = (metadata.mtime(), metadata.mtime_nsec());
    Some((metadata.ino(), seconds, nanoseconds, metadata.len()))
}

fn everything() -> Grant {
    Grant {
        name: String::new(),
        tenant: DEFAULT_TENANT.to_owned(),
        scopes: Scope::ALL.to_vec(),
        services: Vec::new(),
    }
}

/// Returns the token of a request; tools that know no bearers send it as the password of any user.
fn secret(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(token.into());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = String::from_utf8(BASE64_STANDARD.decode(token).ok()?).ok()?;
    let (_, password) = pair.split_once(':')?;
    Some(password.to_owned().into())
}

/// True if a request comes from a page of another site, or was sent to a name that is not this machine's own.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST);
    let is_ours = host.is_none_or(is_loopback_name);
    let is_same = text(ORIGIN).is_none_or(|origin| {
        let from = origin.split_once("://").map(|(_, from)| from);
        from.is_some() && from == host
    });
    !(is_ours && is_same)
}

fn is_loopback_name(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let address: Option<IpAddr> = name.parse().ok();
    name.eq_ignore_ascii_case("localhost") || address.is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let lines = lines.iter();
        lines
            .map(|(name, value)| {
                let name = hyper::header::HeaderName::from_static(name);
                (name, value.parse().unwrap())
            })
            .collect()
    }

    #[test]
    fn an_open_hub_is_for_programs_of_this_machine_and_not_for_pages() {
        let access = Access::open(None, [127, 0, 0, 1].into()).unwrap();
        let cases: &[(&[(&'static str, &str)], bool)] = &[
            (&[], true),
            (&[("host", "127.0.0.1:7007")], true),
            (&[("host", "localhost")], true),
            (&[("host", "[::1]:7007")], true),
            (
                &[
                    ("host", "127.0.0.1:7007"),
                    ("origin", "http://127.0.0.1:7007"),
                ],
                true,
            ),
            (&[("host", "evil.example:7007")], false),
            (&[("host", "127.0.0.1.evil.example")], false),
            (
                &[
                    ("host", "127.0.0.1:7007"),
                    ("origin", "https://evil.example"),
                ],
                false,
            ),
            (&[("host", "127.0.0.1:7007"), ("origin", "null")], false),
            (
                &[
                    ("host", "127.0.0.1:7007"),
                    ("origin", "http://127.0.0.1:80"),
                ],
                false,
            ),
        ];
        for (lines, is_let_in) in cases {
            let checked = access.check(&headers(lines), Scope::Ingest);
            assert_eq!(checked.is_ok(), *is_let_in, "{lines:?}");
        }
    }

    #[test]
    fn tokens_are_read_again_when_the_file_changes() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("tokens.toml");
        let access = Access::open(Some(file.clone()), [127, 0, 0, 1].into()).unwrap();
        let nobody = headers(&[]);
        assert!(access.check(&nobody, Scope::Read).is_ok() && access.is_open());

        let mut tokens = Tokens::default();
        let grant = Grant {
            scopes: vec![Scope::Read],
            ..everything()
        };
        let secret = tokens.add(grant).unwrap();
        fs::write(&file, tokens.to_text().unwrap()).unwrap();
        assert_eq!(access.check(&nobody, Scope::Read), Err(Denied::Unknown));
        let bearer = headers(&[("authorization", &format!("Bearer {secret}"))]);
        assert!(access.check(&bearer, Scope::Read).is_ok() && !access.is_open());
        let lacks = access.check(&bearer, Scope::Ingest);
        assert_eq!(lacks, Err(Denied::Scope(Scope::Ingest)));
        for wrong in ["Bearer x", "Basic eDp5", "Bearer", ""] {
            let wrong = headers(&[("authorization", wrong)]);
            assert_eq!(access.check(&wrong, Scope::Read), Err(Denied::Unknown));
        }

        fs::write(&file, "nonsense").unwrap();
        assert_eq!(access.check(&bearer, Scope::Read), Err(Denied::File));
        assert!(!access.is_open());
    }

    #[test]
    fn beyond_loopback_there_must_be_tokens_at_the_start_and_later() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("tokens.toml");
        let everywhere = IpAddr::from([0, 0, 0, 0]);
        let refused = Access::open(Some(file.clone()), everywhere);
        let why = format!("{:#}", refused.err().unwrap());
        assert!(why.contains("hone-hub token new"), "{why}");
        assert!(Access::open(None, everywhere).is_err());

        let mut tokens = Tokens::default();
        tokens.add(everything()).unwrap();
        fs::write(&file, tokens.to_text().unwrap()).unwrap();
        let access = Access::open(Some(file.clone()), everywhere).unwrap();
        fs::remove_file(&file).unwrap();
        let denied = access.check(&headers(&[]), Scope::Read);
        assert_eq!(denied, Err(Denied::Unknown));
    }
}

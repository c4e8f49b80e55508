//! `hone-hub symbols FILE...`: files are uploaded to a hub, from a build of continuous integration or by hand.
//!
//! What the hub has already is not sent again. A hub that is busy or cannot be reached is asked several times.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_fetch::http;
use hone_fetch::hub::Hub;
use hone_fetch::progress::Progress;
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{SymbolFile, inspect, sum_of};
use serde::Deserialize;
use ureq::http::Response;
use ureq::{Agent, Body, SendBody};

/// Time in which a connection must stand.
const CONNECT: Duration = Duration::from_secs(10);
/// Time in which the answer must begin: as long as a hub may work on a file.
const PATIENCE: Duration = Duration::from_secs(3600);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// Times that a hub which is busy or away is asked, and the pause after the first, which doubles.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// Upload programs, libraries and debug files, so that the hub's pages show names.
///
/// A program with debug information is all that is needed. Where it is stripped for its hosts, upload it as it was linked, or
/// the stripped program and its debug file.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit status: 0 if the hub has all files, 1 if it refused some, 2 if it could not be asked.\n\nExamples:\n  \
                  hone hub symbols build/server --url https://hub.example.com:7007 --token-file /run/secrets/hub\n  \
                  hone hub symbols server server.debug libshop.so"
)]
pub(crate) struct Args {
    /// Programs, shared libraries and separate debug files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The hub [default: HONE_HUB, or http://127.0.0.1:7007]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A file with a token that has the scope symbols [default: the token in HONE_HUB_TOKEN]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// Uploads the files.
pub(crate) fn run(args: &Args) -> ExitCode {
    match upload_all(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("hone-hub: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Returns true if the hub has all files now.
fn upload_all(args: &Args) -> Result<bool> {
    let hub = Target::of(args)?;
    let mut has_all = true;
    for path in &args.files {
        let shown = path.display();
        match hub.upload(path)? {
            Ok(told) => println!("{shown}: {told}"),
            Err(why) => {
                has_all = false;
                eprintln!("hone-hub: {shown}: {why}");
            }
        }
    }
    Ok(has_all)
}

/// The hub that files go to.
struct Target {
    /// Address without a slash at the end.
    address: String,
    token: Option<String>,
    agent: Agent,
}

/// What a hub says of a build.
#[derive(Deserialize)]
struct OfBuild {
    files: Vec<Held>,
}

#[derive(Deserialize)]
struct Held {
    kind: String,
    sha256: Option<String>,
}

/// What a hub says of a file that it took.
#[derive(Deserialize)]
struct Taken {
    was: String,
    lacks: Option<String>,
}

impl Target {
    fn of(args: &Args) -> Result<Self> {
        let hub = Hub::from_environment();
        let address = args.url.clone().unwrap_or(hub.address);
        if !address.starts_with("http://") && !address.starts_with("https://") {
            let shown = match address.contains("://") {
                true => http::without_password(&address),
                false => http::without_password(&format!("://{address}")),
            };
            let shown = shown.trim_start_matches("://");
            bail!("{shown:?} is no address; write it as https://hub.example.com:7007");
        }
        let token = match &args.token_file {
            Some(file) => Some(token_in(file)?),
            None => hub.token,
        };
        let config = http::client()
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(PATIENCE))
            .build();
        Ok(Self {
            address: address.trim_end_matches('/').to_owned(),
            token,
            agent: config.into(),
        })
    }

    /// Uploads a file. The inner error says why this file cannot be taken.
    fn upload(&self, path: &Path) -> Result<Result<String, String>> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        let file = match opened {
            Ok((true, file)) => file,
            Ok((false, _)) => return Ok(Err("it is no file".to_owned())),
            Err(error) => return Ok(Err(format!("cannot be read: {error}"))),
        };
        // The hub has limits of its own.
        let limits = Limits {
            file_bytes: u64::MAX,
            unpacked_bytes: u64::MAX,
            ..Limits::default()
        };
        let about = match inspect(&file, &limits) {
            Ok(about) => about,
            Err(refused) => return Ok(Err(refused.to_string())),
        };
        let (build, kind) = (&about.build, about.kind.name());
        if self.has(&about, &file)? {
            return Ok(Ok(format!("is there already: {kind} of the build {build}")));
        }
        let response = self.patiently(|| self.put(path, &file, about.bytes))?;
        let status = response.status().as_u16();
        let text = body(response)?;
        match status {
            200 | 201 => {
                let taken: Taken = self.read(&text)?;
                let mut told = match taken.was.as_str() {
                    "there" => format!("is there already: {kind} of the build {build}"),
                    _ => format!("uploaded: {kind} of the build {build}"),
                };
                if taken.lacks.as_deref() == Some("code") {
                    told += "; names come when the program itself is there too: upload it";
                }
                Ok(Ok(told))
            }
            400 | 409 | 413 => Ok(Err(format!("the hub refuses it: {text}"))),
            status => Err(self.refusal(status, &text)),
        }
    }

    /// True if the hub has the file.
    fn has(&self, about: &SymbolFile, file: &File) -> Result<bool> {
        let address = format!("{}/v1/symbols/{}", self.address, about.build);
        let response = self.patiently(|| {
            let request = self.agent.get(&address);
            match self.bearer() {
                Some(bearer) => request.header("authorization", bearer).call(),
                None => request.call(),
            }
        })?;
        let status = response.status().as_u16();
        let text = body(response)?;
        if status != 200 {
            return Err(self.refusal(status, &text));
        }
        let there: OfBuild = self.read(&text)?;
        let same = there
            .files
            .into_iter()
            .find(|held| held.kind == about.kind.name());
        let Some(sum) = same.and_then(|held| held.sha256) else {
            return Ok(false);
        };
        // Other bytes are for the hub to refuse.
        Ok(sum_of(file).context("the file cannot be read")? == sum)
    }

    fn put(&self, path: &Path, file: &File, bytes: u64) -> Result<Response<Body>, ureq::Error> {
        let mut file = file;
        file.rewind()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut reader = Shown {
            file,
            progress: Progress::in_percent(bytes, format!("uploading {name}")),
            done: 0,
        };
        let mut request = self
            .agent
            .put(format!("{}/v1/symbols", self.address))
            .header("content-length", bytes.to_string())
            .header("content-type", "application/octet-stream")
            // A file that is refused by its size alone is not sent.
            .header("expect", "100-continue");
        if let Some(bearer) = self.bearer() {
            request = request.header("authorization", bearer);
        }
        let sent = request.send(SendBody::from_reader(&mut reader));
        reader.progress.finish();
        sent
    }

    fn bearer(&self) -> Option<String> {
        let token = self.token.as_ref();
        token.map(|token| format!("Bearer {token}"))
    }

    /// Asks until the hub answers and is not busy.
    fn patiently(
        &self,
        ask: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>> {
        let mut pause = PAUSE;
        for left in (0..TRIES).rev() {
            let why = match ask() {
                Ok(response) if response.status().as_u16() != 503 || left == 0 => {
                    return Ok(response);
                }
                Ok(response) => body(response)?,
                Err(error) if left == 0 => {
                    let shown = self.shown();
                    bail!(
                        "no hub answers at {shown}: {error}; start it with hone hub, or name it with --url"
                    );
                }
                Err(error) => error.to_string(),
            };
            eprintln!("hone-hub: {why}; trying again in {} s", pause.as_secs());
            thread::sleep(pause);
            pause *= 2;
        }
        bail!("no hub answers at {}", self.shown())
    }

    fn read<'t, T: Deserialize<'t>>(&self, text: &'t str) -> Result<T> {
        serde_json::from_str(text).with_context(|| {
            format!(
                "{} does not answer like a hub; name one with --url",
                self.shown()
            )
        })
    }

    /// Returns the address for people.
    fn shown(&self) -> String {
        http::without_password(&self.address)
    }

    fn refusal(&self, status: u16, text: &str) -> anyhow::Error {
        let next = match status {
            401 | 403 => {
                "name a file with a token by --token-file: hone-hub token new --scopes symbols makes one"
            }
            404 => "name a hub with --url, one that knows symbols",
            503 => "try again later",
            507 => "make room in the hub, or raise symbols.tenant_bytes there",
            _ => "see the hub's own log",
        };
        anyhow!(
            "the hub at {} answers {status}: {text}; {next}",
            self.shown()
        )
    }
}

/// Returns the line of an answer, without what a terminal would take for more than text.
fn body(response: Response<Body>) -> Result<String> {
    let mut text = Vec::new();
    let reader = response.into_body().into_reader();
    let read = reader.take(ANSWER_BYTES_MAX).read_to_end(&mut text);
    read.context("the answer broke off")?;
    let text = String::from_utf8_lossy(&text);
    Ok(text.chars().filter(|c| !c.is_control()).collect())
}

fn token_in(file: &Path) -> Result<String> {
    let shown = || file.display().to_string();
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("--token-file: cannot read {}", shown()))?;
    let token = text.trim();
    if token.is_empty() || token.contains(char::is_whitespace) {
        bail!(
            "{} has no token: it must hold one, and nothing else",
            shown()
        );
    }
    Ok(token.to_owned())
}

/// A file whose progress is shown while it is read.
struct Shown<'f> {
    file: &'f File,
    progress: Progress,
    done: u64,
}

impl Read for Shown<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.done += read as u64;
        self.progress.done(self.done);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(url: &str) -> Args {
        Args {
            files: Vec::new(),
            url: Some(url.to_owned()),
            token_file: None,
        }
    }

    #[test]
    fn messages_do_not_show_the_password_of_an_address() {
        let hub = Target::of(&args("http://me:secret@hub.example.com:7007/")).unwrap();
        let other = hub.read::<OfBuild>("<html>").err().unwrap();
        let refused = hub.refusal(404, "there is nothing");
        for error in [other, refused] {
            let said = format!("{error:#}");
            assert!(
                said.contains("http://hub.example.com:7007") && !said.contains("secret"),
                "{said}"
            );
        }
        let said = Target::of(&args("me:secret@hub.example.com"))
            .err()
            .unwrap();
        assert_eq!(
            said.to_string(),
            "\"hub.example.com\" is no address; write it as https://hub.example.com:7007"
        );
    }
}

//! Downloads one file over HTTP, with limits on time and size.

use std::fs::File;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use indicatif::HumanBytes;
use ureq::http::Response;
use ureq::{Agent, Body};

use super::{Failure, seconds, setting};
use crate::progress::Progress;
use crate::{http, hub};

/// Time in which [`BYTES_MIN`] must arrive, unless `DEBUGINFOD_TIMEOUT` sets another time.
const PATIENCE: Duration = Duration::from_secs(90);
/// Bytes per [`PATIENCE`] below which a server counts as stalled: elfutils' measure.
const BYTES_MIN: u64 = 100 * 1024;
/// Maximum size in bytes, unless `DEBUGINFOD_MAXSIZE` sets another; the debug information of a browser has 3 GB.
const SIZE_MAX: u64 = 16 << 30;
/// Number of bytes read at once.
const CHUNK: usize = 1 << 16;

pub(super) enum Outcome {
    /// The file was written; its number of bytes.
    Whole(u64),
    /// The server does not have the file.
    Absent,
}

/// Limits on time and size.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Time in which [`BYTES_MIN`] must arrive.
    pub(super) patience: Duration,
    /// Time for a whole file.
    pub(super) time_max: Option<Duration>,
    /// Maximum size in bytes.
    pub(super) bytes_max: u64,
}

impl Limits {
    pub(super) fn from_environment() -> Self {
        Self {
            patience: seconds("DEBUGINFOD_TIMEOUT").unwrap_or(PATIENCE),
            time_max: seconds("DEBUGINFOD_MAXTIME"),
            bytes_max: setting("DEBUGINFOD_MAXSIZE").unwrap_or(SIZE_MAX),
        }
    }
}

/// An HTTP client with its limits.
pub(super) struct Downloads {
    agent: Agent,
    patience: Duration,
    bytes_max: u64,
    shows_progress: bool,
}

impl Downloads {
    pub(super) fn new(limits: Limits) -> Self {
        let patience = limits.patience;
        let config = http::client_within(patience, patience)
            .timeout_global(limits.time_max)
            .build();
        Self {
            agent: config.into(),
            patience,
            bytes_max: limits.bytes_max,
            shows_progress: true,
        }
    }

    /// Limits the size of files in bytes further, and shows no progress.
    pub(super) fn quiet(self, bytes_max: u64) -> Self {
        Self {
            bytes_max: self.bytes_max.min(bytes_max),
            shows_progress: false,
            ..self
        }
    }

    /// Downloads an address into a file.
    pub(super) fn get(&self, address: &str, into: &mut File) -> Result<Outcome, Failure> {
        let limit = self.bytes_max.to_string();
        let mut request = self
            .agent
            .get(address)
            .header("X-DEBUGINFOD-MAXSIZE", limit);
        if let Some(token) = hub::token_for(address) {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = request.call();
        let response = response.map_err(Failure::of_server)?;
        match response.status().as_u16() {
            200 => {}
            404 | 410 => return Ok(Outcome::Absent),
            // The server's answer to the header above.
            406 => return Err(self.too_large(None)),
            status => {
                return Err(Failure::of_server(format!(
                    "it answers with status {status}"
                )));
            }
        }
        let size = size(&response);
        if let Some(size) = size.filter(|size| *size > self.bytes_max) {
            return Err(self.too_large(Some(size)));
        }
        let shown = size.filter(|_| self.shows_progress);
        let mut bar = shown.map(|size| Progress::in_percent(size, "fetching debug information"));
        let body = response.into_body().into_reader();
        let written = self.copy(body, into, &mut |done| {
            if let Some(bar) = &mut bar {
                bar.done(done);
            }
        });
        if let Some(bar) = bar {
            bar.finish();
        }
        written.map(Outcome::Whole)
    }

    fn copy(
        &self,
        mut body: impl Read,
        into: &mut File,
        done: &mut dyn FnMut(u64),
    ) -> Result<u64, Failure> {
        let mut buffer = vec![0; CHUNK];
        let mut written = 0;
        let (mut since, mut written_then) = (Instant::now(), 0);
        loop {
            let read = body.read(&mut buffer).map_err(Failure::of_server)?;
            if read == 0 {
                return Ok(written);
            }
            written += read as u64;
            if written > self.bytes_max {
                return Err(self.too_large(None));
            }
            into.write_all(&buffer[..read]).map_err(Failure::of_file)?;
            done(written);
            if since.elapsed() >= self.patience {
                if written - written_then < BYTES_MIN {
                    let seconds = self.patience.as_secs();
                    let came = HumanBytes(written - written_then);
                    return Err(Failure::of_server(format!("{came} came in {seconds} s")));
                }
                (since, written_then) = (Instant::now(), written);
            }
        }
    }

    fn too_large(&self, size: Option<u64>) -> Failure {
        let has = size.map_or("more".to_owned(), |size| HumanBytes(size).to_string());
        let max = HumanBytes(self.bytes_max);
        Failure::of_file(format!("it has {has}, and DEBUGINFOD_MAXSIZE allows {max}"))
    }
}

/// Size of the file in bytes, if the server reports one; the unpacked size if the file is compressed on its way.
fn size(response: &Response<Body>) -> Option<u64> {
    let said = response.headers().get("x-debuginfod-size");
    let said = said.and_then(|value| value.to_str().ok()?.parse().ok());
    said.or_else(|| response.body().content_length())
}

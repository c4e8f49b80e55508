//! A client without cache and memory, for servers that have their own.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use hone_profile::BuildId;

use super::download::{Downloads, Limits, Outcome};
use super::{Artifact, Failure, address, addresses, without_password};

/// Client of debuginfod servers.
pub struct Client {
    /// Addresses of the servers, without a slash at the end.
    servers: Vec<String>,
    downloads: Downloads,
}

impl Client {
    /// Creates a client of servers, whose addresses are written as in `DEBUGINFOD_URLS`; `None` if there are none.
    /// Files of more than `bytes_max` bytes are not fetched. Times to wait come from the environment, as for [`super::find`].
    pub fn new(urls: &str, bytes_max: u64) -> Option<Self> {
        let servers = addresses(urls);
        (!servers.is_empty()).then(|| Self {
            servers,
            downloads: Downloads::new(Limits::from_environment()).quiet(bytes_max),
        })
    }

    /// Downloads a file of a build from the first server that has it; returns false if none has it. What came is not looked at.
    ///
    /// # Errors
    ///
    /// Returns the reason if no server gave the file and one of them failed, so that it may have it.
    pub fn download(
        &self,
        build_id: &BuildId,
        artifact: Artifact,
        into: &mut File,
    ) -> Result<bool, String> {
        let mut failure = None;
        for server in &self.servers {
            // A server that broke off has left something.
            into.set_len(0)
                .and_then(|()| into.seek(SeekFrom::Start(0)))
                .map_err(|error| error.to_string())?;
            match self
                .downloads
                .get(&address(server, build_id, artifact), into)
            {
                Ok(Outcome::Whole(_)) => return Ok(true),
                Ok(Outcome::Absent) => {}
                Err(Failure { reason, .. }) => {
                    let shown = without_password(server);
                    failure.get_or_insert(format!("{shown}: {reason}"));
                }
            }
        }
        failure.map_or(Ok(false), Err)
    }
}

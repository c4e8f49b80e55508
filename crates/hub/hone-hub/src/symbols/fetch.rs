//! Fetches files of builds from servers of debug information.

use std::fs::File;

use hone_fetch::debuginfod;
use hone_profile::BuildId;

use super::builds::{self, Held};
use super::error::{Refused, SymbolsError};
use super::kind::Artifact;
use super::limits::{ABSENT_S, FAILED_S, Limits};
use super::{Symbols, lock};
use crate::store::check_tenant;
use crate::store::error::Tried;

/// Servers of debug information, such as debuginfod's.
pub trait DebugFiles {
    /// Downloads a file of a build into a file; returns false if no server has it.
    ///
    /// # Errors
    ///
    /// Returns the reason if a server that may have the file failed.
    fn download(
        &self,
        build: &BuildId,
        artifact: Artifact,
        into: &mut File,
    ) -> Result<bool, String>;
}

/// Servers that speak debuginfod's protocol.
pub struct Debuginfod(debuginfod::Client);

impl Debuginfod {
    /// Names servers as `DEBUGINFOD_URLS` does; `None` if the text names none. Larger files than `limits` allow are not
    /// fetched.
    pub fn new(urls: &str, limits: &Limits) -> Option<Self> {
        debuginfod::Client::new(urls, limits.file_bytes).map(Self)
    }
}

impl DebugFiles for Debuginfod {
    fn download(
        &self,
        build: &BuildId,
        artifact: Artifact,
        into: &mut File,
    ) -> Result<bool, String> {
        let artifact = match artifact {
            Artifact::Executable => debuginfod::Artifact::Executable,
            Artifact::DebugInfo => debuginfod::Artifact::DebugInfo,
        };
        self.0.download(build, artifact, into)
    }
}

/// What came of fetching.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fetched {
    /// Files that were stored.
    pub found: Vec<(BuildId, Artifact)>,
    /// Files that no server has.
    pub absent: Vec<(BuildId, Artifact)>,
    /// Files that were not fetched or not taken, with the reason.
    pub failed: Vec<(BuildId, Artifact, String)>,
}

impl Symbols {
    /// Fetches what builds lack of code and debug information. A file that no server has, or that was refused for good, is not
    /// asked for again for [`ABSENT_S`] by any replica, one at which a server failed not for [`FAILED_S`] by this one.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn fetch(
        &self,
        tenant: &str,
        builds: &[BuildId],
        servers: &dyn DebugFiles,
        now_s: u64,
    ) -> Result<Fetched, SymbolsError> {
        check_tenant(tenant)?;
        let mut fetched = Fetched::default();
        for build in builds {
            let held = Held::of(self.objects.as_ref(), tenant, build)?;
            for artifact in Artifact::ALL {
                if self.is_wanted(build, &held, artifact, now_s) {
                    self.fetch_one(tenant, build, artifact, servers, now_s, &mut fetched)?;
                }
            }
        }
        Ok(fetched)
    }

    fn is_wanted(&self, build: &BuildId, held: &Held, artifact: Artifact, now_s: u64) -> bool {
        let is_there = match artifact {
            Artifact::Executable => held.kinds.iter().any(|kind| kind.has_code),
            Artifact::DebugInfo => {
                let best = artifact.kinds()[0].detail;
                held.kinds.iter().any(|kind| kind.detail == best)
            }
        };
        let is_recent = |time_s: u64, kept_s| now_s.saturating_sub(time_s) < kept_s;
        let mut absent = held.absent();
        let is_absent = absent.any(|(of, time_s, _)| of == artifact && is_recent(time_s, ABSENT_S));
        let failed_s = lock(&self.failed).get(&(build.clone(), artifact)).copied();
        let has_failed = failed_s.is_some_and(|time_s| is_recent(time_s, FAILED_S));
        !is_there && !is_absent && !has_failed
    }

    fn fetch_one(
        &self,
        tenant: &str,
        build: &BuildId,
        artifact: Artifact,
        servers: &dyn DebugFiles,
        now_s: u64,
        fetched: &mut Fetched,
    ) -> Result<(), SymbolsError> {
        let mut file = tempfile::tempfile().tried("make room for", "a file to fetch")?;
        let failure = match servers.download(build, artifact, &mut file) {
            Ok(false) => {
                self.note_absent(tenant, build, artifact, now_s)?;
                fetched.absent.push((build.clone(), artifact));
                return Ok(());
            }
            Ok(true) => match self.take_fetched(tenant, build, &file, now_s) {
                Ok(()) => {
                    fetched.found.push((build.clone(), artifact));
                    return Ok(());
                }
                Err(SymbolsError::Refused(refused)) => {
                    // The file would be refused again, whoever fetches it.
                    if !matches!(refused, Refused::Unavailable(_)) {
                        self.note_absent(tenant, build, artifact, now_s)?;
                    }
                    refused.to_string()
                }
                Err(error) => return Err(error),
            },
            Err(reason) => reason,
        };
        let mut failed = lock(&self.failed);
        failed.retain(|_, time_s| now_s.saturating_sub(*time_s) < FAILED_S);
        failed.insert((build.clone(), artifact), now_s);
        fetched.failed.push((build.clone(), artifact, failure));
        Ok(())
    }

    /// Notes that no server has a file that is of use.
    fn note_absent(
        &self,
        tenant: &str,
        build: &BuildId,
        artifact: Artifact,
        now_s: u64,
    ) -> Result<(), SymbolsError> {
        let name = builds::absent_name(tenant, build, artifact, now_s);
        self.objects.put(&name, b"").tried("write", &name)?;
        Ok(())
    }

    /// Takes a file that a server gave, if it is of the build that was asked for.
    fn take_fetched(
        &self,
        tenant: &str,
        build: &BuildId,
        file: &File,
        now_s: u64,
    ) -> Result<(), SymbolsError> {
        let about = self.parser.inspect(file)?;
        if about.build_id().as_ref() != Some(build) {
            let told = format!("it is of the build {}", about.build);
            return Err(Refused::Parser(told).into());
        }
        self.take(tenant, file, now_s).map(|_| ())
    }
}

use std::path::PathBuf;

use anyhow::{Result, bail};
use hone_agent::services::Settings;
use serde::Deserialize;

/// `[services]` of the configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawServices {
    report: bool,
    services: usize,
    work: Vec<String>,
    proc: PathBuf,
    cgroup: PathBuf,
}

impl Default for RawServices {
    fn default() -> Self {
        let Settings {
            services_max,
            work,
            proc,
            cgroup,
        } = Settings::default();
        Self {
            report: false,
            services: services_max,
            work,
            proc,
            cgroup,
        }
    }
}

impl RawServices {
    /// Returns the checked settings; `None` if services are not reported.
    pub(super) fn meant(self) -> Result<Option<Settings>> {
        if !self.report && !self.work.is_empty() {
            bail!("services.work is set, and nothing is reported; set services.report = true");
        }
        if self.services == 0 {
            bail!("services.services is 0; to report none, set services.report = false");
        }
        Ok(self.report.then_some(Settings {
            services_max: self.services,
            work: self.work,
            proc: self.proc,
            cgroup: self.cgroup,
        }))
    }
}

//! Settings of compiler profiles: `[pgo]`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hone_pgo::{SecretKey, Settings};
use serde::Deserialize;

/// Most GiB of memory for one profile.
const MEMORY_GIB_MAX: u64 = 1 << 20;

/// Settings that make sense.
#[derive(Clone)]
pub(crate) struct PgoSettings {
    /// Key that signs manifests.
    pub(crate) key: Option<Arc<SecretKey>>,
    /// Bytes of memory for one profile.
    pub(crate) memory_bytes: u64,
    profile: Settings,
    services: BTreeMap<String, Settings>,
}

impl PgoSettings {
    /// Returns the settings of a service's profiles.
    pub(crate) fn of(&self, service: &str) -> &Settings {
        self.services.get(service).unwrap_or(&self.profile)
    }
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawPgo {
    key: Option<PathBuf>,
    memory_gib: u64,
    profile: Settings,
    services: BTreeMap<String, Settings>,
}

impl Default for RawPgo {
    fn default() -> Self {
        Self {
            key: None,
            memory_gib: 8,
            profile: Settings::default(),
            services: BTreeMap::new(),
        }
    }
}

impl RawPgo {
    pub(super) fn meant(self) -> Result<PgoSettings> {
        if !(1..=MEMORY_GIB_MAX).contains(&self.memory_gib) {
            bail!("pgo.memory_gib must be 1 to {MEMORY_GIB_MAX}");
        }
        self.profile.check().context("pgo.profile")?;
        for (service, settings) in &self.services {
            let place = || format!("pgo.services.{service}");
            settings.check().with_context(place)?;
        }
        Ok(PgoSettings {
            key: self.key.as_ref().map(key).transpose()?,
            memory_bytes: self.memory_gib << 30,
            profile: self.profile,
            services: self.services,
        })
    }
}

fn key(file: &PathBuf) -> Result<Arc<SecretKey>> {
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("pgo.key: cannot read {shown}"))?;
    let key = SecretKey::from_pem(&text).with_context(|| {
        format!("pgo.key: {shown}; make one by: openssl genpkey -algorithm ed25519 -out {shown}")
    })?;
    Ok(Arc::new(key))
}

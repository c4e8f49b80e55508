//! `[events]` of the configuration.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, bail};
use hone_agent::send::WebhookOptions;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawEvents {
    webhook: Option<String>,
    timeout_s: u64,
    attempts: u32,
    queue_bytes: u64,
    headers: BTreeMap<String, String>,
}

impl Default for RawEvents {
    fn default() -> Self {
        Self {
            webhook: None,
            timeout_s: 10,
            attempts: 5,
            queue_bytes: 1 << 20,
            headers: BTreeMap::new(),
        }
    }
}

/// Settings of the webhook for events and service checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Events {
    pub(crate) webhook: WebhookOptions,
    pub(crate) queue_bytes: u64,
}

impl RawEvents {
    /// Returns the checked settings; `None` if there is no webhook.
    pub(super) fn meant(self) -> Result<Option<Events>> {
        let Some(address) = self.webhook else {
            return Ok(None);
        };
        if self.timeout_s == 0 || self.attempts == 0 {
            bail!("events.timeout_s or events.attempts is 0; both need at least 1");
        }
        Ok(Some(Events {
            webhook: WebhookOptions {
                address,
                headers: self.headers.into_iter().collect(),
                timeout: Duration::from_secs(self.timeout_s),
                attempts: self.attempts,
            },
            queue_bytes: self.queue_bytes,
        }))
    }
}

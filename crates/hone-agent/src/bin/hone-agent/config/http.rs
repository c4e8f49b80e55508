use std::net::SocketAddr;

use anyhow::{Result, bail};
use serde::Deserialize;

/// `[http]` of the configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawHttp {
    listen: String,
    metrics: Metrics,
}

/// What `/metrics` tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Metrics {
    /// The agent's own figures.
    Own,
    /// All series too.
    All,
}

impl Default for RawHttp {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8126".into(),
            metrics: Metrics::Own,
        }
    }
}

impl RawHttp {
    /// What is told there.
    pub(super) fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Where to answer; nowhere if it is off.
    pub(super) fn meant(&self) -> Result<Option<SocketAddr>> {
        match (self.listen.as_str(), self.listen.parse()) {
            ("off", _) => Ok(None),
            (_, Ok(address)) => Ok(Some(address)),
            (other, Err(_)) => bail!(
                "http.listen is {other:?}; ADDRESS:PORT is wanted, such as 127.0.0.1:8126, or \"off\""
            ),
        }
    }
}

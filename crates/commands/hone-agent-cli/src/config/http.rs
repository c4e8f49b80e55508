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

/// Content of `/metrics`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Metrics {
    /// The agent's own figures.
    Own,
    /// The agent's own figures and all series.
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
    /// Returns the content of `/metrics`.
    pub(super) fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Returns the address of the HTTP server; `None` if it is "off".
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

use std::net::SocketAddr;

use anyhow::{Result, bail};
use serde::Deserialize;

/// `[http]` of the configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawHttp {
    listen: String,
}

impl Default for RawHttp {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8126".into(),
        }
    }
}

impl RawHttp {
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

//! The hub that this process asks, and times as it is asked for them.
//!
//! | variable | means |
//! |---|---|
//! | `HONE_HUB` | where the hub is; `http://127.0.0.1:7007` without it |
//! | `HONE_HUB_TOKEN` | the token that the hub asks for |

mod time;

use std::env;

pub use time::{Time, TimeError};

use crate::http::without_password;

/// Variable with the hub's address.
const ADDRESS_VARIABLE: &str = "HONE_HUB";
/// Variable with the token that the hub asks for.
const TOKEN_VARIABLE: &str = "HONE_HUB_TOKEN";
/// Address of a hub on this machine.
const ADDRESS: &str = "http://127.0.0.1:7007";

/// Where questions go.
pub struct Hub {
    /// Address without a slash at the end.
    pub address: String,
    /// Token that the hub asks for.
    pub token: Option<String>,
}

impl Hub {
    /// Returns the hub that the environment names.
    pub fn from_environment() -> Self {
        let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let address = variable(ADDRESS_VARIABLE).unwrap_or_else(|| ADDRESS.to_owned());
        Self {
            address: address.trim_end_matches('/').to_owned(),
            token: variable(TOKEN_VARIABLE),
        }
    }

    /// Returns the address for messages.
    pub fn shown(&self) -> String {
        without_password(&self.address)
    }

    /// Returns true if an address is below that of the hub.
    fn has(&self, address: &str) -> bool {
        let below = address.strip_prefix(&self.address);
        below.is_some_and(|below| below.starts_with('/'))
    }
}

/// Returns the token for a request, if it goes to the hub: files of builds are asked of a hub as of other servers.
pub(crate) fn token_for(address: &str) -> Option<String> {
    let hub = Hub::from_environment();
    hub.token.clone().filter(|_| hub.has(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_to_no_other_server() {
        let hub = Hub {
            address: "http://hub:7007".to_owned(),
            token: None,
        };
        assert!(hub.has("http://hub:7007/buildid/ab/executable"));
        for other in [
            "http://hub:70071/x",
            "http://hub:7007.net/x",
            "http://hub/x",
        ] {
            assert!(!hub.has(other), "{other}");
        }
    }
}

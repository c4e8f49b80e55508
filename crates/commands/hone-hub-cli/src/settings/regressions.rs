//! `[regressions]`: whether and how the hub looks for functions that cost more.

use anyhow::{Result, bail};
use hone_regressions::Thresholds;
use serde::Deserialize;

/// Settings of looks at services.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Regressions {
    /// True if the hub looks by itself; it tells what jobs have found in any case.
    pub(crate) looks: bool,
    pub(crate) thresholds: Thresholds,
    /// Address that findings are posted to.
    pub(crate) webhook: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRegressions {
    on: bool,
    webhook: Option<String>,
    rate: f64,
    least_share: f64,
}

impl Default for RawRegressions {
    fn default() -> Self {
        let Thresholds { rate, least_share } = Thresholds::default();
        Self {
            on: true,
            webhook: None,
            rate,
            least_share,
        }
    }
}

impl RawRegressions {
    /// Returns the settings.
    pub(super) fn meant(self) -> Result<Regressions> {
        if !(self.rate > 0.0 && self.rate < 1.0) {
            bail!("regressions.rate must be between 0 and 1; leave it out for 0.01");
        }
        if !(self.least_share > 0.0 && self.least_share < 1.0) {
            bail!("regressions.least_share must be between 0 and 1; leave it out for 0.0005");
        }
        let is_address = |address: &String| {
            let rest = address
                .strip_prefix("https://")
                .or_else(|| address.strip_prefix("http://"));
            rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        };
        if !self.webhook.as_ref().is_none_or(is_address) {
            bail!("regressions.webhook is no address; write https://HOST/PATH, or leave it out");
        }
        Ok(Regressions {
            looks: self.on,
            thresholds: Thresholds {
                rate: self.rate,
                least_share: self.least_share,
            },
            webhook: self.webhook,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::EXAMPLE;

    fn parsed(text: &str) -> Result<Regressions> {
        toml::from_str::<RawRegressions>(text)?.meant()
    }

    #[test]
    fn the_example_has_the_defaults_and_a_webhook() {
        let text = EXAMPLE.split("[regressions]").nth(1).unwrap();
        let text = text.split("\n[").next().unwrap();
        assert_eq!(parsed(text).unwrap(), parsed("").unwrap());
        let with_all = text.replace("# webhook =", "webhook =");
        let webhook = parsed(&with_all).unwrap().webhook.unwrap();
        assert!(webhook.starts_with("https://"), "{webhook}");
        assert!(parsed("").unwrap().looks && !parsed("on = false").unwrap().looks);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_to_do() {
        for (text, said) in [
            ("rate = 0.0", "regressions.rate must be between"),
            (
                "least_share = 1.5",
                "regressions.least_share must be between",
            ),
            ("webhook = 'example.com/hook'", "write https://HOST/PATH"),
            ("webhook = 'https:///hook'", "write https://HOST/PATH"),
            ("address = 'x'", "unknown field"),
        ] {
            let refused = format!("{:#}", parsed(text).unwrap_err());
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }
}

//! `[profiles]` of the configuration.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_collect::{BranchSource, Branches, Label, Options, RuleOf, ServiceRule, Token};
use regex::Regex;
use serde::Deserialize;

use super::labels::HOST;

/// `[profiles]` as it is written.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawProfiles {
    hub: Option<String>,
    token_file: Option<PathBuf>,
    authorities: Option<PathBuf>,
    folder: PathBuf,
    queue_bytes: u64,
    hz: u32,
    round_s: f64,
    cpu_share: f64,
    memory_bytes: u64,
    branches: Source,
    branches_of: Vec<String>,
    branches_cpu_share: f64,
    rules: Vec<RawRule>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    None,
    Auto,
    Lbr,
    Walk,
}

/// Pattern of all of a label's value.
const WHOLE: &str = "(?s)^.*$";

/// Rule that names a service, by the control group, the executable, or a label of the container.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    service: String,
    cgroup: Option<String>,
    executable: Option<String>,
    label: Option<String>,
    /// Pattern of the label's value; the whole value if there is none.
    value: Option<String>,
}

impl Default for RawProfiles {
    fn default() -> Self {
        let folder = "/var/lib/hone-agent/profiles";
        let usual = Options::new("", "", folder);
        Self {
            hub: None,
            token_file: None,
            authorities: None,
            folder: usual.folder,
            queue_bytes: usual.queue_bytes_max,
            hz: usual.frequency_hz,
            round_s: usual.round.as_secs_f64(),
            cpu_share: usual.cpu_share_max,
            memory_bytes: usual.memory_bytes_max,
            branches: Source::None,
            branches_of: Vec::new(),
            branches_cpu_share: usual.branches.cpu_share_max,
            rules: Vec::new(),
        }
    }
}

/// Settings of the collector of profiles, which were checked. They are equal if the same would be collected.
#[derive(Clone, Debug)]
pub(crate) struct Profiles {
    raw: RawProfiles,
    /// Settings but for the number of the run.
    pub(crate) options: Options,
}

impl PartialEq for Profiles {
    fn eq(&self, other: &Self) -> bool {
        let of = |profiles: &Self| {
            let Options {
                host,
                labels,
                authorities,
                ..
            } = &profiles.options;
            (host.clone(), labels.clone(), authorities.clone())
        };
        self.raw == other.raw && of(self) == of(other)
    }
}

impl RawProfiles {
    /// Returns the checked settings of a host with these labels; `None` if there is no hub.
    pub(super) fn meant(self, labels: &BTreeMap<String, String>) -> Result<Option<Profiles>> {
        let Some(hub) = self.hub.clone() else {
            if self != Self::default() {
                bail!(
                    "[profiles] has settings and no hub; set profiles.hub, or remove the section"
                );
            }
            return Ok(None);
        };
        let pem = |file: &PathBuf| {
            fs::read(file).with_context(|| format!("profiles.authorities: {}", file.display()))
        };
        let source = match self.branches {
            Source::None => BranchSource::None,
            Source::Auto => BranchSource::Auto,
            Source::Lbr => BranchSource::Lbr,
            Source::Walk => BranchSource::Walk,
        };
        let Ok(round) = Duration::try_from_secs_f64(self.round_s) else {
            bail!("profiles.round_s is {}; seconds are wanted", self.round_s);
        };
        let rules = self.rules.iter().map(RawRule::meant);
        let others = labels.iter().filter(|(key, _)| *key != HOST);
        let others = others.map(|(key, value)| Label {
            key: key.as_str().into(),
            value: value.as_str().into(),
        });
        let options = Options {
            labels: others.collect(),
            token: self.token_file.clone().map(Token::File),
            authorities: self.authorities.as_ref().map(pem).transpose()?,
            queue_bytes_max: self.queue_bytes,
            round,
            frequency_hz: self.hz,
            cpu_share_max: self.cpu_share,
            memory_bytes_max: self.memory_bytes,
            branches: Branches {
                source,
                services: self.branches_of.clone(),
                cpu_share_max: self.branches_cpu_share,
            },
            services: rules.collect::<Result<_>>()?,
            is_patient: true,
            ..Options::new(hub, &labels[HOST], &self.folder)
        };
        options.check().context("[profiles]")?;
        Ok(Some(Profiles { raw: self, options }))
    }
}

impl RawRule {
    fn meant(&self) -> Result<ServiceRule> {
        let (by, pattern) = match (&self.cgroup, &self.executable, &self.label) {
            (Some(pattern), None, None) => (RuleOf::Cgroup, &**pattern),
            (None, Some(pattern), None) => (RuleOf::Executable, &**pattern),
            (None, None, Some(key)) => {
                let pattern = self.value.as_deref().unwrap_or(WHOLE);
                (RuleOf::Label(key.clone()), pattern)
            }
            _ => bail!(
                "the rule of profiles.rules for {:?} needs one of cgroup, executable and label",
                self.service
            ),
        };
        if self.value.is_some() && self.label.is_none() {
            bail!(
                "the rule of profiles.rules for {:?} has a value and no label; name the label's key",
                self.service
            );
        }
        let pattern = Regex::new(pattern)
            .with_context(|| format!("the rule of profiles.rules for {:?}", self.service))?;
        Ok(ServiceRule {
            service: self.service.clone(),
            by,
            pattern,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn profiles(lines: &str) -> Result<Option<Profiles>> {
        let text = format!("[labels]\nhost = \"h\"\nclass = \"edge\"\n[profiles]\n{lines}");
        Config::parse(&text).map(|config| config.profiles)
    }

    #[test]
    fn settings_become_those_of_the_collector() {
        assert!(profiles("").unwrap().is_none());
        let lines = "hub = \"http://hub:7007\"\nbranches = \"walk\"\nbranches_of = [\"shop\"]\nhz = 49\n\
            token_file = \"/t\"\nrules = [{ service = \"b-$1\", cgroup = \"/batch/([a-z]+)\" }, { service = \"$0\", label = \"team\" }]";
        let options = profiles(lines).unwrap().unwrap().options;
        assert_eq!((options.host.as_str(), options.frequency_hz), ("h", 49));
        let labels = options.labels.iter().map(ToString::to_string);
        assert_eq!(labels.collect::<Vec<_>>(), ["class=edge"]);
        assert_eq!(options.token, Some(Token::File("/t".into())));
        assert_eq!(options.branches.source, BranchSource::Walk);
        assert_eq!(options.branches.services, ["shop"]);
        assert_eq!(options.services[0].by, RuleOf::Cgroup);
        assert_eq!(options.services[1].by, RuleOf::Label("team".into()));
        assert!(options.is_patient);
        let usual = Options::new("http://hub:7007", "h", "/var/lib/hone-agent/profiles");
        assert_eq!(options.cpu_share_max, usual.cpu_share_max);
    }

    #[test]
    fn settings_are_equal_if_the_same_is_collected() {
        let of = |lines: &str| profiles(lines).unwrap();
        let hub = "hub = \"http://hub:7007\"\n";
        assert_eq!(of(hub), of(hub));
        assert_ne!(of(hub), of(&format!("{hub}hz = 99")));
        assert_ne!(of(hub), of(""));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let hub = "hub = \"http://hub:7007\"\n";
        for (lines, complaint) in [
            ("hz = 19\nround_s = 5".to_owned(), "no hub"),
            ("hub = \"hub:7007\"".to_owned(), "http://hub:7007 is wanted"),
            (format!("{hub}hz = 0"), "0 samples"),
            (format!("{hub}round_s = -1"), "seconds are wanted"),
            (format!("{hub}cpu_share = 1.5"), "0 to 1"),
            (format!("{hub}branches = \"all\""), "all"),
            (
                format!("{hub}branches_of = [\"a\"]"),
                "say where they come from",
            ),
            (format!("{hub}authorities = \"/nowhere\""), "/nowhere"),
            (
                format!("{hub}rules = [{{ service = \"a\" }}]"),
                "needs one of",
            ),
            (
                format!("{hub}rules = [{{ service = \"a\", cgroup = \"x\", value = \"y\" }}]"),
                "a value and no label",
            ),
            (
                format!("{hub}rules = [{{ service = \"a\", cgroup = \"(\" }}]"),
                "rule of profiles.rules for \"a\"",
            ),
        ] {
            let error = profiles(&lines).unwrap_err();
            assert!(format!("{error:#}").contains(complaint), "{error:#}");
        }
    }
}

//! Settings: arguments and file are read raw, and turned once into what is meant.

mod pgo;
mod regressions;
mod symbols;
mod tls;

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_hub::store::limits::{BATCH_BYTES_MAX, Limits as StoreLimits};
use hone_hub::store::s3::Bucket;
use hone_hub::store::{Location, Options};
use rustls::ServerConfig;
use serde::{Deserialize, Serialize};

pub(crate) use pgo::PgoSettings;
use pgo::RawPgo;
use regressions::RawRegressions;
pub(crate) use regressions::Regressions;
use symbols::RawSymbols;
pub(crate) use symbols::SymbolsSettings;
use tls::RawTls;

/// Text that `config --example` prints.
pub(crate) const EXAMPLE: &str = include_str!("example.toml");

/// Name of the tokens file in the folder.
const TOKENS: &str = "tokens.toml";

/// Arguments about the settings.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Given {
    /// The settings; `hone-hub config --example` prints all with their defaults
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Where to listen [default: 127.0.0.1:7007]
    #[arg(long, value_name = "ADDRESS:PORT", global = true)]
    pub(crate) listen: Option<SocketAddr>,
    /// The folder in which everything is kept [default: hub-data]
    #[arg(long, value_name = "DIRECTORY", global = true)]
    pub(crate) folder: Option<PathBuf>,
    /// The bucket in which everything is kept
    #[arg(
        long,
        value_name = "s3://NAME/PREFIX",
        global = true,
        conflicts_with = "folder"
    )]
    pub(crate) bucket: Option<String>,
    /// The file of tokens [default: tokens.toml in the folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) tokens: Option<PathBuf>,
}

/// Where everything is kept.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Folder(PathBuf),
    Bucket(Bucket),
}

impl Place {
    pub(crate) fn location(&self) -> Location {
        match self {
            Self::Folder(folder) => Location::Folder(folder.clone()),
            Self::Bucket(bucket) => Location::Bucket(bucket.clone()),
        }
    }
}

/// Limits of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    pub(crate) connections: usize,
    pub(crate) batch_bytes: usize,
    pub(crate) waiting_bytes: usize,
    pub(crate) checkers: usize,
    pub(crate) questions: usize,
    pub(crate) question_rows: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            batch_bytes: 32 << 20,
            waiting_bytes: 256 << 20,
            checkers: 2,
            questions: 2,
            question_rows: 2_000_000,
        }
    }
}

/// Times between two rounds of upkeep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Every {
    pub(crate) compact: Duration,
    pub(crate) retain: Duration,
}

/// What a core costs, by which the page tells costs beside cores.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cost {
    /// What is counted, such as EUR or kg CO2.
    pub(crate) unit: String,
    /// How much of it one core takes in an hour.
    pub(crate) per_core_hour: f64,
}

/// What is taken although it may change or go away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Experimental {
    /// OpenTelemetry's profiles.
    pub(crate) otlp_profiles: bool,
}

/// Settings that make sense.
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    pub(crate) place: Place,
    /// The file of tokens; `None` if there is neither a folder nor another place for it.
    pub(crate) tokens: Option<PathBuf>,
    pub(crate) tls: Option<Arc<ServerConfig>>,
    pub(crate) store: Options,
    pub(crate) limits: Limits,
    pub(crate) every: Every,
    pub(crate) cost: Option<Cost>,
    pub(crate) symbols: SymbolsSettings,
    pub(crate) experimental: Experimental,
    /// How the hub looks for regressions, and whom it tells.
    pub(crate) regressions: Regressions,
    pub(crate) pgo: PgoSettings,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Raw {
    listen: SocketAddr,
    tokens: Option<PathBuf>,
    store: RawStore,
    keep: RawKeep,
    tls: RawTls,
    limits: Limits,
    upkeep: RawUpkeep,
    cost: Option<Cost>,
    symbols: RawSymbols,
    experimental: Experimental,
    regressions: RawRegressions,
    pgo: RawPgo,
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7007)),
            tokens: None,
            store: RawStore::default(),
            keep: RawKeep::default(),
            tls: RawTls::default(),
            limits: Limits::default(),
            upkeep: RawUpkeep::default(),
            cost: None,
            symbols: RawSymbols::default(),
            experimental: Experimental::default(),
            regressions: RawRegressions::default(),
            pgo: RawPgo::default(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawStore {
    folder: Option<PathBuf>,
    bucket: Option<String>,
    region: Option<String>,
    endpoint: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawKeep {
    days: u64,
    days_with_hosts: u64,
    gib: u64,
}

impl Default for RawKeep {
    fn default() -> Self {
        let limits = StoreLimits::default();
        Self {
            days: limits.days_kept,
            days_with_hosts: limits.hours_kept_days,
            gib: limits.tenant_bytes >> 30,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawUpkeep {
    compact_s: u64,
    retain_s: u64,
}

impl Default for RawUpkeep {
    fn default() -> Self {
        Self {
            compact_s: 300,
            retain_s: 3600,
        }
    }
}

impl Settings {
    /// Reads the file, if one is given, and adds the other arguments, which win.
    pub(crate) fn read(given: &Given) -> Result<Self> {
        let Some(file) = &given.config else {
            return Self::meant(Raw::default(), given);
        };
        let shown = || file.display().to_string();
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", shown()))?;
        let raw = toml::from_str(&text).with_context(shown)?;
        Self::meant(raw, given).with_context(shown)
    }

    fn meant(raw: Raw, given: &Given) -> Result<Self> {
        let mut where_kept = raw.store;
        if given.folder.is_some() || given.bucket.is_some() {
            where_kept.folder.clone_from(&given.folder);
            where_kept.bucket.clone_from(&given.bucket);
        }
        let place = where_kept.meant()?;
        let tokens = given.tokens.clone().or(raw.tokens);
        let tokens = tokens.or_else(|| match &place {
            Place::Folder(folder) => Some(folder.join(TOKENS)),
            Place::Bucket(_) => None,
        });
        check(&raw.limits)?;
        let is_cost = |cost: &Cost| cost.per_core_hour.is_finite() && cost.per_core_hour >= 0.0;
        if !raw.cost.as_ref().is_none_or(is_cost) {
            bail!(
                "cost.per_core_hour must be a number that is not negative; leave [cost] out for none"
            );
        }
        let upkeep = raw.upkeep;
        if upkeep.compact_s == 0 || upkeep.retain_s == 0 {
            bail!(
                "upkeep.compact_s and upkeep.retain_s must be positive; leave them out for the usual times"
            );
        }
        Ok(Self {
            listen: given.listen.unwrap_or(raw.listen),
            place,
            tokens,
            tls: raw.tls.meant()?,
            store: Options {
                limits: raw.keep.meant()?,
                ..Options::default()
            },
            limits: raw.limits,
            symbols: raw.symbols.meant(raw.keep.days)?,
            cost: raw.cost,
            experimental: raw.experimental,
            regressions: raw.regressions.meant()?,
            pgo: raw.pgo.meant()?,
            every: Every {
                compact: Duration::from_secs(upkeep.compact_s),
                retain: Duration::from_secs(upkeep.retain_s),
            },
        })
    }
}

impl RawStore {
    fn meant(self) -> Result<Place> {
        let Some(bucket) = self.bucket else {
            if self.region.is_some() || self.endpoint.is_some() {
                bail!(
                    "store.region and store.endpoint are of a bucket; set store.bucket = \"s3://NAME\" too"
                );
            }
            let folder = self.folder.unwrap_or_else(|| "hub-data".into());
            return Ok(Place::Folder(folder));
        };
        if self.folder.is_some() {
            bail!("store.folder and store.bucket exclude each other; leave one out");
        }
        let named = bucket.strip_prefix("s3://").unwrap_or_default();
        let (name, prefix) = named.split_once('/').unwrap_or((named, ""));
        if name.is_empty() {
            bail!("{bucket:?} is no bucket; write s3://NAME or s3://NAME/PREFIX");
        }
        Ok(Place::Bucket(Bucket {
            name: name.to_owned(),
            prefix: prefix.trim_matches('/').to_owned(),
            endpoint: self.endpoint,
            region: self.region,
            keys: None,
        }))
    }
}

impl RawKeep {
    fn meant(&self) -> Result<StoreLimits> {
        if self.days == 0 || self.gib == 0 || self.gib > u64::MAX >> 30 {
            bail!("keep.days and keep.gib must be positive, since nothing would be kept at all");
        }
        Ok(StoreLimits {
            days_kept: self.days,
            hours_kept_days: self.days_with_hosts,
            tenant_bytes: self.gib << 30,
            ..StoreLimits::default()
        })
    }
}

fn check(limits: &Limits) -> Result<()> {
    let each = [
        ("connections", limits.connections, 1 << 16),
        ("batch_bytes", limits.batch_bytes, BATCH_BYTES_MAX),
        ("waiting_bytes", limits.waiting_bytes, 1 << 40),
        ("checkers", limits.checkers, 256),
        ("questions", limits.questions, 256),
        ("question_rows", limits.question_rows, 1 << 40),
    ];
    for (name, value, most) in each {
        if value == 0 || value > most {
            bail!("limits.{name} is {value}; it can be 1 to {most}");
        }
    }
    if limits.waiting_bytes < limits.batch_bytes {
        bail!(
            "limits.waiting_bytes is less than limits.batch_bytes; no batch of that size could come in"
        );
    }
    Ok(())
}

/// Says whether a file makes sense.
pub(crate) fn check_file(file: &Path) -> Result<()> {
    let given = Given {
        config: Some(file.to_owned()),
        ..Given::default()
    };
    Settings::read(&given).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Settings> {
        Settings::meant(toml::from_str(text)?, &Given::default())
    }

    #[test]
    fn settings_are_taken_as_the_guides_show_them() {
        let mut found = testkit::documents::blocks();
        let is_of_the_hub =
            |text: &str| text.starts_with('[') && text.parse::<toml::Table>().is_ok();
        found.retain(|block| block.place.starts_with("docs/hub/") && is_of_the_hub(&block.text));
        assert!(found.len() >= 5, "only {} blocks found", found.len());
        for block in found {
            // The files that settings name are elsewhere.
            let refused = parsed(&block.text).err().map(|why| format!("{why:#}"));
            let refused = refused.filter(|why| !why.contains("No such file"));
            assert_eq!(refused, None, "{}:\n{}", block.place, block.text);
        }
    }

    #[test]
    fn the_example_has_every_key_with_its_default() {
        let example: Raw = toml::from_str(EXAMPLE).unwrap();
        let default = Raw::default();
        assert_eq!(example.listen, default.listen);
        assert_eq!(example.limits, default.limits);
        assert_eq!(example.symbols, default.symbols);
        assert_eq!(example.experimental, default.experimental);
        let keep = |raw: &RawKeep| (raw.days, raw.days_with_hosts, raw.gib);
        assert_eq!(keep(&example.keep), keep(&default.keep));
        let upkeep = |raw: &RawUpkeep| (raw.compact_s, raw.retain_s);
        assert_eq!(upkeep(&example.upkeep), upkeep(&default.upkeep));
        assert!(matches!(
            parsed(EXAMPLE).unwrap().place,
            Place::Folder(folder) if folder == Path::new("hub-data")
        ));
        assert_eq!(example.pgo, default.pgo);
        // Also what has no default is a key.
        let with_all = EXAMPLE
            .replace("# tokens =", "tokens =")
            .replace("folder = \"hub-data\"", "")
            .replace("# bucket =", "bucket =")
            .replace("# region =", "region =")
            .replace("# endpoint =", "endpoint =");
        let settings = parsed(&with_all).unwrap();
        let Place::Bucket(bucket) = settings.place else {
            panic!("no bucket");
        };
        assert_eq!((&*bucket.name, &*bucket.prefix), ("fleet", "profiles"));
        assert_eq!(settings.tokens, Some("tokens.toml".into()));
    }

    #[test]
    fn arguments_win_over_the_file() {
        let given = Given {
            listen: Some("127.0.0.1:1".parse().unwrap()),
            folder: Some("there".into()),
            ..Given::default()
        };
        let file = "listen = '127.0.0.1:2'\n[store]\nbucket = 's3://fleet'";
        let settings = Settings::meant(toml::from_str(file).unwrap(), &given).unwrap();
        assert_eq!(settings.listen.port(), 1);
        assert_eq!(settings.tokens, Some("there/tokens.toml".into()));
        assert!(matches!(settings.place, Place::Folder(_)));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_to_do() {
        for (text, said) in [
            ("listen = 'somewhere'", "listen"),
            ("folder = 'x'", "unknown field"),
            ("[limits]\nquestions = 0", "it can be 1 to 256"),
            (
                "[limits]\nbatch_bytes = 100_000_000",
                "it can be 1 to 67108864",
            ),
            ("[limits]\nwaiting_bytes = 1", "less than"),
            ("[keep]\ndays = 0", "must be positive"),
            ("[upkeep]\ncompact_s = 0", "must be positive"),
            ("[cost]\nunit = 'EUR'\nper_core_hour = -1.0", "not negative"),
            ("[store]\nbucket = 'fleet'", "write s3://NAME"),
            ("[pgo]\nmemory_gib = 0", "must be 1 to"),
            ("[pgo]\nkey = '/no/such'", "cannot read /no/such"),
            ("[pgo.profile]\nwindow_s = 60", "pgo.profile: the window"),
            (
                "[pgo.services.shop]\nhalf_life_s = 1",
                "pgo.services.shop: the half-life",
            ),
            ("[store]\nbucket = 's3://a'\nfolder = 'b'", "leave one out"),
            ("[store]\nregion = 'x'", "set store.bucket"),
            ("[tls]\nkey = 'x'", "belong together"),
            ("[symbols]\nuploads = 0", "it can be 1 to 64"),
            ("[symbols]\nfile_bytes = 0", "must be positive"),
            ("[symbols]\nreader_bytes = 1", "must be at least"),
            ("[symbols]\nservers = ['ftp://x']", "which is no address"),
            (
                "[tls]\nkey = '/no/such'\ncertificate = '/no/such'",
                "cannot read /no/such",
            ),
        ] {
            let error = parsed(text).err().expect(text);
            let error = format!("{error:#}");
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}

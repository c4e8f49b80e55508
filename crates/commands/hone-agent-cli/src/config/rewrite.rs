//! `[rewrite]` of the configuration.

mod mapping;

use std::path::PathBuf;

use anyhow::{Context, Result};
use hone_agent::rewrite::Rewrite;
use hone_agent::rewrite::relabel::{Relabel, Written};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRewrite {
    mapping: Option<PathBuf>,
    relabel: Vec<Written>,
}

impl RawRewrite {
    /// Reads the mapping file, and checks all rules.
    pub(super) fn meant(self) -> Result<Rewrite> {
        let mapping = self.mapping.map(|file| mapping::read(&file)).transpose()?;
        let numbered = self.relabel.into_iter().zip(1..);
        let relabel = numbered.map(|(written, number)| {
            let rule = Relabel::try_from(written);
            rule.with_context(|| format!("rewrite.relabel, rule {number}"))
        });
        Ok(Rewrite {
            mapping: mapping.unwrap_or_default(),
            relabel: relabel.collect::<Result<_>>()?,
        })
    }
}

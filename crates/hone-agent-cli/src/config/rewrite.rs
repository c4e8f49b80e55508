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
    relabel: Vec<RawRelabel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawRelabel {
    source_labels: Vec<String>,
    separator: String,
    regex: String,
    target_label: String,
    replacement: String,
    action: String,
}

impl Default for RawRelabel {
    fn default() -> Self {
        let Written {
            source_labels,
            separator,
            regex,
            target_label,
            replacement,
            action,
        } = Written::default();
        Self {
            source_labels,
            separator,
            regex,
            target_label,
            replacement,
            action,
        }
    }
}

impl RawRewrite {
    /// Reads the mapping file, and checks all rules.
    pub(super) fn meant(self) -> Result<Rewrite> {
        let mapping = self.mapping.map(|file| mapping::read(&file)).transpose()?;
        let numbered = self.relabel.into_iter().zip(1..);
        let relabel = numbered.map(|(raw, number)| {
            let rule = Relabel::try_from(raw.written());
            rule.with_context(|| format!("rewrite.relabel, rule {number}"))
        });
        Ok(Rewrite {
            mapping: mapping.unwrap_or_default(),
            relabel: relabel.collect::<Result<_>>()?,
        })
    }
}

impl RawRelabel {
    fn written(self) -> Written {
        Written {
            source_labels: self.source_labels,
            separator: self.separator,
            regex: self.regex,
            target_label: self.target_label,
            replacement: self.replacement,
            action: self.action,
        }
    }
}

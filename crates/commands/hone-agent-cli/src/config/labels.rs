//! `[labels]` of the configuration.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use hone_agent::limits::{TAGS_BYTES_MAX, TAGS_MAX};

/// Key of the label with the name of the host.
pub(super) const HOST: &str = "host";

/// Returns the checked labels, with one for the host.
pub(super) fn meant(mut labels: BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    if !labels.contains_key(HOST) {
        labels.insert(HOST.into(), host());
    }
    check(&labels)?;
    Ok(labels)
}

/// Checks the number and length of labels. Labels become tags where another agent receives them, so tags' limits apply.
fn check(labels: &BTreeMap<String, String>) -> Result<()> {
    let each = labels.iter().flat_map(|(key, value)| [key, value]);
    let bytes: usize = each.clone().map(String::len).sum();
    if labels.len() > TAGS_MAX || bytes > TAGS_BYTES_MAX {
        bail!(
            "there are {} [labels] of {bytes} bytes; there can be {TAGS_MAX} of {TAGS_BYTES_MAX} bytes together",
            labels.len()
        );
    }
    if let Some(text) = each.clone().find(|text| text.contains(char::is_control)) {
        bail!("[labels] has {text:?}, which holds control characters; use words");
    }
    Ok(())
}

/// Returns the name of this host.
fn host() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

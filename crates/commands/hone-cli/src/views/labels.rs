//! Labels on the command line: `label` for whole sets of labels, `label:KEY,...` for those of some keys.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hone_files::advice::Advise;
use hone_views::Stacks;

/// Keys in an error; more are counted.
const KEYS_SHOWN: usize = 20;

/// Keys of the labels to look at, in order; none for all.
#[derive(Clone, Default)]
pub(crate) struct LabelKeys(pub(crate) Vec<String>);

impl LabelKeys {
    /// Parses `label` or `label:KEY,...`; `None` for any other text.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if text == "label" {
            return Some(Self(Vec::new()));
        }
        let keys = text.strip_prefix("label:")?.split(',');
        let keys: Vec<String> = keys.map(str::to_owned).collect();
        let has_empty = keys.iter().any(String::is_empty);
        (!has_empty).then_some(Self(keys))
    }

    /// Parses the value of an option that takes nothing but labels.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Self::of(text).ok_or_else(|| "write label, or label:KEY,KEY for some labels".to_owned())
    }

    /// Checks that the recording has labels, and labels of these keys.
    ///
    /// # Errors
    ///
    /// Returns an error that names the recording's keys, or tells where labels come from.
    pub(crate) fn must_be_in(&self, stacks: &Stacks, recording: &Path) -> Result<()> {
        let known = &stacks.label_keys;
        let missing = self.0.iter().find(|key| !known.contains(key.as_str()));
        if known.is_empty() {
            Err(anyhow!("its samples have no labels")).next(
                "name a CPU profile of a Go program, taken by net/http/pprof or runtime/pprof: servers of hone/go/rpc label \
                 their calls, pprof.Do labels any work. hone record and perf see no labels",
            )
        } else if let Some(missing) = missing {
            let more = match known.len().saturating_sub(KEYS_SHOWN) {
                0 => String::new(),
                more => format!(" or {more} more"),
            };
            let known: Vec<&str> = known.iter().take(KEYS_SHOWN).map(|key| &**key).collect();
            Err(anyhow!("no sample has a label {missing}"))
                .next(format!("name one of {}{more}", known.join(", ")))
        } else {
            Ok(())
        }
        .with_context(|| recording.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_behind_a_colon() {
        let keys = |text: &str| LabelKeys::of(text).map(|keys| keys.0.join("|"));
        assert_eq!(keys("label").as_deref(), Some(""));
        assert_eq!(keys("label:method").as_deref(), Some("method"));
        assert_eq!(keys("label:a:b,c").as_deref(), Some("a:b|c"));
        for other in ["labels", "label:", "label:a,,b", "thread", "thread:method"] {
            assert_eq!(keys(other), None, "{other}");
        }
    }
}

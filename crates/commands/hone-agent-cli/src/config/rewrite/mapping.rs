//! Mapping files of statsd_exporter.
//!
//! Source: "Metric Mapping and Configuration" in statsd_exporter's documentation. What such a file says of quantiles, buckets and
//! expiry is read over, since the agent has settings of its own for these, and each such key is told once. A key that would make
//! other values or other names than statsd_exporter makes is refused.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use hone_agent::rewrite::mapping::{Becomes, Kinds, Mapping, Pattern, Rule};
use hone_agent::rewrite::template::Template;
use hone_agent::sample::Kind;
use regex::Regex;
use yaml_rust2::{Yaml, YamlLoader};

use crate::log;

/// Longest mapping file. Some thousand rules are a hundred kilobytes.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// Keys that the agent has settings of its own for.
const OWN_SETTINGS: [&str; 6] = [
    "ttl",
    "buckets",
    "quantiles",
    "histogram_options",
    "summary_options",
    "help",
];

/// Reads a mapping file.
///
/// # Errors
/// If it cannot be read, or has a rule that the agent cannot apply; the text names the file and the rule.
pub(super) fn read(file: &Path) -> Result<Mapping> {
    let named = || format!("rewrite.mapping {}", file.display());
    let bytes = fs::metadata(file).with_context(named)?.len();
    if bytes > FILE_BYTES_MAX {
        return Err(anyhow!(
            "it has {bytes} bytes; a mapping file has at most {FILE_BYTES_MAX}"
        ))
        .with_context(named);
    }
    let text = fs::read_to_string(file).with_context(named)?;
    let (mapping, unused) = parse(&text).with_context(named)?;
    if !unused.is_empty() {
        let keys = unused.join(", ");
        log::say_often(
            "mapping",
            format!(
                "{}: not used: {keys}; [aggregate] has the agent's own settings",
                named()
            ),
        );
    }
    Ok(mapping)
}

/// What holds for all rules that do not say otherwise.
#[derive(Default)]
struct Defaults {
    is_regex: bool,
    observers: Option<Kind>,
}

/// Returns the rules, and the keys that are read over.
fn parse(text: &str) -> Result<(Mapping, Vec<&'static str>)> {
    let documents = YamlLoader::load_from_str(text)?;
    let file = match &documents[..] {
        [] => return Ok((Mapping::default(), Vec::new())),
        [file] => file,
        _ => bail!("it has several YAML documents; one is wanted"),
    };
    let mut unused = Vec::new();
    let mut defaults = Defaults::default();
    let mut rules: &[Yaml] = &[];
    for (key, value) in pairs(file, "the file")? {
        match key {
            "defaults" => defaults = defaults_of(value, &mut unused).context("defaults")?,
            "mappings" => rules = value.as_vec().context("mappings is no list")?,
            _ => bail!("{key:?} is no key of a mapping file; defaults and mappings are"),
        }
    }
    let numbered = rules.iter().zip(1..);
    let mapping = numbered.map(|(rule, number)| {
        let pattern = rule["match"].as_str().unwrap_or_default();
        let named = || format!("mapping {number} (match: {pattern:?})");
        self::rule(rule, &defaults, &mut unused).with_context(named)
    });
    let mapping = mapping.collect::<Result<Mapping>>()?;
    unused.sort_unstable();
    unused.dedup();
    Ok((mapping, unused))
}

fn defaults_of(value: &Yaml, unused: &mut Vec<&'static str>) -> Result<Defaults> {
    let mut defaults = Defaults::default();
    for (key, value) in pairs(value, "defaults")? {
        match key {
            "match_type" => defaults.is_regex = is_regex(value)?,
            "observer_type" | "timer_type" => defaults.observers = Some(observers(value)?),
            "glob_disable_ordering" => {
                if value.as_bool() != Some(false) {
                    bail!(
                        "glob_disable_ordering lets the most specific rule apply, and here the first does; put specific rules first, \
                         and remove the key"
                    );
                }
            }
            _ => unused.push(own_setting(key)?),
        }
    }
    Ok(defaults)
}

fn rule(rule: &Yaml, defaults: &Defaults, unused: &mut Vec<&'static str>) -> Result<Rule> {
    let (mut pattern, mut name, mut labels) = (None, None, None);
    let mut is_regex = defaults.is_regex;
    let mut observers = defaults.observers;
    let mut kinds = Kinds::All;
    let (mut drops, mut sent_tags_win) = (false, false);
    for (key, value) in pairs(rule, "the mapping")? {
        match key {
            "match" => pattern = Some(words(key, value)?),
            "name" => name = Some(words(key, value)?),
            "labels" => labels = Some(value),
            "match_type" => is_regex = self::is_regex(value)?,
            "observer_type" | "timer_type" => observers = Some(self::observers(value)?),
            "match_metric_type" => kinds = self::kinds(value)?,
            "action" => drops = self::drops(value)?,
            "honor_labels" => {
                sent_tags_win = value.as_bool().context("honor_labels is true or false")?;
            }
            "scale" => bail!(
                "scale would change values, which the agent keeps as they are sent; scale them in the query, and remove the key"
            ),
            _ => unused.push(own_setting(key)?),
        }
    }
    let pattern = pattern.context("match is missing")?;
    let pattern = match is_regex {
        true => Pattern::Regex(Regex::new(pattern).context("match")?),
        false => parts(pattern)?,
    };
    if drops {
        return Ok(Rule {
            pattern,
            kinds,
            becomes: None,
        });
    }
    let template = |what: &str, text: &str| {
        let group = |name: &str| pattern.group(name);
        Template::new(text, group).with_context(|| format!("{what} {text:?}"))
    };
    let name = name.context("name is missing; only action: drop needs none")?;
    let mut tags = Vec::new();
    if let Some(labels) = labels {
        for (key, value) in pairs(labels, "labels")? {
            tags.push((key.to_owned(), template(key, words(key, value)?)?));
        }
    }
    let becomes = Becomes {
        name: template("name", name)?,
        tags,
        sent_tags_win,
        observers,
    };
    Ok(Rule {
        pattern,
        kinds,
        becomes: Some(becomes),
    })
}

/// Reads a pattern of parts. A `*` is a whole part: statsd_exporter refuses others too.
fn parts(pattern: &str) -> Result<Pattern> {
    let is_half = |part: &str| part.contains('*') && part != "*";
    if let Some(part) = pattern.split('.').find(|part| is_half(part)) {
        bail!(
            "match has {part:?}, and * stands for a whole part between dots; write * alone, or match_type: regex"
        );
    }
    Ok(Pattern::parts(pattern))
}

fn is_regex(value: &Yaml) -> Result<bool> {
    match value.as_str() {
        Some("glob" | "") => Ok(false),
        Some("regex") => Ok(true),
        _ => bail!("match_type is {}; glob or regex is wanted", shown(value)),
    }
}

fn observers(value: &Yaml) -> Result<Kind> {
    match value.as_str() {
        Some("histogram") => Ok(Kind::Histogram),
        Some("summary") => Ok(Kind::Timer),
        _ => bail!(
            "observer_type is {}; histogram or summary is wanted",
            shown(value)
        ),
    }
}

fn kinds(value: &Yaml) -> Result<Kinds> {
    match value.as_str() {
        Some("counter") => Ok(Kinds::Counters),
        Some("gauge") => Ok(Kinds::Gauges),
        Some("observer" | "timer") => Ok(Kinds::Observers),
        _ => bail!(
            "match_metric_type is {}; counter, gauge or observer is wanted",
            shown(value)
        ),
    }
}

fn drops(value: &Yaml) -> Result<bool> {
    match value.as_str() {
        Some("map" | "") => Ok(false),
        Some("drop") => Ok(true),
        _ => bail!("action is {}; map or drop is wanted", shown(value)),
    }
}

fn own_setting(key: &str) -> Result<&'static str> {
    let known = OWN_SETTINGS.into_iter().find(|own| *own == key);
    known.with_context(|| {
        format!("{key:?} is no key that statsd_exporter has here; look for a slip of the pen")
    })
}

/// Returns keys and values of a YAML map.
fn pairs<'y>(value: &'y Yaml, what: &str) -> Result<Vec<(&'y str, &'y Yaml)>> {
    let map = value.as_hash();
    let map = map.with_context(|| format!("{what}: keys with values are wanted"))?;
    let pairs = map.iter().map(|(key, value)| {
        let key = key.as_str();
        let key = key.with_context(|| format!("{what}: a key is no text; put it in quotes"))?;
        Ok((key, value))
    });
    pairs.collect()
}

/// Returns a text that series may have.
fn words<'y>(key: &str, value: &'y Yaml) -> Result<&'y str> {
    let text = value.as_str();
    let text = text.with_context(|| format!("{key} is no text; put it in quotes"))?;
    match text.chars().any(|c| c.is_ascii_control()) {
        true => bail!("{key} has control characters; remove them"),
        false => Ok(text),
    }
}

fn shown(value: &Yaml) -> String {
    match value.as_str() {
        Some(text) => format!("{text:?}"),
        None => "no text".to_owned(),
    }
}

#[cfg(test)]
mod tests;

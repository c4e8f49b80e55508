//! The name of a line, and the tags that stand at it in three of the four dialects:
//!
//! ```text
//! name#k=v,k2=v2      Librato
//! name,k=v,k2=v2      InfluxDB
//! na[k=v,k2=v2]me     SignalFx: the tags stand anywhere in the name, which is `name`
//! ```

use memchr::{memchr, memchr2, memchr3};

/// What stands before the first value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Named<'l> {
    /// The name, up to its tags.
    pub(super) metric: &'l [u8],
    /// What of the name stands behind its tags.
    pub(super) behind_tags: &'l [u8],
    /// Tags at the name.
    pub(super) tags: Option<&'l [u8]>,
}

/// The name of a line and what follows behind its colon; `None` if there is no name or no colon.
pub(super) fn named(line: &[u8]) -> Option<(Named<'_>, &[u8])> {
    let end = memchr3(b':', b'[', b']', line)?;
    let (named, rest) = match line[end] {
        b':' => (name(&line[..end]), &line[end + 1..]),
        b'[' => with_brackets(line, end).or_else(|| without_tags(line))?,
        _ => without_tags(line)?,
    };
    let is_empty = named.metric.is_empty() && named.behind_tags.is_empty();
    (!is_empty).then_some((named, rest))
}

/// A name without brackets.
fn name(name: &[u8]) -> Named<'_> {
    let (metric, tags) = match memchr2(b'#', b',', name) {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    };
    Named {
        metric,
        behind_tags: &[],
        tags,
    }
}

/// A name with tags in brackets, which may hold colons; `None` if the brackets are not closed before the first `|`, behind
/// which there is no name.
fn with_brackets(line: &[u8], open: usize) -> Option<(Named<'_>, &[u8])> {
    let head = &line[..memchr(b'|', line).unwrap_or(line.len())];
    let close = open + memchr(b']', head.get(open..)?)?;
    let colon = close + memchr(b':', &head[close..])?;
    let named = Named {
        metric: &line[..open],
        behind_tags: &line[close + 1..colon],
        tags: Some(&line[open + 1..close]),
    };
    Some((named, &line[colon + 1..]))
}

/// A name with a bracket that has no other: all of it is name, whatever it holds, as statsd_exporter has it.
fn without_tags(line: &[u8]) -> Option<(Named<'_>, &[u8])> {
    let colon = memchr(b':', line)?;
    let named = Named {
        metric: &line[..colon],
        behind_tags: &[],
        tags: None,
    };
    Some((named, &line[colon + 1..]))
}

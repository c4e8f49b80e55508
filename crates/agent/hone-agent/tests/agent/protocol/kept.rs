//! Samples that outlive their packet.

use hone_agent::protocol::Parsed;
use hone_agent::sample::{Kind, Sample, TagSyntax, Values};

/// All that a sample says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Kept {
    pub(crate) kind: Kind,
    pub(crate) metric: String,
    pub(crate) tags: String,
    pub(crate) syntax: TagSyntax,
    pub(crate) numbers: Vec<f64>,
    pub(crate) change: Option<f64>,
    pub(crate) member: Option<String>,
    pub(crate) weight: f64,
    pub(crate) time_s: Option<u64>,
    pub(crate) container: Option<String>,
}

/// A DogStatsD counter of 1 without anything else.
pub(crate) fn plain(metric: &str) -> Kept {
    Kept {
        kind: Kind::Counter,
        metric: metric.into(),
        tags: String::new(),
        syntax: TagSyntax::Colons,
        numbers: vec![1.0],
        change: None,
        member: None,
        weight: 1.0,
        time_s: None,
        container: None,
    }
}

fn kept(sample: Sample<'_>) -> Kept {
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let (numbers, change, member) = match sample.values {
        Values::Numbers(numbers) => (numbers.to_vec(), None, None),
        Values::Change(change) => (vec![], Some(change), None),
        Values::Member(member) => (vec![], None, Some(text(member))),
    };
    Kept {
        kind: sample.series.kind,
        metric: text(sample.series.metric),
        tags: text(sample.series.tags),
        syntax: sample.series.syntax,
        numbers,
        change,
        member,
        weight: sample.weight,
        time_s: sample.time_s,
        container: sample.container.map(text),
    }
}

/// What a parser hands on, which must be what it counts and what [`Sample`] promises.
pub(crate) fn read_by(
    parse: impl FnOnce(&mut dyn FnMut(Sample<'_>)) -> Parsed,
) -> (Vec<Kept>, Parsed) {
    let mut samples = Vec::new();
    let parsed = parse(&mut |sample| samples.push(kept(sample)));
    let values: usize = samples.iter().map(values_of).sum();
    assert_eq!(parsed.samples, samples.len() as u64);
    assert_eq!(parsed.values, values as u64);
    assert!(parsed.unread_bytes == 0 || parsed.malformed > 0);
    (samples, parsed)
}

/// How many values a sample has, which are as they must be.
fn values_of(sample: &Kept) -> usize {
    assert!(!sample.metric.is_empty());
    assert!(sample.weight >= 1.0 && sample.weight.is_finite());
    let mut numbers = sample.numbers.iter().chain(&sample.change);
    assert!(numbers.all(|number| number.is_finite()));
    assert_eq!(sample.member.is_some(), sample.kind == Kind::Set);
    assert!(
        sample
            .member
            .as_ref()
            .is_none_or(|member| !member.is_empty())
    );
    let values = sample.numbers.len()
        + usize::from(sample.change.is_some())
        + usize::from(sample.member.is_some());
    assert!(values > 0);
    values
}

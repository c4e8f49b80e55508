//! The questions that Grafana's data source for Pyroscope asks, answered from what the hub has
//! (`docs/internals/hub-pyroscope.md`).
//!
//! There is one type of profiles, that of CPU time. Labels are what groups tell: the service, host, container, build and thread
//! by names of their own, and all others as they were sent. Where there is nothing, the answer is empty and no error.

mod flame;
mod lines;
mod reply;
mod request;
mod selector;

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;

use flate2::read::GzDecoder;
use hone_batch::{BUCKET_S, Batch, Group, GroupField, Merging};
use hone_profile::{Profile, pprof};
use hone_views::{Names, Stacks};

pub use flame::Flame;
pub use lines::Line;
pub use reply::Reply;
pub use request::{Asked, Method, NotAsked};
pub use selector::Selector;

use crate::question::{NoAnswer, Question, answer};
use crate::store::Store;
use crate::store::tables::Table;
use crate::view::{Places, stacks};
use selector::{FIELDS, SERVICE, value};

/// The one type of profiles.
pub const CPU: &str = "process_cpu:cpu:nanoseconds:cpu:nanoseconds";
/// Its name alone.
const CPU_NAME: &str = "process_cpu";
/// Sets of labels in an answer.
const SETS_MAX: usize = 10_000;

/// Reason why there is no answer.
#[derive(Debug)]
pub enum NoReply {
    /// The request makes no sense.
    NotAsked(NotAsked),
    /// There is no answer to it.
    NoAnswer(NoAnswer),
}

impl From<NoAnswer> for NoReply {
    fn from(error: NoAnswer) -> Self {
        Self::NoAnswer(error)
    }
}

/// What was found, and how long the steps of time are in which it was added up.
struct Found {
    batch: Batch,
    bucket_s: u64,
}

/// Answers a request, with about twice so many rows in memory. `names` gives the names of places beside those that hosts sent.
///
/// # Errors
///
/// [`NoReply`] says what is wrong.
pub fn reply(
    store: &Store,
    tenant: &str,
    asked: &Asked,
    rows_max: usize,
    names: impl Fn(&Profile, &Places) -> Names,
) -> Result<Reply, NoReply> {
    let find = || find(store, tenant, asked, rows_max);
    Ok(match asked.method {
        Method::ProfileTypes => Reply::ProfileTypes {
            is_any: !services(store, tenant, asked)?.is_empty(),
        },
        Method::GetProfileStats => Reply::Stats {
            span_ms: span_ms(store, tenant)?,
        },
        Method::LabelValues if asked.label == SERVICE => {
            Reply::Names(services(store, tenant, asked)?)
        }
        Method::LabelValues => {
            Reply::Names(find()?.map_or_else(Vec::new, |found| values(&found.batch, &asked.label)))
        }
        Method::LabelNames => {
            Reply::Names(find()?.map_or_else(Vec::new, |found| label_names(&found.batch)))
        }
        Method::Series => Reply::LabelSets(
            find()?.map_or_else(Vec::new, |found| label_sets(&found.batch, &asked.labels)),
        ),
        Method::SelectMergeStacktraces => {
            let stacks = find()?.and_then(|found| stacks(&found.batch, names));
            Reply::Flame(stacks.map(|stacks| Flame::of(&stacks, asked.nodes_max)))
        }
        Method::SelectMergeProfile => {
            let found = find()?;
            let span_s = found
                .as_ref()
                .map_or(0..0, |found| found.batch.span_s.clone());
            let stacks = found.and_then(|found| stacks(&found.batch, names));
            Reply::Profile(unpacked(&as_pprof(&stacks.unwrap_or_default(), &span_s)))
        }
        Method::SelectSeries => Reply::Lines(match find()? {
            Some(found) => {
                lines::lines(asked, &found.batch, found.bucket_s).map_err(NoReply::NotAsked)?
            }
            None => Vec::new(),
        }),
    })
}

/// Returns stacks as a compressed profile in pprof's format, of a time in seconds since 1970.
pub fn as_pprof(stacks: &Stacks, span_s: &Range<u64>) -> Vec<u8> {
    let mut made = hone_views::pprof(stacks);
    let ns = |time_s: u64| i64::try_from(time_s.saturating_mul(1_000_000_000)).unwrap_or(i64::MAX);
    made.time_ns = ns(span_s.start);
    made.duration_ns = ns(span_s.end.saturating_sub(span_s.start));
    pprof::write(&made).expect("memory takes all that is written")
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    GzDecoder::new(bytes)
        .read_to_end(&mut whole)
        .expect("what was packed just now can be unpacked");
    whole
}

fn span_s(asked: &Asked) -> Range<u64> {
    let start_s = asked.start_ms / 1000;
    start_s..asked.end_ms.div_ceil(1000).max(start_s + 1)
}

/// Returns the services of the asked time that may be selected.
fn services(store: &Store, tenant: &str, asked: &Asked) -> Result<Vec<String>, NoAnswer> {
    let all = store.services(tenant, span_s(asked))?;
    let names = all.into_iter().map(|service| service.name);
    let names = names.filter(|name| !name.is_empty() && asked.selector.has_service(name));
    Ok(names.collect())
}

/// Returns the first and the last day of which there is anything, in milliseconds since 1970.
fn span_ms(store: &Store, tenant: &str) -> Result<Option<(i64, i64)>, NoAnswer> {
    let all = store.services(tenant, 0..u64::MAX)?;
    let days: BTreeSet<&str> = all
        .iter()
        .flat_map(|service| service.days.iter().map(String::as_str))
        .collect();
    let start_ms = |day: &str| -> Option<i64> {
        let date: jiff::civil::Date = day.parse().ok()?;
        let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(zoned.timestamp().as_millisecond())
    };
    let first = days.first().and_then(|day| start_ms(day));
    let last = days.last().and_then(|day| start_ms(day));
    Ok(first.zip(last.map(|day| day + 86_399_999)))
}

/// Returns the sum of what is selected; `None` if there is nothing.
fn find(
    store: &Store,
    tenant: &str,
    asked: &Asked,
    rows_max: usize,
) -> Result<Option<Found>, NoAnswer> {
    let all = store.services(tenant, span_s(asked))?;
    let names = all.into_iter().map(|service| service.name);
    let services: Vec<String> = names
        .filter(|name| asked.selector.has_service(name))
        .collect();
    if services.is_empty() {
        return Ok(None);
    }
    let question = Question {
        services,
        span_s: span_s(asked),
        tables: vec![Table::Samples],
        hosts: asked.selector.exactly("host"),
        containers: asked.selector.exactly("container"),
        ..Question::default()
    };
    let is_of_stacks = matches!(
        asked.method,
        Method::SelectMergeStacktraces | Method::SelectMergeProfile
    );
    let apart = ["host", "container", "thread"];
    let question = match is_of_stacks && !apart.iter().any(|name| asked.selector.looks_at(name)) {
        true => question.for_stacks(question.span_s.end),
        false => question,
    };
    let found = match answer(store, tenant, &question, rows_max) {
        Ok(found) => found,
        Err(error @ (NoAnswer::TooManyRows { .. } | NoAnswer::Store(_))) => return Err(error),
        Err(_) => return Ok(None),
    };
    let bucket_s = found.detail.step_s();
    let mut merging = Merging::new(BUCKET_S, |group: Group| {
        asked.selector.holds(&group).then_some(group)
    });
    merging.add(&found.batch);
    let batch = merging.finish();
    Ok((!batch.samples.is_empty()).then_some(Found { batch, bucket_s }))
}

fn values(batch: &Batch, name: &str) -> Vec<String> {
    let values = batch.groups.iter().map(|group| value(group, name));
    let values: BTreeSet<&str> = values.filter(|value| !value.is_empty()).collect();
    values.into_iter().map(str::to_owned).collect()
}

fn label_names(batch: &Batch) -> Vec<String> {
    let fields = [SERVICE].into_iter().chain(FIELDS.map(GroupField::name));
    let fields = fields.filter(|name| {
        batch
            .groups
            .iter()
            .any(|group| !value(group, name).is_empty())
    });
    let mut names: BTreeSet<String> = fields.map(str::to_owned).collect();
    names.insert("__profile_type__".to_owned());
    for group in &batch.groups {
        names.extend(group.labels.iter().map(|label| label.key.to_string()));
    }
    names.into_iter().collect()
}

/// Returns the different sets of these labels; of all if none is named.
fn label_sets(batch: &Batch, names: &[String]) -> Vec<Vec<(String, String)>> {
    let all;
    let names = match names.is_empty() {
        true => {
            all = label_names(batch);
            &all
        }
        false => names,
    };
    let sets: BTreeSet<Vec<(String, String)>> = batch
        .groups
        .iter()
        .map(|group| {
            let pairs = names
                .iter()
                .map(|name| (name.clone(), value(group, name).to_owned()));
            pairs.filter(|(_, value)| !value.is_empty()).collect()
        })
        .collect();
    sets.into_iter()
        .filter(|set: &Vec<_>| !set.is_empty())
        .take(SETS_MAX)
        .collect()
}

//! Questions, answered as one batch: what was recorded of services in a time.

mod filter;
mod short;
mod totals;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use hone_batch::{BUCKET_S, Batch, GroupField, Merging};

use crate::store::tables::Table;
use crate::store::time::HOUR_S;
use crate::store::{Detail, Parts, Query, RowLimit, Store, StoreError};
use filter::Filter;
pub use filter::Kind;
pub use short::{ShortAnswer, short_answer};
pub use totals::add_totals;

/// Names that a refusal tells.
const NAMES_TOLD: usize = 10;
/// Days that a refusal tells.
const DAYS_TOLD: usize = 7;
/// Shortest time of which samples by the hour are enough for stacks, in seconds: shorter times are looked at by the minute.
const HOURLY_FROM_S: u64 = 6 * 3_600;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// Services; empty for all.
    pub services: Vec<String>,
    /// Time in seconds since 1970.
    pub span_s: Range<u64>,
    /// Tables of counts, or of sums of them.
    pub tables: Vec<Table>,
    /// Parts of groups that are not told apart in the answer, by the names of their columns: neither chosen by nor of interest.
    pub merged: &'static [GroupField],
    /// Beginnings of the build ids of programs, in hexadecimal; empty for all.
    pub builds: Vec<String>,
    /// Hosts; empty for all. Files of days do not know them any more.
    pub hosts: Vec<String>,
    /// Beginnings of ids of containers; empty for all.
    pub containers: Vec<String>,
    /// Names of threads; empty for all.
    pub threads: Vec<String>,
    /// Labels, by key and value, such as `class` and `edge`; empty for all. Of those with the same key one must be there.
    pub labels: Vec<(String, String)>,
}

/// Reads `KEY:VALUE`.
///
/// # Errors
///
/// Returns what is wrong with the text, and what to write.
pub fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(format!("label={text:?} is no label: write label=KEY:VALUE")),
    }
}

/// Reason why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoAnswer {
    /// There has never been anything of a service.
    Service {
        /// The service.
        asked: String,
        /// Services that there are, those with similar names first.
        there: Vec<String>,
    },
    /// There is nothing of the services in that time.
    Time {
        /// The services.
        asked: Vec<String>,
        /// Days of which there is something, in order.
        days: Vec<String>,
    },
    /// There is nothing of that build, host, container, thread or label.
    Nothing {
        /// What was asked for.
        kind: Kind,
        /// The asked values.
        asked: Vec<String>,
        /// Values that there are.
        there: Vec<String>,
    },
    /// There is nothing in the asked tables for which all of it holds together.
    Together,
    /// More different rows than the limit allows.
    TooManyRows {
        /// The limit.
        max: usize,
    },
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for NoAnswer {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::TooManyRows { max } => Self::TooManyRows { max },
            error => Self::Store(error),
        }
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service { asked, there } if there.is_empty() => write!(
                f,
                "there is no service {asked:?}, and no other: nothing has been sent yet"
            ),
            Self::Service { asked, there } => {
                write!(f, "there is no service {asked:?}; there are: {}", some(there))
            }
            Self::Time { asked, days } => {
                let from = days.len().saturating_sub(DAYS_TOLD);
                write!(
                    f,
                    "there is nothing of {} in that time; there is of {}{}: ask for another time",
                    asked.join(", "),
                    if from > 0 { "earlier days and " } else { "" },
                    days[from..].join(", ")
                )
            }
            Self::Nothing { kind, asked, there } => write!(
                f,
                "there is nothing of the {kind} {} in that time; there are: {}",
                asked.join(", "),
                some(there)
            ),
            Self::Together => f.write_str(
                "there is nothing of all that together in that time: ask for less, or for other tables",
            ),
            Self::TooManyRows { max } => StoreError::TooManyRows { max: *max }.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoAnswer {}

fn some(names: &[String]) -> String {
    let told = names
        .iter()
        .take(NAMES_TOLD)
        .map(|name| match name.as_str() {
            "" => "(none)",
            name => name,
        });
    let told: Vec<&str> = told.collect();
    match names.len().saturating_sub(NAMES_TOLD) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The sum of all that was asked for.
    pub batch: Batch,
    /// What is told apart in it: less where there was too much.
    pub detail: Detail,
}

/// Answers a question, with about twice so many rows in memory at each of its steps.
///
/// # Errors
///
/// [`NoAnswer`] says what there is instead.
pub fn answer(
    store: &Store,
    tenant: &str,
    question: &Question,
    rows_max: usize,
) -> Result<Answer, NoAnswer> {
    let filter = RefCell::new(Filter::new(question));
    let begin = |detail: Detail| {
        let filter = &filter;
        Merging::new(detail.step_s(), move |group| {
            let passed = filter.borrow_mut().pass(group);
            passed.map(|group| detail.of_group(group))
        })
    };
    let mut parts = question.read(store, tenant, &question.tables, rows_max)?;
    let mut detail = parts.detail();
    let mut merging = begin(detail);
    let asked: BTreeSet<&str> = question.services.iter().map(String::as_str).collect();
    let mut without = asked.clone();
    while let Some(part) = parts.next() {
        let part = part?;
        without.remove(part.service.as_str());
        merging.add(&part.to_batch());
        while parts.detail() > detail || merging.exceeds(rows_max) {
            if parts.detail() == detail {
                parts.give_up_more()?;
            }
            detail = parts.detail();
            let finer = std::mem::replace(&mut merging, begin(detail)).finish();
            merging.add(&finer);
        }
    }
    let mut batch = merging.finish();
    check_services(store, tenant, &asked, &without)?;
    if is_empty(&batch) {
        return Err(filter.into_inner().refusal());
    }
    if question.tables.contains(&Table::Hourly) {
        detail = detail.max(Detail::Hours);
    }
    batch.span_s = span_of(&batch, question, detail);
    Ok(Answer { batch, detail })
}

impl Question {
    /// Returns the same question for samples where their stacks matter: hosts and containers are not told apart, of which there
    /// are many, and a long time is of hours without threads; all that unless samples are chosen by it. The long time is widened
    /// to whole hours, of which no minutes need be read, but not beyond `now_s`.
    pub fn for_stacks(&self, now_s: u64) -> Self {
        let samples = Self {
            tables: vec![Table::Samples],
            ..self.clone()
        };
        let is_long = self.span_s.end.saturating_sub(self.span_s.start) >= HOURLY_FROM_S;
        if is_long && self.is_of_all() {
            return Self {
                span_s: whole_hours(&self.span_s, now_s),
                ..samples.summed()
            };
        }
        let merged: &[GroupField] = match (self.hosts.is_empty(), self.containers.is_empty()) {
            (true, true) => &[GroupField::Container, GroupField::Host],
            (true, false) => &[GroupField::Host],
            (false, true) => &[GroupField::Container],
            (false, false) => &[],
        };
        Self { merged, ..samples }
    }

    /// True if samples are chosen neither by hosts nor by containers or threads.
    fn is_of_all(&self) -> bool {
        self.hosts.is_empty() && self.containers.is_empty() && self.threads.is_empty()
    }

    /// Returns the same question for sums by the hour in place of samples.
    fn summed(&self) -> Self {
        let tables = self.tables.iter().map(|table| match table {
            Table::Samples => Table::Hourly,
            other => *other,
        });
        Self {
            tables: tables.collect(),
            merged: &[GroupField::Container, GroupField::Host],
            ..self.clone()
        }
    }

    fn query(&self, tables: &[Table]) -> Query {
        Query {
            services: (!self.services.is_empty()).then(|| self.services.clone()),
            span_s: self.span_s.clone(),
            tables: tables.to_vec(),
            merged: self.merged,
            hosts_apart: Vec::new(),
        }
    }

    /// Asks the store for tables, with a limit on the rows in memory.
    fn read<'s>(
        &self,
        store: &'s Store,
        tenant: &str,
        tables: &[Table],
        rows_max: usize,
    ) -> Result<Parts<'s>, StoreError> {
        let limit = RowLimit {
            rows_max,
            detail: Detail::Minutes,
            least: self.least_detail(),
        };
        let mut parts = store.read_within(tenant, &self.query(tables), limit)?;
        // All rows of sums are of an hour of their own: where there are too many, days are told apart from the beginning.
        let is_unfiltered = self.is_of_all() && self.builds.is_empty() && self.labels.is_empty();
        let has_sums = is_unfiltered && tables.contains(&Table::Hourly);
        if has_sums && parts.file_rows(Table::Hourly) > rows_max as u64 {
            while parts.detail() < Detail::Days {
                parts.give_up_more()?;
            }
        }
        Ok(parts)
    }

    /// Returns the least detail that still has what is asked for.
    fn least_detail(&self) -> Detail {
        match (self.hosts.is_empty(), self.containers.is_empty()) {
            (false, _) => Detail::Days,
            (true, false) => Detail::NoHosts,
            (true, true) => Detail::NoContainers,
        }
    }
}

/// Checks that not all asked services are among those without an answer, and that each of these was ever there.
fn check_services(
    store: &Store,
    tenant: &str,
    asked: &BTreeSet<&str>,
    without: &BTreeSet<&str>,
) -> Result<(), NoAnswer> {
    if without.is_empty() {
        return Ok(());
    }
    // Others may have an answer. A service that never was is a mistake all the same.
    let nothing = nothing_of(store, tenant, without)?;
    if without == asked || matches!(nothing, NoAnswer::Service { .. }) {
        return Err(nothing);
    }
    Ok(())
}

/// Says what there is, where there is nothing of the services in a time.
pub(crate) fn nothing_of(
    store: &Store,
    tenant: &str,
    asked: &BTreeSet<&str>,
) -> Result<NoAnswer, StoreError> {
    let all = store.services(tenant, 0..u64::MAX)?;
    let is_there = |name: &&&str| all.iter().any(|service| service.name == **name);
    if let Some(unknown) = asked.iter().find(|name| !is_there(name)) {
        let mut there: Vec<String> = all.into_iter().map(|service| service.name).collect();
        there.sort_by_cached_key(|name| strsim::damerau_levenshtein(name, unknown));
        return Ok(NoAnswer::Service {
            asked: (*unknown).to_owned(),
            there,
        });
    }
    let of_asked = all
        .into_iter()
        .filter(|one| asked.contains(one.name.as_str()));
    let mut days: Vec<String> = of_asked.flat_map(|service| service.days).collect();
    days.sort_unstable();
    days.dedup();
    Ok(NoAnswer::Time {
        asked: asked.iter().map(|name| (*name).to_owned()).collect(),
        days,
    })
}

/// Widens a time to whole hours; it ends as before where the hour of its end is not over.
fn whole_hours(span_s: &Range<u64>, now_s: u64) -> Range<u64> {
    let end_s = span_s.end.next_multiple_of(HOUR_S);
    let end_s = if end_s <= now_s { end_s } else { span_s.end };
    span_s.start / HOUR_S * HOUR_S..end_s
}

fn is_empty(batch: &Batch) -> bool {
    batch.samples.is_empty()
        && batch.branches.is_empty()
        && batch.ranges.is_empty()
        && batch.records.is_empty()
}

/// Returns the asked time from the first to the last step that has samples; all of it if there are none.
fn span_of(batch: &Batch, question: &Question, detail: Detail) -> Range<u64> {
    let asked = &question.span_s;
    let starts_s = batch.samples.iter();
    let starts_s = starts_s.map(|samples| samples.bucket.saturating_mul(BUCKET_S));
    let (Some(first_s), Some(last_s)) = (starts_s.clone().min(), starts_s.max()) else {
        return asked.clone();
    };
    let end_s = last_s.saturating_add(detail.step_s());
    first_s.max(asked.start)..end_s.min(asked.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(span_s: Range<u64>) -> Question {
        Question {
            span_s,
            ..Question::default()
        }
    }

    #[test]
    fn a_long_time_is_of_whole_hours_but_for_the_one_that_is_not_over() {
        let day = asked(1_000..90_000).for_stacks(100_000);
        assert_eq!(
            (day.span_s, &day.tables[..]),
            (0..90_000, &[Table::Hourly][..])
        );
        let until_now = asked(3_601..90_100).for_stacks(90_100);
        assert_eq!(until_now.span_s, 3_600..90_100);
        let earlier = asked(3_601..90_100).for_stacks(93_600);
        assert_eq!(earlier.span_s, 3_600..93_600);
        let short = asked(1_000..22_599).for_stacks(100_000);
        assert_eq!(
            (short.span_s, &short.tables[..]),
            (1_000..22_599, &[Table::Samples][..])
        );
    }

    #[test]
    fn what_samples_are_chosen_by_is_told_apart() {
        let of = |hosts: &[&str], containers: &[&str]| {
            let all = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            let question = Question {
                hosts: all(hosts),
                containers: all(containers),
                ..asked(0..90_000)
            };
            let question = question.for_stacks(100_000);
            (question.merged, question.tables[0])
        };
        assert_eq!(
            of(&[], &[]),
            (
                &[GroupField::Container, GroupField::Host][..],
                Table::Hourly
            )
        );
        assert_eq!(
            of(&["a"], &[]),
            (&[GroupField::Container][..], Table::Samples)
        );
        assert_eq!(of(&[], &["b"]), (&[GroupField::Host][..], Table::Samples));
        assert_eq!(of(&["a"], &["b"]), (&[][..], Table::Samples));
    }
}

//! What a compiler profile of a service is made of: its samples of a window of days, in batches of one age each.
//!
//! A profile weighs samples by their age in steps of six hours, and a batch has one age. So the days of the service are read one by
//! one, and each becomes up to four batches. Of the groups only what weights depend on is kept, and hosts are not told apart:
//! batches are as small for a thousand hosts as for one, and all of them are in memory at a time. What each host weighs is told
//! by sums without stacks.
//!
//! Published profiles lie among the store's objects:
//!
//! ```text
//! TENANT/pgo/SERVICE/FORM.tar          profile for the newest build
//! TENANT/pgo/SERVICE/BUILD/FORM.tar    profile for a build that was named, kept as long as the build's files
//! ```

mod sums;

use std::collections::BTreeSet;
use std::ops::Range;

use hone_batch::{Batch, Group, GroupField, Merging};
use hone_profile::{BuildId, Labels};

use crate::question::{NoAnswer, nothing_of};
use crate::store::error::Tried;
use crate::store::objects::Listed;
use crate::store::tables::Table;
use crate::store::time::{DAY_S, start_of};
use crate::store::{Detail, Part, Query, RowLimit, Store, StoreError};
use crate::symbols::{Artifact, Symbols, SymbolsError};

/// Seconds of a step of age.
const STEP_S: u64 = 6 * 3600;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// Service.
    pub service: &'w str,
    /// Seconds before the newest samples that are wanted at least.
    pub window_s: u64,
    /// Key of the label that groups keep; `None` for none.
    pub label: Option<&'w str>,
    /// Time of the question, in seconds since 1970.
    pub now_s: u64,
    /// Different rows of all batches together.
    pub rows_max: usize,
    /// Hosts that are told apart.
    pub hosts_apart: &'w [String],
    /// True if stacks are wanted: otherwise the instructions that ran are enough.
    pub has_stacks: bool,
}

impl Wanted<'_> {
    fn services(&self) -> Option<Vec<String>> {
        Some(vec![self.service.to_owned()])
    }

    /// Returns the limit on the rows of a day, to begin with a detail.
    fn limit(&self, detail: Detail) -> RowLimit {
        RowLimit {
            rows_max: self.rows_max,
            detail,
            // Without hosts none of them could be kept from deciding alone.
            least: Detail::Days,
        }
    }

    /// Returns the tables that are read: sums by the hour tell no hosts apart.
    fn tables(&self) -> Vec<Table> {
        let counts = [Table::Samples, Table::Branches, Table::Ranges];
        let sums = [Table::Hourly, Table::HourlyBranches, Table::HourlyRanges];
        let counted = match self.hosts_apart.is_empty() {
            true => sums,
            false => counts,
        };
        counted.into_iter().chain([Table::Records]).collect()
    }
}

/// What was recorded of a service.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Samples, branches and records in the order of time, each batch of one step of age.
    pub batches: Vec<Batch>,
    /// What each host weighs, for each of the batches: samples and records without stacks.
    pub sums: Vec<Batch>,
}

/// A batch with the time that it is of.
struct Dated {
    batch: Batch,
    step_s: Range<u64>,
}

/// Returns what was recorded of a service in the days before its newest samples.
///
/// # Errors
///
/// [`NoAnswer`] says what there is instead.
pub fn recorded(store: &Store, tenant: &str, wanted: &Wanted<'_>) -> Result<Recorded, NoAnswer> {
    let service = wanted.service;
    let Some(span_s) = span_of(store, tenant, wanted)? else {
        return Err(nothing_of(store, tenant, &BTreeSet::from([service]))?);
    };
    let dated = match batches(store, tenant, wanted, &span_s, Detail::Hours) {
        Err(NoAnswer::TooManyRows { .. }) => batches(store, tenant, wanted, &span_s, Detail::Days),
        dated => dated,
    };
    let mut dated = dated?;
    let sums = sums::of_hosts(store, tenant, wanted, &mut dated)?;
    Ok(Recorded {
        batches: dated.into_iter().map(|dated| dated.batch).collect(),
        sums,
    })
}

/// Returns the batches, of steps of age or, with less detail, of days.
fn batches(
    store: &Store,
    tenant: &str,
    wanted: &Wanted<'_>,
    span_s: &Range<u64>,
    detail: Detail,
) -> Result<Vec<Dated>, NoAnswer> {
    let query = Query {
        services: wanted.services(),
        span_s: span_s.clone(),
        tables: wanted.tables(),
        merged: &[GroupField::Container, GroupField::Host, GroupField::Thread],
        hosts_apart: wanted.hosts_apart.to_vec(),
    };
    let parts = store.read_within(tenant, &query, wanted.limit(detail))?;
    let (mut batches, mut rows) = (Vec::new(), 0_usize);
    parts.overlapped(|part, detail| {
        let day_s = start_of(&part.day).unwrap_or(0);
        let length_s = detail.step_s().max(STEP_S);
        for start_s in (day_s..day_s.saturating_add(DAY_S)).step_by(length_s as usize) {
            let step_s = start_s..start_s.saturating_add(length_s);
            let Some((batch, more)) = sum_of(part, step_s.clone(), wanted) else {
                continue;
            };
            rows = rows.saturating_add(more);
            if rows > wanted.rows_max {
                let max = wanted.rows_max;
                return Err(NoAnswer::TooManyRows { max });
            }
            batches.push(Dated { batch, step_s });
        }
        Ok(())
    })?;
    Ok(batches)
}

/// Returns the days that are looked at: those of the window before the newest one. `None` if there is none.
fn span_of(
    store: &Store,
    tenant: &str,
    wanted: &Wanted<'_>,
) -> Result<Option<Range<u64>>, NoAnswer> {
    let all = store.services(tenant, 0..wanted.now_s.saturating_add(1))?;
    let service = all.iter().find(|one| one.name == wanted.service);
    let newest = service.and_then(|service| service.days.last());
    let start_s = newest.and_then(|day| start_of(day));
    Ok(start_s.map(|start_s| {
        let window_s = wanted.window_s.div_ceil(DAY_S) * DAY_S;
        start_s.saturating_sub(window_s)..start_s.saturating_add(DAY_S)
    }))
}

/// Returns the sum of what is in a step of time, with its number of rows; `None` if there is nothing.
fn sum_of(part: &Part, step_s: Range<u64>, wanted: &Wanted<'_>) -> Option<(Batch, usize)> {
    let mut merging = Merging::new(u64::MAX, |group: Group| Some(kept(group, wanted.label)));
    let batch = part.batch_during(step_s);
    match wanted.has_stacks {
        true => merging.add(&batch),
        false => merging.add(&batch.leaves()),
    }
    let rows = merging.rows();
    (rows > 0).then(|| (merging.finish(), rows))
}

/// Returns what weights depend on.
fn kept(group: Group, label: Option<&str>) -> Group {
    let labels = group.labels.iter();
    let labels: Labels = labels
        .filter(|one| label.is_some_and(|key| *one.key == *key))
        .cloned()
        .collect();
    Group {
        container: String::new(),
        thread: String::new(),
        labels,
        ..group
    }
}

/// Returns the name of the object with a published profile. `path` is `SERVICE/FORM`, the service written as a directory.
pub fn object_name(tenant: &str, path: &str, build: Option<&BuildId>) -> String {
    let directory = directory(tenant);
    match (build, path.rsplit_once('/')) {
        (Some(build), Some((service, form))) => format!("{directory}{service}/{build}/{form}.tar"),
        _ => format!("{directory}{path}.tar"),
    }
}

fn directory(tenant: &str) -> String {
    format!("{tenant}/pgo/")
}

/// Removes profiles for named builds whose files are gone; returns how many.
///
/// # Errors
///
/// The storage fails.
pub fn retain(store: &Store, symbols: &Symbols, tenant: &str) -> Result<u64, StoreError> {
    let (objects, directory) = (store.objects(), directory(tenant));
    let mut removed = 0;
    for Listed { name, .. } in objects.list(&directory).tried("list", &directory)? {
        let rest = name.strip_prefix(&directory).unwrap_or_default();
        let mut parts = rest.split('/').skip(1);
        let (Some(build), Some(_)) = (parts.next(), parts.next()) else {
            continue;
        };
        let file =
            BuildId::from_hex(build).map(|build| symbols.get(tenant, &build, Artifact::Executable));
        match file.transpose() {
            Ok(None | Some(None)) => {
                objects.delete(&name).tried("remove", &name)?;
                removed += 1;
            }
            Err(SymbolsError::Store(error)) => return Err(error),
            Ok(Some(Some(_))) | Err(_) => {}
        }
    }
    Ok(removed)
}

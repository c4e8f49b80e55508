//! Segments become files of hours.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::Store;
use super::super::batches;
use super::super::clock::Moment;
use super::super::detail::Merged;
use super::super::error::{StoreError, Tried};
use super::super::journal::{Entry, Run, State, add_numbers, has_number};
use super::super::limits::{REQUEST_KEPT_S, REQUEST_NUMBER};
use super::super::objects::Listed;
use super::super::segments::{self, SegmentName, each_frame};
use super::super::service_day::{DayKey, Selection, ServiceDay, ServiceDays};
use super::super::table_files::{HOURS, TableFiles};
use super::super::time::HOUR_S;
use super::{Begun, Compacted, Step};

/// Batches that a compaction takes, by host and run.
#[derive(Default)]
pub(crate) struct TakenRuns {
    runs: BTreeMap<(String, String), Run>,
    now_s: u64,
    batch_kept_s: u64,
}

impl TakenRuns {
    /// Makes those that are remembered: batches of hosts so long after their recording, and requests of other tools from now on.
    fn remembered(now_s: u64, batch_kept_s: u64) -> Self {
        Self {
            now_s,
            batch_kept_s,
            ..Self::default()
        }
    }

    /// Adds a batch; returns false if it is a copy of one that was added, or is in a file.
    pub(crate) fn add(&mut self, state: &State, frame: &segments::Frame<'_>) -> bool {
        let origin = &frame.origin;
        let run = format!("{:032x}", origin.run);
        if state.runs.has(&origin.host, &run, origin.number) {
            return false;
        }
        let key = (origin.host.clone(), run);
        let taken = self.runs.entry(key).or_insert_with_key(|(host, run)| Run {
            host: host.clone(),
            run: run.clone(),
            numbers: Vec::new(),
            until_s: 0,
        });
        if has_number(&taken.numbers, origin.number) {
            return false;
        }
        add_numbers(&mut taken.numbers, (origin.number, origin.number));
        let until_s = match origin.host.is_empty() && origin.number == REQUEST_NUMBER {
            true => self.now_s.saturating_add(REQUEST_KEPT_S),
            false => frame.span_s.end.saturating_add(self.batch_kept_s),
        };
        taken.until_s = taken.until_s.max(until_s);
        true
    }
}

impl Store {
    pub(super) fn compact_hours(
        &self,
        tenant: &str,
        state: &Arc<State>,
        moment: Moment,
        done: &mut Compacted,
    ) -> Result<Step, StoreError> {
        let begun = Begun::now();
        let now_s = moment.now_s;
        let due = self.due_segments(tenant, state, now_s)?;
        if due.is_empty() {
            return Ok(Step::Nothing);
        }
        let table_files = TableFiles::new(&self.objects, tenant);
        let mut counted = Compacted::default();
        // Clocks may be set back by as much as a batch may be old.
        let kept_s = self.options.limits.batch_age_s.saturating_mul(2);
        let mut runs = TakenRuns::remembered(now_s, kept_s);
        let mut days = ServiceDays::new(true, Merged::default(), |key: &DayKey| {
            table_files.day_of_new_rows(state, key)
        });
        for name in &due {
            let torn = each_frame(self.objects.as_ref(), name, |frame| {
                self.take_batch(tenant, state, frame, &mut runs, &mut days, &mut counted)
            })?;
            let Some(torn) = torn else {
                return Ok(Step::Overtaken);
            };
            counted.torn_bytes += torn;
        }
        counted.segments = due.len() as u64;

        let mut entry = Entry::new(moment);
        entry.segments = due;
        entry.runs = runs.runs.into_values().collect();
        for (key, day) in days.into_days() {
            let (texts, tables) = day.into_rows();
            let files = table_files.write_all(&key, HOURS, &tables, &texts, now_s)?;
            counted.files += files.len() as u64;
            counted.file_bytes += files.iter().map(|file| file.bytes).sum::<u64>();
            entry.added.extend(files);
        }
        let step = self.commit(tenant, state, entry, begun)?;
        if matches!(step, Step::Done(_)) {
            done.add(&counted);
        }
        Ok(step)
    }

    /// Adds a batch to days, unless it is a copy; what cannot be read is kept aside.
    fn take_batch<L: FnMut(&DayKey) -> Result<ServiceDay, StoreError>>(
        &self,
        tenant: &str,
        state: &State,
        frame: &segments::Frame<'_>,
        runs: &mut TakenRuns,
        days: &mut ServiceDays<L>,
        counted: &mut Compacted,
    ) -> Result<(), StoreError> {
        if !runs.add(state, frame) {
            counted.copies += 1;
            return Ok(());
        }
        match batches::decode(frame.batch) {
            Ok(batch) => {
                days.add(&batch, &Selection::ALL)?;
                counted.batches += 1;
            }
            Err(_) => {
                let (run, number) = (frame.origin.run, frame.origin.number);
                let name = format!("{tenant}/unreadable/{run:032x}-{number:020}.batch");
                self.objects.put(&name, frame.batch).tried("write", &name)?;
                counted.unreadable += 1;
            }
        }
        Ok(())
    }

    /// Returns the oldest segments that one compaction takes: those of hours that are over, or more if there is much.
    fn due_segments(
        &self,
        tenant: &str,
        state: &State,
        now_s: u64,
    ) -> Result<Vec<String>, StoreError> {
        let sealed = self.sealed_segments(tenant, state)?;
        let max = self.options.limits.compact_bytes;
        let total: u64 = sealed.iter().map(|(listed, _)| listed.bytes).sum();
        let hour_s = now_s / HOUR_S * HOUR_S;
        // A segment from the future has a wrong clock's time.
        let is_over = |name: &SegmentName| name.begun_s < hour_s || name.begun_s > now_s + HOUR_S;
        let mut due = Vec::new();
        let mut bytes = 0;
        for (listed, name) in sealed {
            let is_more = !due.is_empty() && bytes + listed.bytes > max;
            if is_more || (total <= max && !is_over(&name)) {
                continue;
            }
            bytes += listed.bytes;
            due.push(listed.name);
        }
        Ok(due)
    }

    fn sealed_segments(
        &self,
        tenant: &str,
        state: &State,
    ) -> Result<Vec<(Listed, SegmentName)>, StoreError> {
        let mut sealed = segments::list(self.objects.as_ref(), tenant)?;
        sealed.retain(|(listed, name)| {
            let is_taken = state.segments.contains(&listed.name);
            !is_taken && self.segments.is_sealed(tenant, *name)
        });
        Ok(sealed)
    }
}

#[cfg(test)]
mod tests {
    use hone_batch::Origin;

    use super::*;

    #[test]
    fn requests_of_other_tools_are_known_for_an_hour_and_batches_of_hosts_for_longer() {
        let frame = |host: &str, run, number| segments::Frame {
            origin: Origin {
                host: host.to_owned(),
                run,
                number,
            },
            span_s: 100_000..100_060,
            batch: b"",
        };
        let state = State::default();
        let mut runs = TakenRuns::remembered(200_000, 1_000_000);
        assert!(runs.add(&state, &frame("", 1, REQUEST_NUMBER)));
        assert!(!runs.add(&state, &frame("", 1, REQUEST_NUMBER)));
        // Hosts without a name are hosts.
        assert!(runs.add(&state, &frame("", 2, 0)));
        assert!(runs.add(&state, &frame("web-1", 3, 7)));
        let until_s: Vec<u64> = runs.runs.into_values().map(|run| run.until_s).collect();
        assert_eq!(until_s, [203_600, 1_100_060, 1_100_060]);
    }
}

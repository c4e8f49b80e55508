//! Appends to segments: whoever comes first writes for all that wait.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::super::error::{StoreError, Tried};
use super::super::limits::Limits;
use super::super::objects::{Appender, Objects};
use super::SegmentName;
use super::frame::{Frame, HEADER};

/// Bytes that end the wait for more batches early.
const GATHER_BYTES: usize = 8 << 20;

/// The writers of all tenants.
pub(crate) struct Segments {
    objects: Arc<dyn Objects>,
    limits: Limits,
    /// Time for which a first batch waits for others.
    gather: Duration,
    /// Id of this process's writers.
    id: u64,
    writers: Mutex<HashMap<String, Arc<Writer>>>,
}

impl Segments {
    /// Makes writers that have written nothing yet. Segments of others are complete.
    pub(crate) fn new(
        objects: Arc<dyn Objects>,
        limits: Limits,
        gather: Duration,
        id: u64,
    ) -> Self {
        Self {
            objects,
            limits,
            gather,
            id,
            writers: Mutex::default(),
        }
    }

    /// Appends a batch; returns when it is durable.
    pub(crate) fn append(
        &self,
        tenant: &str,
        frame: &Frame<'_>,
        now_s: u64,
    ) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        frame.write(&mut bytes)?;
        self.writer(tenant).append(self, &bytes, now_s)
    }

    /// Ends the tenant's open segment if it is old enough, or always.
    pub(crate) fn seal(&self, tenant: &str, now_s: u64, always: bool) {
        let writer = self.writer(tenant);
        let mut state = writer.lock();
        while state.is_writing {
            state = writer.wait(state);
        }
        let is_due = |open: &Open| always || open.is_full(&self.limits, now_s);
        if state.open.as_ref().is_some_and(is_due) {
            state.open = None;
            state.first_open = state.next;
        }
    }

    /// True if nothing will be appended to the segment any more.
    pub(crate) fn is_sealed(&self, tenant: &str, name: SegmentName) -> bool {
        name.writer != self.id || name.number < self.writer(tenant).lock().first_open
    }

    fn writer(&self, tenant: &str) -> Arc<Writer> {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writers.entry(tenant.to_owned()).or_insert_with(|| {
            Arc::new(Writer {
                tenant: tenant.to_owned(),
                state: Mutex::default(),
                changed: Condvar::new(),
            })
        });
        writer.clone()
    }
}

/// The writer of one tenant.
struct Writer {
    tenant: String,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: Option<Open>,
    /// Number of the next segment.
    next: u64,
    /// Number of the first segment that is not sealed.
    first_open: u64,
    /// Batches that the next write takes.
    waiting: Arc<Group>,
    waiting_bytes: Vec<u8>,
    is_writing: bool,
}

/// Batches that are written together: what became of them.
#[derive(Default)]
struct Group(OnceLock<Result<(), (io::ErrorKind, String)>>);

/// A segment that is appended to.
struct Open {
    name: String,
    number: u64,
    file: Box<dyn Appender>,
    begun_s: u64,
    bytes: u64,
}

impl Open {
    /// True if another segment should be begun; a clock that was set back ends a segment too.
    fn is_full(&self, limits: &Limits, now_s: u64) -> bool {
        self.bytes >= limits.segment_bytes || now_s.abs_diff(self.begun_s) >= limits.segment_s
    }
}

impl Writer {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, segments: &Segments, frame: &[u8], now_s: u64) -> Result<(), StoreError> {
        let mut state = self.lock();
        if state.waiting_bytes.len() + frame.len() > segments.limits.waiting_bytes
            && !state.waiting_bytes.is_empty()
        {
            return Err(StoreError::Busy);
        }
        state.waiting_bytes.extend(frame);
        let group = state.waiting.clone();
        if !segments.gather.is_zero() {
            // Who gathers may have enough.
            self.changed.notify_all();
        }
        loop {
            if let Some(outcome) = group.0.get() {
                return outcome.clone().map_err(|(kind, what)| StoreError::Storage {
                    action: "append to the segments of",
                    name: self.tenant.clone(),
                    source: io::Error::new(kind, what),
                });
            }
            state = if state.is_writing {
                self.wait(state)
            } else {
                self.write_waiting(segments, state, now_s)
            };
        }
    }

    /// Writes what waits, for all who wait.
    fn write_waiting<'a>(
        &'a self,
        segments: &Segments,
        mut state: MutexGuard<'a, State>,
        now_s: u64,
    ) -> MutexGuard<'a, State> {
        state.is_writing = true;
        state = self.gather(segments.gather, state);
        let group = std::mem::take(&mut state.waiting);
        let bytes = std::mem::take(&mut state.waiting_bytes);
        let open = state
            .open
            .take_if(|open| !open.is_full(&segments.limits, now_s));
        if open.is_none() {
            state.open = None;
            state.first_open = state.next;
            state.next += 1;
        }
        let number = state.next - 1;
        drop(state);

        let written = write(segments, &self.tenant, open, &bytes, number, now_s);

        let mut state = self.lock();
        state.is_writing = false;
        let outcome = match written {
            Ok(open) => {
                state.open = open;
                Ok(())
            }
            Err(StoreError::Storage { source, .. }) => Err((source.kind(), source.to_string())),
            Err(other) => Err((io::ErrorKind::Other, other.to_string())),
        };
        if state.open.is_none() {
            state.first_open = state.next;
        }
        // Nobody else sets the outcome of this group.
        let _ = group.0.set(outcome);
        self.changed.notify_all();
        state
    }

    /// Waits for more batches, so that one object holds many.
    fn gather<'a>(
        &self,
        gather: Duration,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let begun = Instant::now();
        while state.waiting_bytes.len() < GATHER_BYTES {
            let Some(left) = gather
                .checked_sub(begun.elapsed())
                .filter(|left| !left.is_zero())
            else {
                break;
            };
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }
}

/// Writes and syncs; returns the segment if more can be appended to it.
///
/// After an error nothing more is appended to the segment: its end may be half a batch, and what the system could not
/// sync once it may not sync later.
fn write(
    segments: &Segments,
    tenant: &str,
    open: Option<Open>,
    bytes: &[u8],
    number: u64,
    now_s: u64,
) -> Result<Option<Open>, StoreError> {
    let objects = &segments.objects;
    let mut open = match open {
        Some(open) => open,
        None => {
            let name = SegmentName {
                begun_s: now_s,
                writer: segments.id,
                number,
            };
            let name = name.object(tenant);
            let Some(file) = objects.appender(&name).tried("create", &name)? else {
                let whole = [HEADER.as_slice(), bytes].concat();
                return objects
                    .put(&name, &whole)
                    .tried("write", &name)
                    .map(|()| None);
            };
            let mut open = Open {
                name,
                number,
                file,
                begun_s: now_s,
                bytes: 0,
            };
            if let Err(error) = open.file.append(HEADER) {
                return fail(objects.as_ref(), &open, error);
            }
            open
        }
    };
    debug_assert_eq!(open.number, number);
    if let Err(error) = open.file.append(bytes).and_then(|()| open.file.sync()) {
        return fail(objects.as_ref(), &open, error);
    }
    open.bytes += bytes.len() as u64;
    Ok(Some(open))
}

/// Removes a segment that never held an acknowledged batch, so that a full disk does not fill with beginnings.
fn fail(objects: &dyn Objects, open: &Open, error: io::Error) -> Result<Option<Open>, StoreError> {
    if open.bytes == 0 {
        // What cannot be removed is compacted like any other segment.
        let _ = objects.delete(&open.name);
    }
    Err(error).tried("append to", &open.name)
}

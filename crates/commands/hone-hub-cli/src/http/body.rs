//! Bodies of requests: read within limits of bytes and time, and memory that all of them share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hone_serve::waiting;
use http_body_util::BodyExt;
use hyper::StatusCode;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};

use super::answer::Refused;

/// Time for a body to arrive.
const BODY_TIME: Duration = Duration::from_secs(60);
/// Bytes a second that a body must have, beyond the first seconds.
const LEAST_PACE: usize = 4 << 10;
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a refused body that are read nevertheless, and the time for them: who still sends would otherwise not read why.
const DISCARDED_BYTES_MAX: usize = 128 << 20;
const DISCARD_TIME: Duration = Duration::from_secs(10);

/// Memory for bodies.
pub(crate) struct Room {
    used: AtomicUsize,
    bytes_max: usize,
}

impl Room {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            used: AtomicUsize::new(0),
            bytes_max,
        }
    }

    /// Returns the bytes that are taken.
    #[cfg(test)]
    pub(crate) fn used_bytes(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

/// A part of the memory, given back with this value.
pub(crate) struct Held {
    room: Arc<Room>,
    bytes: usize,
}

impl Held {
    pub(crate) fn none_of(room: &Arc<Room>) -> Self {
        Self {
            room: Arc::clone(room),
            bytes: 0,
        }
    }

    /// Takes more; returns false if there is no more.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let room = &self.room;
        let grown = |used: usize| {
            let used = used.checked_add(bytes)?;
            (used <= room.bytes_max).then_some(used)
        };
        let is_there = room
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown)
            .is_ok();
        if is_there {
            self.bytes += bytes;
        }
        is_there
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Reads a body of at most so many bytes.
pub(super) async fn read(
    body: &mut Incoming,
    bytes_max: usize,
    room: &Arc<Room>,
) -> Result<(Vec<u8>, Held), Refused> {
    let too_large = || {
        let why = format!("the body has more than {bytes_max} bytes: send less at a time");
        Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    if body.size_hint().lower() > bytes_max as u64 {
        return Err(too_large());
    }
    let begin = Instant::now();
    let waiting = waiting();
    let mut held = Held::none_of(room);
    let mut bytes = Vec::new();
    loop {
        let end = begin + time_for(bytes.len());
        let frame = timeout_at(end, body.frame()).await.map_err(|_| {
            let why = format!(
                "the body took more than {} s, or came by less than {LEAST_PACE} bytes a second: send it faster, or less at a time",
                BODY_TIME.as_secs()
            );
            Refused::new(StatusCode::REQUEST_TIMEOUT, why)
        })?;
        let Some(frame) = frame else {
            return Ok((bytes, held));
        };
        let frame = frame.map_err(|error| Refused::bad(format!("the body was cut: {error}")))?;
        let Some(data) = frame.data_ref() else {
            continue;
        };
        if bytes.len() + data.len() > bytes_max {
            return Err(too_large());
        }
        if !held.grow(data.len()) {
            return Err(Refused::busy(
                "too many batches come at once: send it again later",
            ));
        }
        bytes.extend_from_slice(data);
        waiting.got(data.len());
    }
}

/// Returns the time, from the begin of a body on, in which more must have come than so many bytes.
fn time_for(bytes: usize) -> Duration {
    let seconds = (bytes / LEAST_PACE) as u64;
    BODY_TIME.min(PATIENCE + Duration::from_secs(seconds))
}

/// Reads the rest of a body that is refused, as far as it is worth it.
pub(super) async fn discard(body: &mut Incoming) {
    let end = Instant::now() + DISCARD_TIME;
    let waiting = waiting();
    let mut left = DISCARDED_BYTES_MAX;
    while let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await {
        let bytes = frame.data_ref().map_or(0, |data| data.len());
        waiting.got(bytes);
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_stops_is_cut_before_one_that_goes_on() {
        let seconds = [0, 4095, 4096, 100 << 10, 10 << 20].map(|bytes| time_for(bytes).as_secs());
        assert_eq!(seconds, [10, 10, 11, 35, 60]);
    }

    #[test]
    fn memory_of_bodies_is_bounded_and_given_back() {
        let room = Arc::new(Room::new(10));
        let mut first = Held::none_of(&room);
        assert!(first.grow(6) && !first.grow(5) && first.grow(4));
        let mut second = Held::none_of(&room);
        assert!(!second.grow(1) && !second.grow(usize::MAX));
        drop(first);
        assert!(second.grow(10));
        drop(second);
        assert_eq!(room.used_bytes(), 0);
    }
}

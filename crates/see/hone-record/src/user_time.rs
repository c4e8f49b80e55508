//! CPU time that processes spend in user code.
//!
//! Most kernels separate user time from kernel time by looking, at each tick of the scheduler, where the CPU is: 250
//! looks a second are a poor sample of a server that enters the kernel every few microseconds. This module takes the
//! same look more often, by a timer of perf events that runs with the CPU time of each thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::{RecordError, system};
use crate::record_bytes as bytes;
use crate::sampler::attr::{Counter, Sampling};
use crate::sampler::perf::Perf;
use crate::summary::Summary;

/// Looks per second of CPU time; not a multiple of the scheduler's rate.
const RATE_HZ: u32 = 4_001;
/// Time between two emptyings of the rings, which hold some seconds.
const LOOK: Duration = Duration::from_millis(200);

/// A running measurement.
pub struct UserTime {
    is_over: Arc<AtomicBool>,
    counting: Option<JoinHandle<Counted>>,
}

#[derive(Default)]
struct Counted {
    samples: u64,
    lost: u64,
}

impl Counted {
    fn add(&mut self, record: &[u8]) {
        match bytes::kind(record) {
            bytes::SAMPLE => self.samples += 1,
            bytes::LOST | bytes::LOST_SAMPLES => self.lost += bytes::lost(record),
            _ => {}
        }
    }
}

impl UserTime {
    /// Starts with these processes, their threads, and all processes and threads that they start from now on.
    ///
    /// # Errors
    /// Fails if perf events are refused, or if none of the processes exists.
    pub fn of(pids: &[i32]) -> Result<Self, RecordError> {
        let sampling = Sampling {
            frequency_hz: RATE_HZ,
            call_chains: false,
            wakes_every: 0,
            registers: false,
            copies: None,
            of_cpus: false,
        };
        let mut summary = Summary::default();
        let perf = Perf::of_processes(Counter::CpuClockUser, sampling, pids, &mut summary)?;
        perf.enable()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&is_over);
        let counting = thread::Builder::new()
            .name("hone-user-time".to_owned())
            .spawn(move || count(perf, &watched))
            .map_err(system("clone"))?;
        Ok(Self {
            is_over,
            counting: Some(counting),
        })
    }

    /// Returns the seconds of user code since the start, of all processes together; `None` if looks were lost.
    pub fn stop(mut self) -> Option<f64> {
        self.end()
            .filter(|counted| counted.lost == 0)
            .map(|counted| counted.samples as f64 / f64::from(RATE_HZ))
    }

    fn end(&mut self) -> Option<Counted> {
        let counting = self.counting.take()?;
        self.is_over.store(true, Ordering::SeqCst);
        counting.thread().unpark();
        counting.join().ok()
    }
}

impl Drop for UserTime {
    fn drop(&mut self) {
        self.end();
    }
}

fn count(mut perf: Perf, is_over: &AtomicBool) -> Counted {
    let mut counted = Counted::default();
    while !is_over.load(Ordering::SeqCst) {
        thread::park_timeout(LOOK);
        perf.drain(|record| counted.add(record));
    }
    perf.disable();
    perf.drain(|record| counted.add(record));
    counted
}

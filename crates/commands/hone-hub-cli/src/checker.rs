//! Batches are read by processes that may do nothing else: a batch comes from another machine, and reading is where a
//! fault of ours would let it in.
//!
//! Each checker lives long and checks one batch at a time. A checker that takes too long is killed, and the batch
//! refused. One that dies may have been killed by somebody else, so the batch gets a second checker, and is refused if
//! that dies too.

pub(crate) mod child;
pub(crate) mod confine;
pub(crate) mod frames;
pub(crate) mod process;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use hone_batch::{Batch, wire};
use hone_hub::check::Checked;
use hone_hub::other_tools::{Refusal, Sent, Taken};
use tokio::sync::oneshot;

use crate::figures::Figures;
use crate::http::Held;
use crate::log;
use process::{Lost, Process, Program};

/// Command by which this program checks batches.
const COMMAND: &str = "check-batches";
/// Time that one check may take.
const CHECK_TIME: Duration = Duration::from_secs(20);
/// Time for a checker to be ready, on a busy machine.
const START_TIME: Duration = Duration::from_secs(60);
/// Checkers that a batch may outlive.
const TRIES: u32 = 2;
/// Reason why nothing is checked any more.
pub(crate) const ENDING: &str = "the hub is ending";

/// What became of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The batch can be read.
    Good(Checked),
    /// The batch is refused, and why.
    Bad(String),
    /// There is no checker now, and why.
    Unavailable(String),
}

/// Reason why nothing was made of what another tool has sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotMade {
    /// It is refused.
    Refused(Refusal),
    /// There is no checker now, and why.
    Unavailable(String),
}

/// A batch that was checked, with the memory that it holds.
type CheckDone = (Vec<u8>, Held, Outcome);
/// What was made of a body, with the memory that the body held.
type TakeDone = Result<(Taken, Held), NotMade>;

/// A job holds the memory of its bytes until it is done or dropped: whoever sent it may go away before.
enum Job {
    Check {
        batch: Vec<u8>,
        held: Held,
        done: oneshot::Sender<CheckDone>,
    },
    Take {
        sent: Sent,
        body: Vec<u8>,
        held: Held,
        done: oneshot::Sender<TakeDone>,
    },
}

/// Checkers, and the threads that hand batches to them.
pub(crate) struct Checkers {
    jobs: Sender<Job>,
    /// Reason why the checkers are not confined; `None` if they are.
    not_confined: Option<String>,
}

impl Checkers {
    /// Starts so many checkers.
    pub(crate) fn start(checkers: usize, figures: &Arc<Figures>) -> Result<Self> {
        let (program, not_confined) = choose()?;
        let (jobs, received) = channel();
        let received = Arc::new(Mutex::new(received));
        for number in 0..checkers {
            let mut worker = Worker {
                program: program.clone(),
                time: CHECK_TIME,
                figures: Arc::clone(figures),
                process: None,
            };
            let received = Arc::clone(&received);
            thread::Builder::new()
                .name(format!("checker-{number}"))
                .spawn(move || worker.work(&received))
                .context("cannot start a thread for a checker")?;
        }
        Ok(Self { jobs, not_confined })
    }

    /// Returns the reason why the checkers are not confined; `None` if they are.
    pub(crate) fn not_confined(&self) -> Option<&str> {
        self.not_confined.as_deref()
    }

    /// Has a batch checked; gives it back with its memory and the outcome. `None` if the hub is ending.
    pub(crate) async fn check(&self, batch: Vec<u8>, held: Held) -> Option<CheckDone> {
        let (done, outcome) = oneshot::channel();
        // Without checkers the job is dropped, and the outcome with it.
        let _ = self.jobs.send(Job::Check { batch, held, done });
        outcome.await.ok()
    }

    /// Has a batch made of what another tool has sent.
    pub(crate) async fn take(&self, sent: Sent, body: Vec<u8>, held: Held) -> TakeDone {
        let (done, outcome) = oneshot::channel();
        let _ = self.jobs.send(Job::Take {
            sent,
            body,
            held,
            done,
        });
        let ended = |_| Err(NotMade::Unavailable(ENDING.to_owned()));
        outcome.await.unwrap_or_else(ended)
    }
}

/// Tries a checker that is confined on a batch of nothing; returns how checkers are started, and the reason if without that.
fn choose() -> Result<(Program, Option<String>)> {
    let confined = Program::own(COMMAND, true);
    let why = match tried(&confined) {
        Ok(None) => return Ok((confined, None)),
        Ok(Some(why)) => why,
        Err(error) => format!("{error:#}"),
    };
    let open = Program::own(COMMAND, false);
    tried(&open).context("cannot start the process that checks batches")?;
    Ok((open, Some(why)))
}

/// Tries a checker; returns the reason why it is not confined.
fn tried(program: &Program) -> Result<Option<String>> {
    let mut process = Process::start(program, START_TIME)?;
    let nothing = wire::write(&Batch::default());
    match process.check(&nothing, START_TIME) {
        Ok(Ok(_)) => Ok(process.not_confined.take()),
        Ok(Err(why)) => Err(anyhow::anyhow!("it refuses an empty batch: {why}")),
        Err(Lost::Late) => Err(anyhow::anyhow!("it does not answer")),
        Err(Lost::Died(why)) => Err(anyhow::anyhow!(why)),
    }
}

/// A thread with its checker.
struct Worker {
    program: Program,
    time: Duration,
    figures: Arc<Figures>,
    process: Option<Process>,
}

impl Worker {
    fn work(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = next else {
                return;
            };
            // Whoever sent it may have gone away.
            match job {
                Job::Check { batch, held, done } if !done.is_closed() => {
                    let outcome = self.check(&batch);
                    let _ = done.send((batch, held, outcome));
                }
                Job::Take {
                    sent,
                    body,
                    held,
                    done,
                } if !done.is_closed() => {
                    let taken = self.take(&sent, &body);
                    drop(body);
                    let _ = done.send(taken.map(|taken| (taken, held)));
                }
                _ => {}
            }
        }
    }

    fn check(&mut self, batch: &[u8]) -> Outcome {
        match self.ask(|process, time| process.check(batch, time)) {
            Ok(Ok(checked)) => Outcome::Good(checked),
            Ok(Err(why)) => Outcome::Bad(why),
            Err(NotMade::Refused(refusal)) => Outcome::Bad(refusal.why().to_owned()),
            Err(NotMade::Unavailable(why)) => Outcome::Unavailable(why),
        }
    }

    fn take(&mut self, sent: &Sent, body: &[u8]) -> Result<Taken, NotMade> {
        let taken = self.ask(|process, time| process.take(sent, body, time))?;
        taken.map_err(NotMade::Refused)
    }

    /// Asks a checker, or a second one if the first dies.
    fn ask<T>(
        &mut self,
        ask: impl Fn(&mut Process, Duration) -> Result<T, Lost>,
    ) -> Result<T, NotMade> {
        let mut died = String::new();
        for _ in 0..TRIES {
            // One that ended between two batches is not this batch's fault.
            let process = match self.process.take_if(Process::is_alive) {
                Some(process) => process,
                None => match self.start() {
                    Ok(process) => process,
                    Err(error) => {
                        let why = format!("a checker of batches cannot start: {error}");
                        log::say_often("checkers", &why);
                        return Err(NotMade::Unavailable(why));
                    }
                },
            };
            let process = self.process.insert(process);
            match ask(process, self.time) {
                Ok(answer) => return Ok(answer),
                Err(lost) => {
                    let id = process.id();
                    self.process = None;
                    self.figures.checkers_lost.add(1);
                    match lost {
                        Lost::Late => {
                            let seconds = self.time.as_secs();
                            let why = format!("its check took more than {seconds} s");
                            log::say_often("checkers", format!("a batch was refused: {why}"));
                            return Err(NotMade::Refused(Refusal::Bad(why)));
                        }
                        Lost::Died(why) => {
                            log::say_often("checkers", format!("checker {id} is lost: {why}"));
                            died = why;
                        }
                    }
                }
            }
        }
        let why = format!("its check failed {TRIES} times: {died}");
        Err(NotMade::Refused(Refusal::Bad(why)))
    }

    fn start(&self) -> std::io::Result<Process> {
        self.figures.checkers_started.add(1);
        Process::start(&self.program, START_TIME)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::http::Room;

    /// A worker whose checker is a script of the shell that has said hello.
    fn worker(script: &str, time: Duration) -> Worker {
        let hello = r#"printf '\025\000\000\000{"not_confined":"so"}'; "#;
        Worker {
            program: Program {
                path: "/bin/sh".to_owned(),
                arguments: vec!["-c".to_owned(), format!("{hello}{script}")],
            },
            time,
            figures: Arc::default(),
            process: None,
        }
    }

    #[test]
    fn a_batch_whose_checkers_die_is_refused_with_the_reason() {
        let mut worker = worker("exit 3", CHECK_TIME);
        let Outcome::Bad(why) = worker.check(b"batch") else {
            panic!("not refused");
        };
        assert_eq!(
            why,
            "its check failed 2 times: it ended with exit status: 3"
        );
        assert_eq!(worker.figures.checkers_started.get(), 2);
        assert_eq!(worker.figures.checkers_lost.get(), 2);
    }

    #[test]
    fn a_batch_whose_check_does_not_end_is_refused() {
        let mut worker = worker("exec sleep 1000", Duration::from_millis(1));
        let outcome = worker.check(b"batch");
        assert!(
            matches!(&outcome, Outcome::Bad(why) if why.contains("took more than")),
            "{outcome:?}"
        );
        assert_eq!(worker.figures.checkers_lost.get(), 1);
        assert!(worker.process.is_none());
    }

    #[test]
    fn a_checker_that_talks_nonsense_is_not_believed() {
        let good = r#"{"Good":{"host":"h","run":"zz","number":1,"start_s":1,"end_s":2,"services":[],"builds":[]}}"#;
        for said in [
            // Longer than any answer.
            r"\377\377\377\377".to_owned(),
            r"\002\000\000\000no".to_owned(),
            format!(r"\{:03o}\000\000\000{good}", good.len()),
        ] {
            let mut worker = worker(&format!("printf '{said}'; exec cat >/dev/null"), CHECK_TIME);
            let outcome = worker.check(b"batch");
            assert!(
                matches!(&outcome, Outcome::Bad(why) if why.contains("failed 2 times")),
                "{outcome:?}"
            );
        }
    }

    #[test]
    fn a_batch_whose_sender_hangs_up_holds_its_memory_until_it_is_skipped() {
        let (jobs, received) = channel();
        let checkers = Checkers {
            jobs,
            not_confined: None,
        };
        let room = Arc::new(Room::new(10));
        let mut held = Held::none_of(&room);
        assert!(held.grow(6));
        // The connection's future is dropped while the batch waits.
        let answered = checkers.check(vec![0; 6], held).now_or_never();
        assert!(answered.is_none());
        assert_eq!(room.used_bytes(), 6);
        drop(checkers);
        let mut worker = worker("", CHECK_TIME);
        worker.work(&Mutex::new(received));
        assert_eq!(room.used_bytes(), 0);
        assert_eq!(worker.figures.checkers_started.get(), 0);
    }

    #[test]
    fn a_checker_that_cannot_start_refuses_no_batch_for_good() {
        let mut worker = worker("", CHECK_TIME);
        worker.program.path = "/no/such/program".to_owned();
        let outcome = worker.check(b"batch");
        assert!(matches!(outcome, Outcome::Unavailable(_)), "{outcome:?}");
    }
}

//! Processes that run beside a test and are listened to.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};

use crate::wait::PATIENCE;

/// What a process says.
#[derive(Debug, Default)]
struct Said {
    lines: Vec<String>,
    /// It says no more.
    is_over: bool,
}

/// A process whose standard error is heard; killed when the test is over, also when that fails.
#[derive(Debug)]
pub struct Process {
    child: Child,
    said: Arc<(Mutex<Said>, Condvar)>,
    listener: Option<JoinHandle<()>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Process {
    /// Starts a command.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let said = Arc::<(Mutex<Said>, Condvar)>::default();
        let heard = Arc::clone(&said);
        let stderr = child.stderr.take().expect("a pipe");
        // It shall not wait until somebody reads what it says.
        let listener = thread::spawn(move || {
            let (said, more) = &*heard;
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                said.lock().expect("nobody panics").lines.push(line);
                more.notify_all();
            }
            said.lock().expect("nobody panics").is_over = true;
            more.notify_all();
        });
        Self {
            child,
            said,
            listener: Some(listener),
        }
    }

    /// What follows this in the first line that has it, as soon as it is said.
    ///
    /// # Panics
    ///
    /// If it is not said.
    #[track_caller]
    pub fn hears(&self, what: &str) -> String {
        self.wait_for(what, |lines| {
            let mut rests = lines.iter().filter_map(|line| line.split_once(what));
            rests.next().map(|(_, rest)| rest.to_owned())
        })
    }

    /// Waits until something is found in the lines that were said.
    ///
    /// # Panics
    ///
    /// If it is not found.
    #[track_caller]
    pub fn wait_for<T>(&self, what: &str, find: impl Fn(&[String]) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        let (said, more) = &*self.said;
        let mut said = said.lock().expect("nobody panics");
        loop {
            if let Some(found) = find(&said.lines) {
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            let goes_on = !left.is_zero() && !said.is_over;
            assert!(goes_on, "it never said '{what}': {:#?}", said.lines);
            said = more.wait_timeout(said, left).expect("nobody panics").0;
        }
    }

    /// All that it has said so far.
    pub fn said(&self) -> String {
        self.said.0.lock().expect("nobody panics").lines.join("\n")
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits until it ends by itself, and has said all that it has to say.
    pub fn wait(&mut self) -> ExitStatus {
        let status = self.child.wait().expect("it has a status");
        if let Some(listener) = self.listener.take() {
            listener.join().expect("nobody panics");
        }
        status
    }

    /// Asks it to end, and returns all that it has said.
    ///
    /// # Panics
    ///
    /// If it ends badly.
    #[track_caller]
    pub fn end(mut self) -> String {
        self.signal(Signal::TERM);
        let status = self.wait();
        let said = self.said();
        assert!(status.success(), "{status}: {said}");
        said
    }

    /// Ends it without asking.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has a status");
    }
}

/// A command of this workspace, which cargo has built beside the tests. `None`, with a line, where it has not.
pub fn built(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().expect("the path of this program");
    // Tests lie in `deps`, commands one level above.
    let beside = own.ancestors().nth(2).expect("the directory of commands");
    let program = Path::new(beside).join(name);
    if !program.exists() {
        println!("skipped: {} is not built", program.display());
        return None;
    }
    Some(program)
}

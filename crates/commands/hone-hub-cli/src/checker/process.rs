//! A checker of batches or a reader of symbols as the hub sees it: a process with a connection, and nothing that is believed
//! without a check.

use std::io::{self, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hone_hub::check::Checked;
use hone_hub::other_tools::{Refusal, Sent, Taken};
use hone_hub::store::limits::BATCH_BYTES_MAX;

use super::frames::{self, Hello, Job, Made, TOGETHER_BYTES_MAX, Verdict};

/// How a process is started.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: String,
    pub(crate) arguments: Vec<String>,
}

impl Program {
    /// Returns this program itself, also if its file was replaced since it began.
    pub(crate) fn own(command: &str, confined: bool) -> Self {
        let mut arguments = vec![command.to_owned()];
        arguments.extend(confined.then(|| "--confined".to_owned()));
        Self {
            path: "/proc/self/exe".to_owned(),
            arguments,
        }
    }
}

/// Reason why a process gave no answer.
#[derive(Debug)]
pub(crate) enum Lost {
    /// It took too long.
    Late,
    /// It ended, or said what makes no sense.
    Died(String),
}

/// A process, which is killed with this value.
pub(crate) struct Process {
    child: Child,
    stream: UnixStream,
    /// Reason why the checker is not confined; `None` if it is.
    pub(super) not_confined: Option<String>,
}

impl Process {
    /// Starts a checker, and waits until it is ready.
    pub(crate) fn start(program: &Program, time: Duration) -> io::Result<Self> {
        let mut process = Self::spawn(program)?;
        let hello = frames::read_json::<Hello>(&mut process.timed(time));
        match hello {
            Ok(hello) => process.not_confined = hello.not_confined,
            Err(error) => {
                let said = match process.lost(&error) {
                    Lost::Late => "it does not answer".to_owned(),
                    Lost::Died(why) => why,
                };
                return Err(io::Error::other(said));
            }
        }
        Ok(process)
    }

    /// Starts a process with a connection as its standard input and output.
    pub(crate) fn spawn(program: &Program) -> io::Result<Self> {
        let (stream, theirs) = UnixStream::pair()?;
        let child = Command::new(&program.path)
            .arg0("hone-hub")
            .args(&program.arguments)
            // Keys of object storage are in the hub's environment.
            .env_clear()
            .current_dir("/")
            // Ctrl-C in a terminal is for the hub.
            .process_group(0)
            .stdin(Stdio::from(OwnedFd::from(theirs.try_clone()?)))
            .stdout(Stdio::from(OwnedFd::from(theirs)))
            .spawn()?;
        Ok(Self {
            child,
            stream,
            not_confined: None,
        })
    }

    /// Has a batch checked. After an error this process is of no use any more.
    pub(super) fn check(
        &mut self,
        batch: &[u8],
        time: Duration,
    ) -> Result<Result<Checked, String>, Lost> {
        let mut stream = self.timed(time);
        let asked = ask(&mut stream, &Job::Check, batch);
        let answered =
            asked.and_then(|()| frames::read_json::<Verdict>(&mut BufReader::new(stream)));
        self.meant(answered.map(Verdict::meant))
    }

    /// Has a batch made of what another tool has sent. After an error this process is of no use any more.
    pub(super) fn take(
        &mut self,
        sent: &Sent,
        body: &[u8],
        time: Duration,
    ) -> Result<Result<Taken, Refusal>, Lost> {
        let mut stream = self.timed(time);
        let asked = ask(&mut stream, &Job::Take(sent.clone()), body);
        let answered = asked.and_then(|()| made(&mut BufReader::new(stream)));
        self.meant(answered)
    }

    /// Returns what was said, unless that makes no sense.
    fn meant<T>(&mut self, answered: io::Result<Option<T>>) -> Result<T, Lost> {
        match answered {
            Ok(Some(meant)) => Ok(meant),
            Ok(None) => Err(Lost::Died("what it said makes no sense".to_owned())),
            Err(error) => Err(self.lost(&error)),
        }
    }

    /// True if the process has not ended.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the connection.
    pub(crate) fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// Returns the connection, which gives up after a time.
    pub(crate) fn timed(&self, time: Duration) -> Timed<'_> {
        Timed {
            stream: &self.stream,
            end: Instant::now() + time,
        }
    }

    /// Ends the process, and says what became of it.
    pub(crate) fn lost(&mut self, error: &io::Error) -> Lost {
        if matches!(
            error.kind(),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
        ) {
            return Lost::Late;
        }
        // A process that has ended before keeps its own status.
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => Lost::Died(format!("it ended with {status}")),
            Err(error) => Lost::Died(error.to_string()),
        }
    }
}

/// Writes a job and its bytes: at once, as long as they are few, since each write wakes the other process.
fn ask(stream: &mut Timed<'_>, job: &Job, bytes: &[u8]) -> io::Result<()> {
    if bytes.len() > TOGETHER_BYTES_MAX {
        frames::write_json(stream, job)?;
        return frames::write(stream, bytes);
    }
    let mut together = Vec::new();
    frames::write_json(&mut together, job)?;
    frames::write(&mut together, bytes)?;
    stream.write_all(&together)
}

fn made(stream: &mut impl Read) -> io::Result<Option<Result<Taken, Refusal>>> {
    let (told, left_out) = match frames::read_json(stream)? {
        Made::Refused(refusal) => return Ok(Some(Err(refusal))),
        Made::Batch(told, left_out) => (told, left_out),
    };
    let batch = match told {
        None => None,
        Some(told) => {
            let batch = frames::read(stream, BATCH_BYTES_MAX)?;
            let Some(checked) = told.meant() else {
                return Ok(None);
            };
            Some((batch, checked))
        }
    };
    Ok(Some(Ok(Taken { batch, left_out })))
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The connection until a time.
pub(crate) struct Timed<'a> {
    stream: &'a UnixStream,
    end: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        (&mut &*self.stream).read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        (&mut &*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Files with symbols are read by processes that may do nothing else: a file comes from another machine, and its headers and
//! debug information can say anything.
//!
//! A reader reads one file and ends. It gets the file itself, open for reading, over its connection, so that no file is copied.
//! A reader that takes too long is killed, and the file refused. One that dies may have been killed by somebody else, so
//! the file gets a second reader, and is refused if that dies too.

pub(crate) mod child;
mod files;

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::Duration;

use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{Parser, Refused, SymbolFile};
use serde::{Deserialize, Serialize};

use crate::checker::frames;
use crate::checker::process::{Lost, Process, Program};
use crate::figures::Figures;
use crate::log;

/// Command by which this program reads a file.
const COMMAND: &str = "read-symbols";
/// Time to look at the headers of a file, with the start of a process on a busy machine.
const INSPECT_TIME: Duration = Duration::from_secs(60);
/// Time to make a table of names.
const TABULATE_TIME: Duration = Duration::from_secs(900);
/// Bytes of a table of names, which the hub has in memory.
const TABLE_BYTES_MAX: usize = 512 << 20;
/// Characters of a reader's reason.
const WHY_MAX: usize = 1000;
/// Readers that a file may outlive.
const TRIES: u32 = 2;

/// What a reader is told to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Order {
    what: What,
    /// Limits of the file.
    file_bytes: u64,
    unpacked_bytes: u64,
    /// Limits of the process.
    memory_bytes: u64,
    cpu_s: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum What {
    Inspect,
    Tabulate,
}

/// What a reader answers.
#[derive(Debug, Serialize, Deserialize)]
enum Said {
    /// What the file is.
    File(SymbolFile),
    /// A table follows, as a frame of its own.
    Table,
    /// The file is refused.
    Refused { why: String, is_too_large: bool },
}

/// What came of a file.
enum Outcome {
    File(SymbolFile),
    Table(Vec<u8>),
}

/// Has files read by processes.
pub(crate) struct Reader {
    program: Program,
    limits: Limits,
    memory_bytes: u64,
    times: [Duration; 2],
    figures: Arc<Figures>,
}

impl Reader {
    pub(crate) fn new(
        limits: &Limits,
        memory_bytes: u64,
        confined: bool,
        figures: &Arc<Figures>,
    ) -> Self {
        Self {
            program: Program::own(COMMAND, confined),
            limits: limits.clone(),
            memory_bytes,
            times: [INSPECT_TIME, TABULATE_TIME],
            figures: Arc::clone(figures),
        }
    }

    fn read(&self, what: What, files: &[&File]) -> Result<Outcome, Refused> {
        let cannot = |error: io::Error| Refused::Unavailable(error.to_string());
        let mut died = String::new();
        for _ in 0..TRIES {
            // The reader's files have positions of their own, and are open for reading alone.
            let files: io::Result<Vec<File>> = files
                .iter()
                .map(|file| File::open(format!("/proc/self/fd/{}", file.as_raw_fd())))
                .collect();
            let files = files.map_err(cannot)?;
            let mut process = Process::spawn(&self.program).map_err(cannot)?;
            match self.ask(&mut process, what, &files) {
                Ok(said) => return said,
                Err(lost) => {
                    self.figures.symbols.readers_lost.add(1);
                    match lost {
                        Lost::Late => {
                            let seconds = self.time(what).as_secs();
                            let why = format!("it took more than {seconds} s");
                            log::say_often("readers", format!("a file is refused: {why}"));
                            return Err(Refused::Parser(why));
                        }
                        Lost::Died(why) => {
                            log::say_often(
                                "readers",
                                format!("a reader of symbols is lost: {why}"),
                            );
                            died = why;
                        }
                    }
                }
            }
        }
        let memory = self.memory_bytes;
        Err(Refused::Parser(format!(
            "{TRIES} processes did not survive it, the last one {died}; each may have {memory} bytes of memory (symbols.reader_bytes)"
        )))
    }

    fn time(&self, what: What) -> Duration {
        self.times[what as usize]
    }

    /// Asks a reader. After an error it is of no use any more.
    fn ask(
        &self,
        process: &mut Process,
        what: What,
        files: &[File],
    ) -> Result<Result<Outcome, Refused>, Lost> {
        let order = Order {
            what,
            file_bytes: self.limits.file_bytes,
            unpacked_bytes: self.limits.unpacked_bytes,
            memory_bytes: self.memory_bytes,
            cpu_s: self.time(what).as_secs(),
        };
        let talk = || -> io::Result<(Said, Vec<u8>)> {
            files::send(process.stream(), files)?;
            let mut stream = process.timed(self.time(what));
            frames::write_json(&mut stream, &order)?;
            let said: Said = frames::read_json(&mut stream)?;
            let table = match said {
                Said::Table if what == What::Tabulate => {
                    frames::read(&mut stream, TABLE_BYTES_MAX)?
                }
                _ => Vec::new(),
            };
            Ok((said, table))
        };
        let (said, table) = talk().map_err(|error| process.lost(&error))?;
        match (said, what) {
            (Said::File(file), What::Inspect) => Ok(Ok(Outcome::File(file))),
            (Said::Table, What::Tabulate) => Ok(Ok(Outcome::Table(table))),
            (Said::Refused { why, is_too_large }, _) => Ok(Err(Refused::Told {
                why: why.chars().take(WHY_MAX).collect(),
                is_too_large,
            })),
            (Said::File(_) | Said::Table, _) => {
                Err(Lost::Died("it said what makes no sense".to_owned()))
            }
        }
    }
}

impl Parser for Reader {
    fn inspect(&self, file: &File) -> Result<SymbolFile, Refused> {
        let (told, bytes) = match self.read(What::Inspect, &[file])? {
            Outcome::File(told) => (told, file.metadata()),
            Outcome::Table(_) => return Err(Refused::Parser("a table came".to_owned())),
        };
        // The number of bytes is known without the reader, and counts.
        let bytes = bytes.map_err(|error| Refused::Unavailable(error.to_string()))?;
        Ok(SymbolFile {
            bytes: bytes.len(),
            ..told
        })
    }

    fn tabulate(&self, code: &File, debug: Option<&File>) -> Result<Vec<u8>, Refused> {
        let files: Vec<&File> = std::iter::once(code).chain(debug).collect();
        match self.read(What::Tabulate, &files)? {
            Outcome::Table(table) => Ok(table),
            Outcome::File(_) => Err(Refused::Parser("no table came".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that is a script of the shell.
    fn reader(script: &str) -> Reader {
        let figures = Arc::default();
        Reader {
            program: Program {
                path: "/bin/sh".to_owned(),
                arguments: vec!["-c".to_owned(), script.to_owned()],
            },
            ..Reader::new(&Limits::default(), 1 << 30, false, &figures)
        }
    }

    fn why(reader: &Reader) -> Refused {
        let file = tempfile::tempfile().unwrap();
        reader.inspect(&file).unwrap_err()
    }

    #[test]
    fn a_file_whose_readers_die_is_refused_with_the_reason() {
        let reader = reader("exit 3");
        let Refused::Parser(told) = why(&reader) else {
            panic!("not refused");
        };
        assert!(
            told.contains("2 processes") && told.contains("exit status: 3"),
            "{told}"
        );
        assert_eq!(reader.figures.symbols.readers_lost.get(), 2);
    }

    #[test]
    fn a_file_that_takes_too_long_is_refused() {
        let reader = Reader {
            times: [Duration::from_millis(1); 2],
            ..reader("exec sleep 1000")
        };
        let refused = why(&reader);
        assert!(
            matches!(&refused, Refused::Parser(told) if told.contains("took more than")),
            "{refused:?}"
        );
        assert_eq!(reader.figures.symbols.readers_lost.get(), 1);
    }

    #[test]
    fn a_reader_that_talks_nonsense_is_not_believed() {
        for said in [
            r"\377\377\377\377",
            r"\002\000\000\000no",
            r#"\007\000\000\000"Table""#,
        ] {
            let refused = why(&reader(&format!("printf '{said}'; exec cat >/dev/null")));
            assert!(
                matches!(&refused, Refused::Parser(told) if told.contains("2 processes")),
                "{refused:?}"
            );
        }
    }

    #[test]
    fn what_a_reader_refuses_is_told_and_is_not_long() {
        let said = r#"{"Refused":{"why":"odd","is_too_large":true}}"#;
        let script = format!(
            r"printf '\{:03o}\000\000\000{said}'; exec cat >/dev/null",
            said.len()
        );
        let refused = why(&reader(&script));
        assert!(
            refused.is_too_large() && refused.to_string() == "odd",
            "{refused:?}"
        );
    }

    #[test]
    fn without_a_process_the_file_may_come_again() {
        let mut reader = reader("");
        reader.program.path = "/no/such/program".to_owned();
        assert!(matches!(why(&reader), Refused::Unavailable(_)));
    }
}

//! A maker of profiles as the hub sees it: a process for one profile, of which nothing is believed without a check.

use std::io::{self, Read, Write};
use std::time::Duration;

use hone_batch::wire;
use hone_hub::pgo::Recorded;
use hone_hub::symbols::StoredFile;
use hone_pgo::Decision;

use super::Failed;
use super::bundle::Bundle;
use super::files::Files;
use super::talk::{Ask, Has, MANIFEST_BYTES_MAX, PROFILE_BYTES_MAX, Said};
use crate::checker::frames;
use crate::checker::process::{Lost, Process, Program};

/// Command by which a maker is started.
const COMMAND: &str = "make-profile";
/// Time for a maker to be ready, on a busy machine.
const START_TIME: Duration = Duration::from_secs(30);
/// Time that one profile may take.
const TIME: Duration = Duration::from_secs(220);

/// Bytes of a file that are handed over at once.
const PART_BYTES: usize = 1 << 20;

/// Starts makers.
pub(super) struct Maker {
    program: Program,
}

/// A profile that was made.
pub(super) struct Made {
    pub(super) manifest: Vec<u8>,
    pub(super) profile: Vec<u8>,
    pub(super) decision: Decision,
}

impl Maker {
    pub(super) fn new(memory_bytes: u64, is_confined: bool) -> Self {
        let mut program = Program::own(COMMAND, is_confined);
        program
            .arguments
            .push(format!("--memory-bytes={memory_bytes}"));
        Self { program }
    }

    /// Has a profile made by a process that ends with it.
    pub(super) fn make(
        &self,
        ask: &Ask,
        former: Option<&Bundle>,
        recorded: Recorded,
        files: &mut Files<'_>,
    ) -> Result<Made, Failed> {
        let process = Process::start(&self.program, START_TIME);
        let mut process = process
            .map_err(|error| Failed::Hub(format!("no maker of profiles starts: {error}")))?;
        let asked = converse(&mut process.timed(TIME), ask, former, recorded, files);
        asked.unwrap_or_else(|error| {
            let why = match process.lost(&error) {
                Lost::Late => format!("it took more than {} s", TIME.as_secs()),
                Lost::Died(why) => format!("{why}: it may lack memory, see pgo.memory_gib"),
            };
            Err(Failed::Hub(format!("the maker of profiles failed: {why}")))
        })
    }
}

/// Asks, hands over the files that are needed, and reads the profile. An error is one of the connection.
fn converse(
    stream: &mut (impl Read + Write),
    ask: &Ask,
    former: Option<&Bundle>,
    recorded: Recorded,
    files: &mut Files<'_>,
) -> io::Result<Result<Made, Failed>> {
    frames::write_json(stream, ask)?;
    if let Some(former) = former {
        frames::write(stream, &former.manifest)?;
        frames::write(stream, &former.profile)?;
    }
    for batch in recorded.batches.into_iter().chain(recorded.sums) {
        frames::write(stream, &wire::write(&batch))?;
    }
    loop {
        match frames::read_json(stream)? {
            Said::Needs(build) => {
                let found = match files.of(&build) {
                    Ok(found) => found,
                    Err(why) => return Ok(Err(Failed::Hub(why))),
                };
                frames::write_json(stream, &Has { files: found.len() })?;
                for file in found {
                    if let Err(why) = hand_over(stream, file)? {
                        return Ok(Err(Failed::Hub(why)));
                    }
                }
            }
            Said::Made(decision) => {
                return Ok(Ok(Made {
                    decision,
                    manifest: frames::read(stream, MANIFEST_BYTES_MAX)?,
                    profile: frames::read(stream, PROFILE_BYTES_MAX)?,
                }));
            }
            Said::Failed(why) => return Ok(Err(Failed::Cannot(why))),
        }
    }
}

/// Writes a stored file as a frame, part by part. The inner error is one of the store.
fn hand_over(stream: &mut impl Write, mut file: StoredFile) -> io::Result<Result<(), String>> {
    let bytes = u32::try_from(file.size_bytes()).map_err(io::Error::other)?;
    stream.write_all(&bytes.to_le_bytes())?;
    let mut left = bytes as usize;
    let mut part = vec![0; PART_BYTES.min(left)];
    while left > 0 {
        let read = match file.read(&mut part) {
            Ok(read) if read > 0 && read <= left => read,
            Ok(_) => {
                return Ok(Err(
                    "a file of a build has not the bytes that were stored".into()
                ));
            }
            Err(error) => return Ok(Err(format!("cannot read a file of a build: {error}"))),
        };
        stream.write_all(&part[..read])?;
        left -= read;
    }
    stream.flush()?;
    Ok(Ok(()))
}

//! Unwinds copied stacks to frames while a recording is read: hone-unwind with the files of this machine.

use std::fs::{self, File};
use std::io::{BufReader, Cursor};
use std::time::SystemTime;

use hone_profile::code_names::read_perf_map;
use hone_profile::perf_data::{MappedAt, ProcessView, Unwind, UserCopy};
use hone_profile::{Avma, Binary, BinaryKind, CodeMap, Meta, StackEnd};
use hone_record::perf_map;
use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};

use crate::recorded_files::RecordedFiles;
use crate::vdso::recorded_vdso;

/// Unwinds one recording.
pub struct Unwinding<'f> {
    unwinder: Unwinder,
    files: &'f RecordedFiles,
    /// Time of the recording's last change; `None` if unknown.
    recorded_at: Option<SystemTime>,
}

impl<'f> Unwinding<'f> {
    /// Unwinds through these files.
    pub fn through(files: &'f RecordedFiles) -> Self {
        Self {
            unwinder: Unwinder::default(),
            files,
            recorded_at: None,
        }
    }

    /// Names code without a file by what lay on this machine before the recording was last changed.
    pub fn of_time(mut self, recorded_at: Option<SystemTime>) -> Self {
        self.recorded_at = recorded_at;
        self
    }
}

impl Unwind for Unwinding<'_> {
    fn unwind(
        &mut self,
        process: &ProcessView<'_>,
        copy: &UserCopy<'_>,
        frames: &mut Vec<u64>,
    ) -> StackEnd {
        let registers = copy.registers;
        let Some(ip) = registers.ip() else {
            return StackEnd::Broken;
        };
        let start = Start {
            registers: Registers {
                ip,
                general: registers.in_dwarf_order(),
            },
            stack: copy.stack,
            wanted: copy.wanted,
        };
        let mut files = Files {
            process,
            recorded: self.files,
        };
        let unwound = self.unwinder.unwind(&start, &mut files, frames);
        match unwound.ended {
            Ended::Root | Ended::Switched => StackEnd::Root,
            Ended::Truncated => StackEnd::Truncated,
            Ended::NoUnwindInfo | Ended::Bad | Ended::OtherStack => StackEnd::Broken,
        }
    }

    fn code_names(&mut self, pid: i32, recording: &Meta) -> CodeMap {
        let recorded_at = self.recorded_at.filter(|_| is_of_this_machine(recording));
        let names = recorded_at.and_then(|at| names_of(perf_map(pid).ok()?, at));
        names.unwrap_or_default()
    }
}

/// Returns true if this machine has made a recording, as far as the recording tells.
fn is_of_this_machine(recording: &Meta) -> bool {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    recording.host == host.trim() && recording.kernel == hone_record::kernel_release()
}

/// Reads a perf map, which lies there for longer than its process: a map that was begun after the recording is one of another
/// process of the same number.
fn names_of(map: File, recorded_at: SystemTime) -> Option<CodeMap> {
    let begun = map.metadata().ok()?.created();
    if begun.is_ok_and(|begun| begun > recorded_at) {
        return None;
    }
    let mut names = CodeMap::default();
    let add = |start, len, name: &str| names.add(start, len, name);
    read_perf_map(BufReader::new(map), add).ok()?;
    Some(names)
}

/// Files of a recorded process.
struct Files<'p, 'v> {
    process: &'p ProcessView<'v>,
    recorded: &'p RecordedFiles,
}

impl Process for Files<'_, '_> {
    fn find(&self, address: u64) -> Option<Place> {
        let MappedAt {
            number,
            binary,
            offset,
        } = self.process.find(Avma(address))?;
        let is_file = matches!(binary.kind, BinaryKind::File | BinaryKind::Vdso);
        Some(Place {
            file: is_file.then_some(number),
            offset: offset.0,
        })
    }

    fn load(&mut self, file: u32) -> Option<Image> {
        let binary = self.process.binary(file)?;
        match binary.kind {
            BinaryKind::Vdso => {
                let bytes = recorded_vdso(self.process.kernel())?;
                Image::read(Cursor::new(bytes)).ok()
            }
            _ => self.read(binary),
        }
    }
}

impl Files<'_, '_> {
    /// Reads the file that was recorded; `None` if the build is another.
    fn read(&self, recorded: &Binary) -> Option<Image> {
        let file = self.recorded.find(recorded).file;
        let bytes = self.recorded.elf().bytes(&file).ok()?;
        let image = Image::read(Cursor::new(bytes.as_slice())).ok()?;
        let is_other = match (&recorded.build_id, image.build_id()) {
            (Some(was), Some(is)) => was.as_bytes() != is,
            _ => false,
        };
        (!is_other).then_some(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_map_that_was_begun_after_the_recording_is_of_another_process() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("perf-7.map");
        fs::write(&path, "1000 10 f\n").unwrap();
        let open = || File::open(&path).unwrap();
        let now = SystemTime::now();
        let later = now + Duration::from_secs(60);
        let names = names_of(open(), later).unwrap();
        assert_eq!(names.at(Avma(0x100f)), Some("f"));
        if open().metadata().unwrap().created().is_ok() {
            assert_eq!(names_of(open(), now - Duration::from_secs(60)), None);
        }
    }

    #[test]
    fn recordings_of_other_machines_get_no_names_of_this_one() {
        let own = Meta {
            host: fs::read_to_string("/proc/sys/kernel/hostname")
                .unwrap()
                .trim()
                .to_owned(),
            kernel: hone_record::kernel_release(),
            ..Meta::default()
        };
        assert!(is_of_this_machine(&own));
        for other in [
            Meta {
                host: "elsewhere".into(),
                ..own.clone()
            },
            Meta {
                kernel: "2.6.32".into(),
                ..own.clone()
            },
            Meta::default(),
        ] {
            assert!(!is_of_this_machine(&other));
        }
    }
}

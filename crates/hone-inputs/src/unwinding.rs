//! Unwinds copied stacks to frames while a recording is read: hone-unwind with the files of this machine.

use std::fs::File;
use std::io::Cursor;
use std::path::PathBuf;

use hone_profile::perf_data::{MappedAt, ProcessView, Unwind, UserCopy};
use hone_profile::{Avma, Binary, BinaryKind, StackEnd};
use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};

use crate::debug_file::of_recorded;
use crate::given::given_for;
use crate::vdso::recorded_vdso;

/// Unwinds one recording.
#[derive(Default)]
pub struct Unwinding {
    unwinder: Unwinder,
    /// Files to use in place of recorded files of the same name.
    given: Vec<PathBuf>,
}

impl Unwinding {
    /// Uses the given files in place of recorded files of the same name, whatever the recorded directory.
    pub fn with_files(given: &[PathBuf]) -> Self {
        Self {
            unwinder: Unwinder::default(),
            given: given.to_vec(),
        }
    }
}

impl Unwind for Unwinding {
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
            given: &self.given,
        };
        let unwound = self.unwinder.unwind(&start, &mut files, frames);
        match unwound.ended {
            Ended::Root => StackEnd::Root,
            Ended::Truncated => StackEnd::Truncated,
            Ended::NoUnwindInfo | Ended::Bad | Ended::OtherStack => StackEnd::Broken,
        }
    }
}

/// Files of a recorded process.
struct Files<'p, 'v> {
    process: &'p ProcessView<'v>,
    given: &'p [PathBuf],
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
    /// Reads the file given for a recorded file, or the file at its path, or debuginfod's; `None` if the build is another.
    fn read(&self, recorded: &Binary) -> Option<Image> {
        let given = given_for(recorded, self.given);
        let file = given.map_or_else(|| of_recorded(recorded), PathBuf::clone);
        let image = Image::read(File::open(file).ok()?).ok()?;
        let is_other = match (&recorded.build_id, image.build_id()) {
            (Some(was), Some(is)) => was.as_bytes() != is,
            _ => false,
        };
        (!is_other).then_some(image)
    }
}

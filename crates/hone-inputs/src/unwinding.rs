//! Unwinds copied stacks to frames while a recording is read: hone-unwind with the files of this machine.

use std::io::Cursor;

use hone_profile::perf_data::{MappedAt, ProcessView, Unwind, UserCopy};
use hone_profile::{Avma, Binary, BinaryKind, StackEnd};
use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};

use crate::recorded_files::RecordedFiles;
use crate::vdso::recorded_vdso;

/// Unwinds one recording.
pub struct Unwinding<'f> {
    unwinder: Unwinder,
    files: &'f RecordedFiles,
}

impl<'f> Unwinding<'f> {
    /// Unwinds through these files.
    pub fn through(files: &'f RecordedFiles) -> Self {
        Self {
            unwinder: Unwinder::default(),
            files,
        }
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
            Ended::Root => StackEnd::Root,
            Ended::Truncated => StackEnd::Truncated,
            Ended::NoUnwindInfo | Ended::Bad | Ended::OtherStack => StackEnd::Broken,
        }
    }
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

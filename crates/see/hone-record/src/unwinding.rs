//! Unwinding of stacks during the recording: a copy of 8 KiB becomes a call chain of some hundred bytes.
//!
//! Mappings are followed in order of time, as samples are written. Files are read when they are first seen and not
//! when they are needed: by then a process in a container may have taken its view of the file system with it.

use crate::announcements::VDSO;
use crate::copy_size::Needs;
use crate::record_bytes::{self as bytes, CopiedSample};
use crate::summary::Summary;
use crate::{mapped_files, procfs, vdso};
use hone_profile::address_space::{AddressSpaces, MappedId, Mapping};
use hone_profile::perf_data::{Mmap2, end_address};
use hone_profile::{Avma, BinaryKind, FileOffset, kind_of_user_mapping};
use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};
use rustc_hash::FxHashMap;
use std::io::Cursor;

/// Largest number of files that are read: a process that maps more has made them itself.
const FILES_MAX: usize = 10_000;

/// Number of frames that the kernel follows in all, unless it is told otherwise (`kernel.perf_event_max_stack`).
const FOLLOWED_MAX: usize = 127;

/// A file that was mapped. The file under a path may change, so the device numbers are part of the key.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Mapped {
    path: String,
    device: (u32, u32, u64),
}

/// Mappings of the recorded processes, and the state to unwind their stacks.
#[derive(Default)]
pub(crate) struct Unwinding {
    unwinder: Unwinder,
    files: Files,
    frames: Vec<u64>,
    needs: Needs,
}

#[derive(Default)]
struct Files {
    spaces: AddressSpaces,
    numbers: FxHashMap<Mapped, u32>,
    /// Images by file number; the unwinder takes an image when it first asks for the image.
    images: Vec<Option<Image>>,
}

/// A process whose stack is unwound.
struct Of<'f> {
    files: &'f mut Files,
    pid: i32,
}

impl Process for Of<'_> {
    fn find(&self, address: u64) -> Option<Place> {
        let mapping = self.files.spaces.find(self.pid, Avma(address))?;
        let is_file = matches!(mapping.kind, BinaryKind::File | BinaryKind::Vdso);
        Some(Place {
            file: is_file.then_some(mapping.shows.0),
            offset: mapping.offset_of(Avma(address)).0,
        })
    }

    fn load(&mut self, file: u32) -> Option<Image> {
        self.files.images.get_mut(file as usize)?.take()
    }
}

impl Files {
    fn number(&mut self, pid: i32, mapping: &procfs::Mapping) -> u32 {
        let mapped = Mapped {
            path: mapping.path.clone(),
            device: mapping.device,
        };
        if let Some(&number) = self.numbers.get(&mapped) {
            return number;
        }
        let number = self.images.len() as u32;
        let image = match mapping.path.as_str() {
            VDSO => vdso::vdso().and_then(|bytes| Image::read(Cursor::new(bytes)).ok()),
            path if is_file(path) && number < FILES_MAX as u32 => {
                mapped_files::open(pid, mapping).and_then(|file| Image::read(file).ok())
            }
            _ => None,
        };
        self.images.push(image);
        self.numbers.insert(mapped, number);
        number
    }
}

fn is_file(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/dev/")
}

impl Unwinding {
    /// Reads the file of a mapping, unless the file is known.
    pub(crate) fn prepare(&mut self, pid: i32, mapping: &procfs::Mapping) {
        if mapping.is_executable() {
            self.files.number(pid, mapping);
        }
    }

    /// Takes a mapping, in order of time.
    pub(crate) fn map(&mut self, pid: i32, mapping: &procfs::Mapping) {
        if !mapping.is_executable() {
            return;
        }
        let shows = MappedId(self.files.number(pid, mapping));
        let kind = kind_of_user_mapping(&mapping.path);
        let mapping = Mapping {
            start: Avma(mapping.start),
            end: Avma(mapping.end),
            shows,
            kind,
            file_offset: FileOffset(mapping.file_offset),
        };
        self.files.spaces.map(pid, mapping);
    }

    /// Takes a mapping that is being written, in order of time.
    pub(crate) fn written(&mut self, mapping: &Mmap2) {
        let Mmap2 {
            start,
            len,
            file_offset,
            protection,
            flags,
            device,
            ..
        } = *mapping;
        let of_process = procfs::Mapping {
            start: start.0,
            end: start.0.saturating_add(len),
            file_offset: file_offset.0,
            protection,
            flags,
            device,
            path: mapping.path.clone(),
        };
        self.map(mapping.pid, &of_process);
    }

    /// Takes any other record of a ring, in order of time.
    pub(crate) fn record(&mut self, record: &[u8]) {
        if let Some((pid, mapping)) = bytes::mapping(record) {
            self.map(pid, &mapping);
        } else if bytes::is_exec(record) {
            self.files.spaces.exec(bytes::process(record));
        } else if let Some((parent, child)) = bytes::fork(record) {
            self.files.spaces.fork(parent, child);
        }
    }

    /// Returns how much of their copies the stacks have needed since the last call.
    pub(crate) fn take_needs(&mut self) -> Needs {
        std::mem::take(&mut self.needs)
    }

    /// Returns the sample with the callers in place of registers and stack.
    pub(crate) fn unwound(&mut self, record: &[u8], summary: &mut Summary) -> Vec<u8> {
        self.frames.clear();
        match bytes::copied(record) {
            CopiedSample::Nothing => {}
            CopiedSample::Foreign => {
                summary.stacks_broken += 1;
                self.frames.push(end_address::BROKEN);
            }
            CopiedSample::Copy(copy) => {
                let start = Start {
                    registers: Registers {
                        ip: copy.registers.ip().unwrap_or(0),
                        general: copy.registers.in_dwarf_order(),
                    },
                    stack: copy.stack,
                    wanted: copy.wanted,
                };
                let mut process = Of {
                    files: &mut self.files,
                    pid: bytes::sample_pid(record),
                };
                let unwound = self.unwinder.unwind(&start, &mut process, &mut self.frames);
                summary.stacks += 1;
                match unwound.ended {
                    Ended::Truncated => self.needs.note_truncated(),
                    _ => self.needs.note(unwound.reached),
                }
                let ended = match unwound.ended {
                    Ended::Switched => {
                        let followed: Vec<u64> = bytes::user_frames(record).collect();
                        goroutine(&followed, &mut self.frames, |address| {
                            self.unwinder.is_of_a_handler(address, &mut process)
                        })
                    }
                    ended => ended,
                };
                match ended {
                    Ended::Root | Ended::Switched => {}
                    Ended::Truncated => {
                        summary.stacks_truncated += 1;
                        self.frames.push(end_address::TRUNCATED);
                    }
                    Ended::NoUnwindInfo | Ended::Bad | Ended::OtherStack => {
                        summary.stacks_broken += 1;
                        self.frames.push(end_address::BROKEN);
                    }
                }
            }
        }
        bytes::with_callers(record, &self.frames)
    }
}

/// Adds the frames of the goroutine behind a place where Go's run time has left its stack: the kernel has followed the frame
/// pointers, which Go keeps across the change, when it took the sample. Without such frames the stack is whole, as it is in
/// Go's own profiles: what runs there runs for nobody in particular. At a signal's handler the stack is broken: some places leave
/// the stack only for work that is not a handler's, and frame pointers do not lead to what a handler interrupted.
fn goroutine(
    followed: &[u64],
    frames: &mut Vec<u64>,
    mut is_of_a_handler: impl FnMut(u64) -> bool,
) -> Ended {
    let last = frames.last().copied();
    let at = followed.iter().position(|frame| Some(*frame) == last);
    let behind = at.map_or(&[][..], |at| &followed[at + 1..]);
    let handler = behind.iter().position(|frame| is_of_a_handler(*frame));
    frames.extend(&behind[..handler.unwrap_or(behind.len())]);
    match (handler, followed.len() < FOLLOWED_MAX) {
        (Some(_), _) => Ended::OtherStack,
        (None, true) => Ended::Root,
        (None, false) => Ended::Truncated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goroutine_is_followed_to_its_root_and_not_past_a_handler() {
        let end_of = |followed: &[u64]| {
            let mut frames = vec![1, 2];
            let ended = goroutine(followed, &mut frames, |address| address == 99);
            (frames, ended)
        };
        assert_eq!(end_of(&[2, 3, 4]), (vec![1, 2, 3, 4], Ended::Root));
        assert_eq!(end_of(&[7, 8]), (vec![1, 2], Ended::Root));
        assert_eq!(end_of(&[2, 3, 99, 4]), (vec![1, 2, 3], Ended::OtherStack));
        assert_eq!(end_of(&[99, 2, 3]), (vec![1, 2, 3], Ended::Root));
        let (frames, ended) = end_of(&[2; FOLLOWED_MAX]);
        assert_eq!((frames.len(), ended), (FOLLOWED_MAX + 1, Ended::Truncated));
    }
}

//! Errors for recordings that cannot be read as they are, with what makes them readable.

use std::path::Path;

use anyhow::{Error, anyhow};
use hone_profile::Compression;
use hone_profile::perf_data::ReadError;

use hone_files::advice::Advice;

/// First bytes of programs and libraries.
const ELF: &[u8] = b"\x7fELF";

/// Creates the error for a compressed file, which says how to unpack the file.
pub fn compressed(compression: Compression, path: &Path) -> Error {
    let fact = anyhow!("the file is compressed with {}", compression.name());
    let command = compression.unpacked_by();
    let next = format!("unpack it first: {command} {}", path.display());
    Advice::error(fact, next)
}

/// Adds the next step to the error about a perf.data file that cannot be read.
pub(super) fn perf_data(error: ReadError) -> Error {
    let next = match &error {
        ReadError::NotPerfData(start) if start.starts_with(ELF) => {
            return Advice::error(
                anyhow!("it is a program or a library, and no recording"),
                "name a recording of it; hone record -- PROGRAM makes one",
            );
        }
        ReadError::Version1 | ReadError::BigEndian => {
            "perf script of today reads it: print it with perf script --show-mmap-events \
             -F pid,tid,time,event,ip,sym,dso,brstack, and name the text"
        }
        ReadError::Io(_) => "copy the recording to a disk that can be read",
        ReadError::HeaderCut { .. } | ReadError::SectionOutside { .. } => {
            "copy the recording again, or record again: hone record and perf record make such files"
        }
        _ => "hone record and perf record make such files",
    };
    Advice::error(error, next)
}

//! Files that are recordings, and cannot be read as they are: which they are, and what makes them readable.

use std::fs::File;
use std::path::Path;

use anyhow::{Error, Result, anyhow};
use hone_profile::Compression;
use hone_profile::perf_data::ReadError;

use hone_run::advice::{Advice, Advise};

/// What programs and libraries begin with.
const ELF: &[u8] = b"\x7fELF";

/// Refuses a directory.
pub(super) fn directory(file: &File) -> Result<()> {
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            Err(anyhow!("it is a directory, as perf record --threads makes"))
                .next("record without --threads, or print it with perf script and name the text")
        }
        _ => Ok(()),
    }
}

/// Says how to unpack a file.
pub fn compressed(compression: Compression, path: &Path) -> Error {
    let fact = anyhow!("the file is compressed with {}", compression.name());
    let command = compression.unpacked_by();
    let next = format!("unpack it first: {command} {}", path.display());
    Advice::error(fact, next)
}

/// Adds what to do about a perf.data file that cannot be read.
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

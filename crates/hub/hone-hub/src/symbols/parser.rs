//! Reading of uploaded files, apart from storing them: a server has it done in a confined process.

use std::fs::File;
use std::io::{Read, Seek};

use super::error::Refused;
use super::inspect::{SymbolFile, inspect};
use super::limits::Limits;
use super::table::tabulate;

/// Reads uploaded files, which come from outside and may be made to do harm.
pub trait Parser: Send + Sync {
    /// Looks at a file, as [`inspect`] does.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file is not taken.
    fn inspect(&self, file: &File) -> Result<SymbolFile, Refused>;

    /// Makes a table of names, as [`tabulate`] does: of a file with code, and of the file with its debug information if
    /// that is apart.
    ///
    /// # Errors
    ///
    /// Returns the reason why the files are not taken.
    fn tabulate(&self, code: &File, debug: Option<&File>) -> Result<Vec<u8>, Refused>;
}

/// Reads files in this process, whole: for tests, and for files that are trusted.
#[derive(Clone, Debug, Default)]
pub struct InProcess {
    /// Limits of files.
    pub limits: Limits,
}

impl Parser for InProcess {
    fn inspect(&self, file: &File) -> Result<SymbolFile, Refused> {
        inspect(file, &self.limits)
    }

    fn tabulate(&self, code: &File, debug: Option<&File>) -> Result<Vec<u8>, Refused> {
        let code = whole(code, self.limits.file_bytes)?;
        let debug = debug.map(|debug| whole(debug, self.limits.file_bytes));
        tabulate(&code, debug.transpose()?.as_deref())
    }
}

fn whole(mut file: &File, max: u64) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    let read = file.rewind();
    let read = read.and_then(|()| file.take(max + 1).read_to_end(&mut bytes));
    read.map_err(|error| Refused::Parser(error.to_string()))?;
    let length = bytes.len() as u64;
    if length > max {
        return Err(Refused::TooLarge { bytes: length, max });
    }
    Ok(bytes)
}

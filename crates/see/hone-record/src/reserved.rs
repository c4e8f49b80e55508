//! The file of a recording: reserved under a temporary name, and named once it is complete.

use crate::error::RecordError;
use crate::former_file;
use crate::sys::clock;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A recording that has its temporary file, but no events yet.
pub(crate) struct Reserved {
    path: PathBuf,
    temporary: PathBuf,
    keeps_former: bool,
    file: Option<File>,
}

impl Reserved {
    /// Creates the temporary file, so that an output that cannot be written fails before anything starts.
    pub(crate) fn create(path: &Path, keeps_former: bool) -> Result<Self, RecordError> {
        let refused = |source| RecordError::Output {
            path: path.to_owned(),
            source,
        };
        let path = &former_file::followed(path).map_err(refused)?;
        let name = path
            .file_name()
            .ok_or_else(|| refused(io::Error::other("not a file name")))?;
        former_file::may_take_names(path, keeps_former).map_err(refused)?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(
            ".partial-{}-{:x}",
            std::process::id(),
            clock::monotonic_ns()
        ));
        let temporary = path.with_file_name(hidden);
        let file = File::create_new(&temporary).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            temporary,
            keeps_former,
            file: Some(file),
        })
    }

    /// Returns the path of the recording.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the temporary file, to be written to.
    pub(crate) fn file(&self) -> Result<File, RecordError> {
        let file = match &self.file {
            Some(file) => file.try_clone(),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        file.map_err(|source| self.refused(source))
    }

    /// Gives the complete file its name, and returns its size in bytes.
    pub(crate) fn give_name(&mut self) -> Result<u64, RecordError> {
        let metadata = fs::metadata(&self.temporary);
        let bytes = metadata.map_err(|source| self.refused(source))?.len();
        let named = former_file::give_name(&self.temporary, &self.path, self.keeps_former);
        // The temporary file was renamed, or it is the only copy of the recording: nothing may be removed.
        self.file = None;
        named.map_err(|error| {
            let where_it_is = format!("{error}; the recording is {}", self.temporary.display());
            self.refused(io::Error::new(error.kind(), where_it_is))
        })?;
        Ok(bytes)
    }

    fn refused(&self, source: io::Error) -> RecordError {
        RecordError::Output {
            path: self.path.clone(),
            source,
        }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

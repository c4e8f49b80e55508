//! Reads a binary together with its debug files, wherever they lie.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use hone_symbols::{DebugLink, Image};

use crate::elf_files::ElfFiles;
use crate::split_dwarf::SplitDwarf;
use hone_fetch::debuginfod::{self, Artifact};
use hone_files::files::AdviseReading;

/// Directory where distributions install split debug files.
const GLOBAL: &str = "/usr/lib/debug";

/// A binary and its debug files in memory.
pub struct Loaded {
    path: PathBuf,
    binary: Arc<Vec<u8>>,
    debug: Option<Arc<Vec<u8>>>,
    split: SplitDwarf,
}

impl Loaded {
    /// Reads a binary and its debug file: `debug_file` if given, else the first file that is found where debuggers look.
    /// `debug_file` may also be a package of split debug information.
    pub fn read(path: &Path, debug_file: Option<&Path>) -> Result<Self> {
        Self::read_from(&ElfFiles::default(), path, debug_file)
    }

    /// Reads a binary and its debug file like [`Loaded::read`], as files of a question.
    pub fn read_from(files: &ElfFiles, path: &Path, debug_file: Option<&Path>) -> Result<Self> {
        let binary = files
            .bytes(path)
            .next_read("name the binary that was recorded with --binary")
            .with_context(|| path.display().to_string())?;
        let package = debug_file.and_then(|file| files.package(file));
        let found = match debug_file {
            Some(file) if package.is_none() => Some(file.to_owned()),
            _ => find(path, &binary),
        };
        let split = SplitDwarf::new(path, found.as_deref(), package);
        let debug = found.map(|file| {
            files
                .bytes(&file)
                .next_read("name the debug file of the binary with --debug-file")
                .with_context(|| file.display().to_string())
        });
        Ok(Self {
            path: path.to_owned(),
            binary,
            debug: debug.transpose()?,
            split,
        })
    }

    /// Path of the binary.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the binary and its debug files, to be parsed.
    pub fn image(&self) -> Image<'_> {
        Image {
            binary: &self.binary,
            debug: self.debug.as_ref().map(|debug| debug.as_slice()),
            split: Some(&self.split),
        }
    }

    /// Adds the binary to the files of a question.
    pub(crate) fn add_to(&self, files: &ElfFiles) {
        files.add(&self.path, &self.binary);
    }
}

/// Finds the debug file of a stripped binary, here or at a debuginfod server. The parser reports what is wrong with the
/// binary itself.
fn find(path: &Path, binary: &[u8]) -> Option<PathBuf> {
    let link = DebugLink::of(binary).ok()??;
    let beside = path.canonicalize().ok()?;
    let here = candidates(&link, beside.parent()?, debuginfod::cache())
        .into_iter()
        .find(|candidate| is_some_file(candidate) && *candidate != beside);
    here.or_else(|| debuginfod::find(link.build_id.as_ref()?, Artifact::DebugInfo, path))
}

/// True for a file with content: in debuginfod's cache, an empty file means that no server has the file.
fn is_some_file(path: &Path) -> bool {
    let metadata = path.metadata();
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// Lists the places of the debug file: GDB's places, then debuginfod's cache.
fn candidates(link: &DebugLink, directory: &Path, cache: Option<PathBuf>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let id = link.build_id.as_ref().map(ToString::to_string);
    if let Some((first, rest)) = id.as_deref().and_then(|id| id.split_at_checked(2)) {
        places.push(Path::new(GLOBAL).join(format!(".build-id/{first}/{rest}.debug")));
    }
    if let Some(name) = &link.file_name {
        places.push(directory.join(name));
        places.push(directory.join(".debug").join(name));
        let below = directory.strip_prefix("/").unwrap_or(directory);
        places.push(Path::new(GLOBAL).join(below).join(name));
    }
    if let (Some(cache), Some(id)) = (cache, id) {
        places.push(cache.join(id).join("debuginfo"));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_files_are_sought_where_debuggers_look() {
        let link = |id: &str, name: Option<&str>| DebugLink {
            build_id: hone_profile::BuildId::from_hex(id),
            file_name: name.map(str::to_owned),
        };
        let places = |link: &DebugLink, cache: Option<&str>| {
            let places = candidates(link, Path::new("/srv/bin"), cache.map(PathBuf::from));
            let places = places.iter().map(|place| place.display().to_string());
            places.collect::<Vec<_>>()
        };
        assert_eq!(
            places(&link("abcdef01", Some("p.debug")), Some("/cache")),
            [
                "/usr/lib/debug/.build-id/ab/cdef01.debug",
                "/srv/bin/p.debug",
                "/srv/bin/.debug/p.debug",
                "/usr/lib/debug/srv/bin/p.debug",
                "/cache/abcdef01/debuginfo",
            ]
        );
        assert_eq!(
            places(&link("abcdef01", None), None),
            ["/usr/lib/debug/.build-id/ab/cdef01.debug"]
        );
        assert!(places(&link("", None), Some("/cache")).is_empty());
    }
}

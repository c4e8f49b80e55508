//! Reads a binary together with its debug files, wherever they lie.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_profile::Binary as Recorded;
use hone_symbols::{DebugLink, Image};

use crate::debuginfod::{self, Artifact};
use crate::split_dwarf::SplitDwarf;
use hone_run::files::AdviseReading;

/// Directory where distributions install split debug files.
const GLOBAL: &str = "/usr/lib/debug";

/// A binary and its debug files in memory.
pub struct Loaded {
    path: PathBuf,
    binary: Vec<u8>,
    debug: Option<Vec<u8>>,
    split: SplitDwarf,
}

impl Loaded {
    /// Reads a binary and its debug file: `debug_file` if given, else the first file that is found where debuggers look.
    /// `debug_file` may also be a package of split debug information.
    pub fn read(path: &Path, debug_file: Option<&Path>) -> Result<Self> {
        let binary = read(path)
            .next_read("name the binary that was recorded with --binary")
            .with_context(|| path.display().to_string())?;
        let package = debug_file.filter(|file| is_package(file));
        let found = match debug_file {
            Some(file) if package.is_none() => Some(file.to_owned()),
            _ => find(path, &binary),
        };
        let split = SplitDwarf::new(path, found.as_deref(), package);
        let debug = found.map(|file| {
            read(&file)
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
            debug: self.debug.as_deref(),
            split: Some(&self.split),
        }
    }
}

fn is_package(path: &Path) -> bool {
    let file = File::open(path).ok();
    file.is_some_and(|file| hone_symbols::is_package(file).unwrap_or(false))
}

/// Reads the needed ranges of a file; all other bytes stay zero and take no memory.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let Ok(needed) = hone_symbols::needed_ranges(&file, len) else {
        // The parser reports what is wrong with the file.
        return fs::read(path);
    };
    let mut bytes = vec![0; usize::try_from(len).map_err(std::io::Error::other)?];
    for range in needed {
        let part = &mut bytes[range.start as usize..range.end as usize];
        file.read_exact_at(part, range.start)?;
    }
    Ok(bytes)
}

/// Finds the debug file of a stripped binary, here or at a debuginfod server. The parser reports what is wrong with the
/// binary itself.
fn find(path: &Path, binary: &[u8]) -> Option<PathBuf> {
    let link = DebugLink::of(binary).ok()??;
    let beside = path.canonicalize().ok()?;
    let here = candidates(&link, beside.parent()?)
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
fn candidates(link: &DebugLink, directory: &Path) -> Vec<PathBuf> {
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
    if let (Some(cache), Some(id)) = (debuginfod::cache(), id) {
        places.push(cache.join(id).join("debuginfo"));
    }
    places
}

/// Returns the path of the file that was recorded: the recorded path, or, if that file is gone or of another build,
/// debuginfod's copy if there is one.
pub fn of_recorded(recorded: &Recorded) -> PathBuf {
    let path = Path::new(&recorded.path);
    let other = recorded
        .build_id
        .as_ref()
        .filter(|was| match File::open(path) {
            Ok(file) => {
                hone_symbols::build_id_of(file).is_ok_and(|is| is.is_some_and(|is| is != **was))
            }
            Err(_) => true,
        });
    let fetched = other.and_then(|id| debuginfod::find(id, Artifact::Executable, path));
    fetched.unwrap_or_else(|| path.to_owned())
}

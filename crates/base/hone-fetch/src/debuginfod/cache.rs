//! The cache of elfutils' client: `BUILDID/debuginfo`, `BUILDID/executable`.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hone_profile::BuildId;
use tempfile::{Builder, NamedTempFile};

/// Time for which an empty file means that no server has the file, unless the file `cache_miss_s` sets another time.
const ABSENT: Duration = Duration::from_secs(600);

/// Directory of the cache.
pub fn directory() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(path) = variable("DEBUGINFOD_CACHE_PATH") {
        return Some(path.into());
    }
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let caches = caches.or_else(|| Some(Path::new(&variable("HOME")?).join(".cache")));
    Some(caches?.join("debuginfod_client"))
}

/// State of a file in the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cached {
    /// The file is in the cache.
    There,
    /// No server had the file a short time ago.
    Absent,
    /// The cache holds nothing about the file.
    Unknown,
}

/// Place of a file in the cache.
pub(super) struct Entry {
    cache: PathBuf,
    path: PathBuf,
}

impl Entry {
    pub(super) fn new(cache: &Path, build_id: &BuildId, name: &str) -> Self {
        Self {
            cache: cache.to_owned(),
            path: cache.join(build_id.to_string()).join(name),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn look(&self) -> Cached {
        let Ok(metadata) = self.path.metadata() else {
            return Cached::Unknown;
        };
        if metadata.len() > 0 {
            return Cached::There;
        }
        let age = metadata
            .modified()
            .ok()
            .and_then(|then| then.elapsed().ok());
        match age {
            Some(age) if age < self.absent_for() => Cached::Absent,
            _ => Cached::Unknown,
        }
    }

    fn absent_for(&self) -> Duration {
        let said = fs::read_to_string(self.cache.join("cache_miss_s")).ok();
        let seconds = said.and_then(|text| text.trim().parse().ok());
        seconds.map_or(ABSENT, Duration::from_secs)
    }

    /// Creates a temporary file beside the entry, to write into.
    pub(super) fn part(&self) -> io::Result<NamedTempFile> {
        let directory = self.path.parent().unwrap_or(&self.cache);
        fs::create_dir_all(directory)?;
        let name = self.path.file_name().unwrap_or_default();
        let mut prefix = name.to_os_string();
        prefix.push(".");
        Builder::new().prefix(&prefix).tempfile_in(directory)
    }

    /// Gives a written file the name of the entry, if it is of the expected build.
    pub(super) fn keep(&self, part: NamedTempFile, build_id: &BuildId) -> Result<(), String> {
        match build_id_of(part.path()) {
            Some(is) if is == *build_id => {}
            Some(is) => return Err(format!("what came is another build ({is})")),
            None => return Err("what came is not an ELF file with a build id".to_owned()),
        }
        part.persist(&self.path)
            .map_err(|error| error.error.to_string())?;
        Ok(())
    }

    /// Writes an empty file, which spares the servers the same question for some minutes. If that fails, they are only asked
    /// again.
    pub(super) fn remember_absent(&self) {
        if let Ok(part) = self.part() {
            let _ = part.persist(&self.path);
        }
    }
}

/// Reads the build id of a file; `None` if the file is not an ELF file or has no build id.
fn build_id_of(path: &Path) -> Option<BuildId> {
    hone_symbols::build_id_of(File::open(path).ok()?).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::time::SystemTime;

    #[test]
    fn an_empty_file_stands_for_absence_until_it_is_old() {
        let cache = tempfile::tempdir().unwrap();
        let id = BuildId::new(&[0xab; 20]).unwrap();
        let entry = Entry::new(cache.path(), &id, "debuginfo");
        assert_eq!(entry.look(), Cached::Unknown);
        entry.remember_absent();
        assert_eq!(entry.look(), Cached::Absent);
        let file = File::options().append(true).open(entry.path()).unwrap();
        let old = SystemTime::now() - ABSENT * 2;
        file.set_times(FileTimes::new().set_modified(old)).unwrap();
        assert_eq!(entry.look(), Cached::Unknown);
        fs::write(cache.path().join("cache_miss_s"), "86400\n").unwrap();
        assert_eq!(entry.look(), Cached::Absent);
        fs::write(entry.path(), "x").unwrap();
        assert_eq!(entry.look(), Cached::There);
    }
}

//! Files of builds for a maker, from the hub's symbols.

use hone_hub::symbols::{Artifact, StoredFile, Symbols};
use hone_profile::BuildId;

use super::talk::INPUT_BYTES_MAX;
use crate::log;

/// Files of a tenant's builds, within a number of bytes for one profile.
pub(super) struct Files<'s> {
    symbols: &'s Symbols,
    tenant: &'s str,
    bytes_left: u64,
}

impl<'s> Files<'s> {
    pub(super) fn new(symbols: &'s Symbols, tenant: &'s str, bytes_max: u64) -> Self {
        Self {
            symbols,
            tenant,
            bytes_left: bytes_max,
        }
    }

    /// Returns the file with a build's code, and the one with its debug information if that is another; nothing if there is
    /// no code, or too much of all.
    pub(super) fn of(&mut self, build: &str) -> Result<Vec<StoredFile>, String> {
        let Some(id) = BuildId::from_hex(build) else {
            return Ok(Vec::new());
        };
        let get = |artifact| {
            let got = self.symbols.get(self.tenant, &id, artifact);
            got.map_err(|error| format!("cannot read the files of build {build}: {error}"))
        };
        let Some(code) = get(Artifact::Executable)? else {
            return Ok(Vec::new());
        };
        let mut files = vec![code];
        let debug = get(Artifact::DebugInfo)?;
        files.extend(debug.filter(|debug| debug.sha256() != files[0].sha256()));
        match left_after(self.bytes_left, files.iter().map(StoredFile::size_bytes)) {
            Some(left) => {
                self.bytes_left = left;
                Ok(files)
            }
            None => {
                log::say(format!(
                    "build {build} is left out of a profile, as its files have more than 4 GiB or those of all builds take too much memory: raise pgo.memory_gib"
                ));
                Ok(Vec::new())
            }
        }
    }
}

/// Returns the bytes that are left after files of these sizes; `None` if they are too much, or one of them for a frame.
fn left_after(bytes_left: u64, sizes: impl Iterator<Item = u64>) -> Option<u64> {
    let mut left = bytes_left;
    for bytes in sizes {
        if bytes > INPUT_BYTES_MAX as u64 {
            return None;
        }
        left = left.checked_sub(bytes)?;
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beyond_the_memory_or_a_frame_are_left_out() {
        let left = |bytes_left, sizes: [u64; 2]| left_after(bytes_left, sizes.into_iter());
        assert_eq!(left(10, [4, 6]), Some(0));
        assert_eq!(left(10, [4, 7]), None);
        assert_eq!(left(u64::MAX, [1, 1 << 32]), None);
    }
}

//! A directory of profiles, as it lies in a repository.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_files::files::write_whole;
use hone_pgo::{Manifest, manifest_path, profile_path, signature_path};

use crate::pgo::bundle::Bundle;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// Nothing: this profile and all that belongs to it were there.
    Nothing(PathBuf),
    /// This profile, or something that belongs to it.
    Profile(PathBuf),
}

/// Writes profile, signature and manifest where they are not there yet, in this order, and removes the profile before. The inner
/// error says why not.
pub(super) fn write(
    directory: &Path,
    bundle: &Bundle,
    manifest: &Manifest,
) -> Result<Result<Written, String>> {
    let place = directory.join(manifest_path(&manifest.service, manifest.form));
    let before = former(&place)?;
    if let Some(before) = &before
        && before.created_s > manifest.created_s
    {
        let place = place.display();
        return Ok(Err(format!(
            "it is older than the one of {place}: the hub may have an old copy; to take it all the same, remove that file"
        )));
    }
    let profile = directory.join(profile_path(manifest));
    let signature = directory.join(signature_path(manifest));
    let parent = place.parent().unwrap_or(directory);
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    let mut is_new = write_changed(&profile, &bundle.profile)?;
    match &bundle.signature {
        Some(bytes) => is_new |= write_changed(&signature, bytes)?,
        None => remove(&signature)?,
    }
    is_new |= write_changed(&place, &bundle.manifest)?;
    if let Some(before) = before {
        let old = [profile_path(&before), signature_path(&before)];
        let mut old = old.into_iter().map(|path| directory.join(path));
        old.try_for_each(|path| match path == profile || path == signature {
            true => Ok(()),
            false => remove(&path),
        })?;
    }
    Ok(Ok(match is_new {
        true => Written::Profile(profile),
        false => Written::Nothing(profile),
    }))
}

/// Writes a file whole, unless it has these bytes; returns whether it was written.
pub(super) fn write_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    write_whole(path, bytes)?;
    Ok(true)
}

/// Returns the manifest that lies there; `None` if none does that can be read.
fn former(path: &Path) -> Result<Option<Manifest>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Manifest::read(&bytes).ok()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

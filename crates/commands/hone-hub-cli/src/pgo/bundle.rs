//! A published profile as one tar archive, which is also what the hub answers with: `tar -x` gives the files that
//! `hone hub pgo --write` writes.

use std::io::Read;

use anyhow::{Context, Result, bail};
use hone_pgo::{Manifest, SIGNATURE_BYTES, SecretKey, manifest_path, profile_path, signature_path};
use tar::{Archive, Builder, EntryType, Header};

/// Bytes of an archive that is read, and so of everything in it.
pub(super) const BYTES_MAX: u64 = 512 << 20;

/// A profile with its manifest and signature.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bundle {
    pub(super) manifest: Vec<u8>,
    pub(super) profile: Vec<u8>,
    /// Signature of the manifest's bytes; `None` from a hub without a key.
    pub(super) signature: Option<Vec<u8>>,
}

impl Bundle {
    /// Signs the manifest.
    pub(super) fn signed(mut self, key: Option<&SecretKey>) -> Self {
        self.signature = key.map(|key| key.sign(&self.manifest).to_vec());
        self
    }

    /// Writes the archive. The same content has the same bytes.
    pub(super) fn write(&self, manifest: &Manifest) -> Result<Vec<u8>> {
        let signature = self.signature.as_ref();
        let files = [
            Some((profile_path(manifest), &self.profile)),
            signature.map(|signature| (signature_path(manifest), signature)),
            // The manifest comes last: what it names is there before.
            Some((
                manifest_path(&manifest.service, manifest.form),
                &self.manifest,
            )),
        ];
        let mut archive = Builder::new(Vec::new());
        for (path, bytes) in files.into_iter().flatten() {
            let mut header = Header::new_gnu();
            header.set_entry_type(EntryType::Regular);
            header.set_mode(0o644);
            header.set_mtime(manifest.created_s);
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, path, bytes.as_slice())?;
        }
        Ok(archive.into_inner()?)
    }

    /// Reads an archive: kinds of files are told by their endings, and paths are not used.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut bundle = Self::default();
        let mut entries = 0;
        let mut archive = Archive::new(bytes);
        for entry in archive.entries().context("it is no archive")? {
            let entry = entry.context("the archive is damaged")?;
            entries += 1;
            if entries > 3 {
                bail!("the archive has more files than a profile");
            }
            let path = entry.path_bytes().into_owned();
            let mut content = Vec::new();
            let read = entry.take(BYTES_MAX).read_to_end(&mut content);
            read.context("the archive is damaged")?;
            match path {
                path if path.ends_with(b".json") => bundle.manifest = content,
                path if path.ends_with(b".sig") => bundle.signature = Some(content),
                _ => bundle.profile = content,
            }
        }
        if bundle.manifest.is_empty() || bundle.profile.is_empty() {
            bail!("the archive has no manifest or no profile");
        }
        let is_signature = |signature: &Vec<u8>| signature.len() == SIGNATURE_BYTES;
        if !bundle.signature.as_ref().is_none_or(is_signature) {
            bail!("the signature has not {SIGNATURE_BYTES} bytes");
        }
        Ok(bundle)
    }
}

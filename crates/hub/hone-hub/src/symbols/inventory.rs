//! What files of builds there are, for lists and upkeep.

use hone_profile::BuildId;

use super::Symbols;
use super::blobs;
use super::builds::{self, Held, MANIFEST};
use super::error::SymbolsError;
use super::kind::{Kind, Sources};
use super::tables::Tabled;
use crate::store::check_tenant;

/// Files of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildFiles {
    /// The build.
    pub build: BuildId,
    /// The files; none if there is nothing of the build.
    pub files: Vec<HeldFile>,
    /// Bytes of all that is kept of the build, the table of names among it.
    pub bytes: u64,
}

/// A file that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldFile {
    /// Kind of the file.
    pub kind: Kind,
    /// SHA-256 of the file in hexadecimal, if it was asked for.
    pub sha256: Option<String>,
}

/// What the symbols of a tenant take up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UsedBySymbols {
    /// Builds with files.
    pub builds: u64,
    /// Bytes of all files and tables.
    pub bytes: u64,
}

impl Symbols {
    /// Returns what there is of some builds, with the sums of the files.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn there(&self, tenant: &str, builds: &[BuildId]) -> Result<Vec<BuildFiles>, SymbolsError> {
        check_tenant(tenant)?;
        let mut there = Vec::new();
        for build in builds {
            let held = Held::of(self.objects.as_ref(), tenant, build)?;
            let mut files = BuildFiles::of(build.clone(), &held);
            for file in &mut files.files {
                let blob = builds::file_name(tenant, build, file.kind);
                let manifest = blobs::manifest(self.objects.as_ref(), &blob)?;
                file.sha256 = manifest.map(|manifest| manifest.sha256);
            }
            there.push(files);
        }
        Ok(there)
    }

    /// Returns what there is of all builds of a tenant that have files.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn all_there(&self, tenant: &str) -> Result<Vec<BuildFiles>, SymbolsError> {
        check_tenant(tenant)?;
        let all = builds::all(self.objects.as_ref(), tenant)?.into_iter();
        let all = all.map(|(build, held)| BuildFiles::of(build, &held));
        Ok(all.filter(|build| !build.files.is_empty()).collect())
    }

    /// Returns what the symbols of a tenant take up.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn usage(&self, tenant: &str) -> Result<UsedBySymbols, SymbolsError> {
        check_tenant(tenant)?;
        let mut used = UsedBySymbols::default();
        for held in builds::all(self.objects.as_ref(), tenant)?.values() {
            used.builds += u64::from(!held.kinds.is_empty());
            used.bytes += held.bytes();
        }
        Ok(used)
    }

    /// Makes the tables of names that builds with files lack, after a crash or a change of their form, so that no question has
    /// to. Returns how many were made. `goes_on` is asked before each.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn make_tables(
        &self,
        tenant: &str,
        now_s: u64,
        goes_on: impl Fn() -> bool,
    ) -> Result<u64, SymbolsError> {
        check_tenant(tenant)?;
        let mut made = 0;
        for (build, held) in builds::all(self.objects.as_ref(), tenant)? {
            let lacks = |sources: Sources| !held.has_table(sources);
            if !Sources::among(&held.kinds).is_some_and(lacks) {
                continue;
            }
            if !goes_on() {
                break;
            }
            let tabled = self.tabled(tenant, &build, now_s)?;
            made += u64::from(matches!(tabled, Tabled::Table(_)));
        }
        Ok(made)
    }
}

impl BuildFiles {
    fn of(build: BuildId, held: &Held) -> Self {
        let manifests = held.objects.iter();
        let kinds = manifests.filter_map(|(name, _)| Kind::named(name.strip_suffix(MANIFEST)?));
        let files = kinds.map(|kind| HeldFile { kind, sha256: None });
        Self {
            build,
            files: files.collect(),
            bytes: held.bytes(),
        }
    }
}

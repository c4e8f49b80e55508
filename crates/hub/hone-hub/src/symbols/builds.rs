//! Names of a build's objects in the store, and what there is of a build.
//!
//! ```text
//! TENANT/symbols/BUILD/KIND.json, KIND/...            an uploaded file
//! TENANT/symbols/BUILD/names-VERSION-SOURCES.json ... the table of names made of such files
//! TENANT/symbols/BUILD/seen-DAY                       there were samples of the build, or questions about it, on this day
//! TENANT/symbols/BUILD/absent-ARTIFACT-TIME           no debuginfod server had it then
//! ```

use std::collections::BTreeMap;

use hone_profile::BuildId;

use super::kind::{Artifact, Kind, Sources};
use super::table;
use crate::store::StoreError;
use crate::store::error::Tried;
use crate::store::objects::{Listed, Objects};

const TABLE: &str = "names-";
const SEEN: &str = "seen-";
const ABSENT: &str = "absent-";
/// End of the names of manifests.
pub(super) const MANIFEST: &str = ".json";

/// Returns the first part of the names of all symbols of a tenant.
pub(super) fn directory(tenant: &str) -> String {
    format!("{tenant}/symbols/")
}

/// Returns the first part of the names of a build's objects.
pub(super) fn build_directory(tenant: &str, build: &BuildId) -> String {
    format!("{}{build}/", directory(tenant))
}

/// Returns the name of a file.
pub(super) fn file_name(tenant: &str, build: &BuildId, kind: Kind) -> String {
    format!("{}{}", build_directory(tenant, build), kind.name())
}

/// Returns the name of the table that is made of these files.
pub(super) fn table_name(tenant: &str, build: &BuildId, sources: Sources) -> String {
    let directory = build_directory(tenant, build);
    format!("{directory}{}", table_stem(sources))
}

fn table_stem(sources: Sources) -> String {
    format!("{TABLE}{}-{}", table::VERSION, sources.name())
}

pub(super) fn seen_name(tenant: &str, build: &BuildId, day: &str) -> String {
    format!("{}{SEEN}{day}", build_directory(tenant, build))
}

pub(super) fn absent_name(tenant: &str, build: &BuildId, artifact: Artifact, now_s: u64) -> String {
    let directory = build_directory(tenant, build);
    format!("{directory}{ABSENT}{}-{now_s:012}", artifact.name())
}

/// What there is of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    /// Names without directory, and bytes, of all objects.
    pub(super) objects: Vec<(String, u64)>,
    /// Kinds of the stored files.
    pub(super) kinds: Vec<Kind>,
}

impl Held {
    /// Lists what there is of a build.
    pub(super) fn of(
        objects: &dyn Objects,
        tenant: &str,
        build: &BuildId,
    ) -> Result<Self, StoreError> {
        let directory = build_directory(tenant, build);
        let listed = objects.list(&directory).tried("list", &directory)?;
        let mut held = Self::default();
        for Listed { name, bytes } in listed {
            held.add(name.strip_prefix(&directory).unwrap_or_default(), bytes);
        }
        Ok(held)
    }

    fn add(&mut self, name: &str, bytes: u64) {
        self.objects.push((name.to_owned(), bytes));
        self.kinds
            .extend(name.strip_suffix(MANIFEST).and_then(Kind::named));
    }

    /// True if there is the table that is made of these files.
    pub(super) fn has_table(&self, sources: Sources) -> bool {
        self.has_manifest(&table_stem(sources))
    }

    /// True if there is a whole file of this name.
    pub(super) fn has_manifest(&self, blob: &str) -> bool {
        let manifest = format!("{blob}{MANIFEST}");
        self.objects.iter().any(|(name, _)| *name == manifest)
    }

    /// True if the file is a table that nobody asks for any more: made of fewer files, or by an earlier version.
    pub(super) fn is_outdated_table(&self, blob: &str) -> bool {
        let Some((version, sources)) = blob
            .strip_prefix(TABLE)
            .and_then(|rest| rest.split_once('-'))
        else {
            return false;
        };
        let current = Sources::among(&self.kinds).map(Sources::name);
        version.parse().is_ok_and(|version: u8| {
            let is_other = current.as_deref() != Some(sources);
            version < table::VERSION || version == table::VERSION && is_other
        })
    }

    /// Returns the times at which servers said that they lack a file, in seconds since 1970, with the objects' names.
    pub(super) fn absent(&self) -> impl Iterator<Item = (Artifact, u64, &str)> {
        self.objects.iter().filter_map(|(name, _)| {
            let (artifact, time) = name.strip_prefix(ABSENT)?.split_once('-')?;
            let mut artifacts = Artifact::ALL.into_iter();
            let artifact = artifacts.find(|known| known.name() == artifact)?;
            Some((artifact, time.parse().ok()?, name.as_str()))
        })
    }

    /// Returns the days on which the build was seen.
    pub(super) fn seen(&self) -> impl Iterator<Item = &str> {
        let names = self.objects.iter();
        names.filter_map(|(name, _)| name.strip_prefix(SEEN))
    }

    /// Returns folders of parts: the file's name, the folder's name, and when its writing began, in seconds since 1970.
    pub(super) fn folders(&self) -> BTreeMap<(&str, &str), u64> {
        let names = self.objects.iter().map(|(name, _)| name.as_str());
        let folders = names.filter_map(|name| {
            let (blob, rest) = name.split_once('/')?;
            let (folder, _) = rest.split_once('/')?;
            let time_s = folder.split('-').next()?.parse().ok()?;
            Some(((blob, folder), time_s))
        });
        folders.collect()
    }

    /// Bytes of all objects.
    pub(super) fn bytes(&self) -> u64 {
        self.objects.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Lists what there is of all builds of a tenant.
pub(super) fn all(
    objects: &dyn Objects,
    tenant: &str,
) -> Result<BTreeMap<BuildId, Held>, StoreError> {
    let directory = directory(tenant);
    let mut builds: BTreeMap<BuildId, Held> = BTreeMap::new();
    for Listed { name, bytes } in objects.list(&directory).tried("list", &directory)? {
        let rest = name.strip_prefix(&directory).unwrap_or_default();
        if let Some((build, rest)) = rest.split_once('/')
            && let Some(build) = BuildId::from_hex(build)
        {
            builds.entry(build).or_default().add(rest, bytes);
        }
    }
    Ok(builds)
}

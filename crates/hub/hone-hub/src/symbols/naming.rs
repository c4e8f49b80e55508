//! Names of places: functions with the calls inlined into them, files and lines, as [`hone_views`] has them.

use std::collections::BTreeMap;

use hone_profile::{Binary, BinaryId, BinaryKind, BuildId, FileOffset, Profile, Svma};
use hone_views::{NamedFrame, Names, Place};

use super::builds::{self, Held};
use super::error::SymbolsError;
use super::table::Frames;
use super::tables::Tabled;
use super::{Symbols, lock};
use crate::store::error::Tried;
use crate::store::time::day_of;
use crate::store::{StoreError, check_tenant};

/// Times that a table is looked for, if better ones take its place meanwhile.
const TABLE_ATTEMPTS: u32 = 3;

/// What a file would need to have names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lack {
    /// No file of the build was uploaded or found: upload it.
    Everything,
    /// Only a debug file is there, which does not tell which bytes of the program lie where: upload the program too.
    Code,
    /// The files of the build name nothing at these places: upload the debug file, or the program before it is stripped.
    Names,
    /// The files of the build cannot be read: build it anew, or with another compiler.
    Readable,
    /// The file has no build id, so nothing can be uploaded for it: link it with `-Wl,--build-id`.
    BuildId,
}

impl Lack {
    /// Word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Code => "code",
            Self::Names => "names",
            Self::Readable => "readable",
            Self::BuildId => "build-id",
        }
    }
}

/// A file of which places have no names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lacking {
    /// Name of the file.
    pub path: String,
    /// Build id of the file.
    pub build: Option<BuildId>,
    /// What it lacks.
    pub lack: Lack,
}

impl Lacking {
    pub(super) fn new(binary: &Binary, lack: Lack) -> Self {
        Self {
            path: binary.path.clone(),
            build: binary.build_id.clone(),
            lack,
        }
    }
}

/// Names of the places of a profile.
#[derive(Clone, Debug, Default)]
pub struct ProfileNames {
    /// Names by place, for [`hone_views::Stacks::new`]. Places without names are left out.
    pub names: Names,
    /// Files that lack names as a whole. What of their weight goes there is [`hone_views::Unknown`].
    pub lacking: Vec<Lacking>,
}

/// A place in a file: its offset, and whether it is a return address, which is looked up at the call before it.
pub(super) type Asked = (u64, bool);

/// Names of places in one file.
pub(super) enum Looked {
    /// Frames of each place, innermost first; none where there is no name.
    Frames(Vec<Frames>),
    /// There are no names for the file.
    Lacks(Lack),
}

impl Symbols {
    /// Names places of a profile, such as [`hone_views::StackTally::places`] returns.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn name_profile(
        &self,
        tenant: &str,
        profile: &Profile,
        places: &BTreeMap<BinaryId, Vec<Place>>,
        now_s: u64,
    ) -> Result<ProfileNames, SymbolsError> {
        let mut named = ProfileNames::default();
        for (&binary, places) in places {
            let binary = profile.binary(binary);
            if binary.kind != BinaryKind::File {
                continue;
            }
            let offset = |place: &Place| profile.location(place.location).offset.0;
            let asked = places.iter().map(|place| (offset(place), place.is_return));
            let asked: Vec<Asked> = asked.collect();
            match self.look_up(tenant, binary.build_id.as_ref(), &asked, now_s)? {
                Looked::Lacks(lack) => named.lacking.push(Lacking::new(binary, lack)),
                Looked::Frames(frames) => {
                    let found = places.iter().zip(frames);
                    let found = found.filter(|(_, frames)| !frames.is_empty());
                    let found = found.map(|(place, frames)| (*place, frames.to_vec()));
                    named.names.extend(found);
                }
            }
        }
        Ok(named)
    }

    /// Names one instruction of a build by its offset in the file: its frames, innermost first; none if nothing names it.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn name_offset(
        &self,
        tenant: &str,
        build: &BuildId,
        offset: FileOffset,
        now_s: u64,
    ) -> Result<Vec<NamedFrame>, SymbolsError> {
        let asked = [(offset.0, false)];
        let first = match self.look_up(tenant, Some(build), &asked, now_s)? {
            Looked::Frames(frames) => frames.into_iter().next(),
            Looked::Lacks(_) => None,
        };
        Ok(first.map_or(Vec::new(), |frames| frames.to_vec()))
    }

    /// Looks up places of a file. A table may be replaced by a better one meanwhile; then that one is asked. One that is
    /// damaged counts as a file that cannot be read.
    pub(super) fn look_up(
        &self,
        tenant: &str,
        build: Option<&BuildId>,
        asked: &[Asked],
        now_s: u64,
    ) -> Result<Looked, SymbolsError> {
        check_tenant(tenant)?;
        let Some(build) = build else {
            return Ok(Looked::Lacks(Lack::BuildId));
        };
        for _ in 0..TABLE_ATTEMPTS {
            match self.look_up_once(tenant, build, asked, now_s) {
                Err(SymbolsError::Store(StoreError::Damaged { .. })) => self.forget(tenant, build),
                looked => return looked,
            }
        }
        Ok(Looked::Lacks(Lack::Readable))
    }

    fn look_up_once(
        &self,
        tenant: &str,
        build: &BuildId,
        asked: &[Asked],
        now_s: u64,
    ) -> Result<Looked, SymbolsError> {
        let table = match self.tabled(tenant, build, now_s)? {
            Tabled::Table(table) => table,
            Tabled::Nothing => return Ok(Looked::Lacks(Lack::Everything)),
            Tabled::NoCode => return Ok(Looked::Lacks(Lack::Code)),
            Tabled::Unreadable => return Ok(Looked::Lacks(Lack::Readable)),
        };
        // What cannot be noted now is noted with the next question.
        let _ = self.note_seen(tenant, build, now_s);
        let svma = |&(offset, is_return): &Asked| {
            let offset = offset.saturating_sub(u64::from(is_return));
            table.head.svma_of(FileOffset(offset))
        };
        let addresses = asked.iter().map(svma).enumerate();
        let mut order: Vec<(Svma, usize)> = addresses
            .filter_map(|(index, svma)| Some((svma?, index)))
            .collect();
        order.sort_unstable();
        let sorted: Vec<Svma> = order.iter().map(|(svma, _)| *svma).collect();
        let mut frames = vec![Frames::default(); asked.len()];
        let found = self.frames_at(&table, &sorted)?;
        for ((_, index), found) in order.into_iter().zip(found) {
            frames[index] = found;
        }
        Ok(Looked::Frames(frames))
    }

    /// Notes that there are samples of builds, so that retention keeps their files. At most one object a day is written for a
    /// build that has files.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    pub fn seen(&self, tenant: &str, builds: &[BuildId], now_s: u64) -> Result<(), SymbolsError> {
        check_tenant(tenant)?;
        for build in builds {
            if !self.is_noted(tenant, build, now_s) {
                let held = Held::of(self.objects.as_ref(), tenant, build)?;
                if held.kinds.is_empty() {
                    self.remember_seen(tenant, build, day_of(now_s));
                } else {
                    self.note_seen(tenant, build, now_s)?;
                }
            }
        }
        Ok(())
    }

    fn is_noted(&self, tenant: &str, build: &BuildId, now_s: u64) -> bool {
        let key = (tenant.to_owned(), build.clone());
        lock(&self.seen).has(&key, &day_of(now_s))
    }

    /// Notes that a build with files was seen today.
    fn note_seen(&self, tenant: &str, build: &BuildId, now_s: u64) -> Result<(), SymbolsError> {
        if self.is_noted(tenant, build, now_s) {
            return Ok(());
        }
        let day = day_of(now_s);
        let name = builds::seen_name(tenant, build, &day);
        self.objects.put(&name, b"").tried("write", &name)?;
        self.remember_seen(tenant, build, day);
        Ok(())
    }

    fn remember_seen(&self, tenant: &str, build: &BuildId, day: String) {
        lock(&self.seen).add((tenant.to_owned(), build.clone()), day);
    }
}

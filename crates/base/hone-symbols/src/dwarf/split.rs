//! Split DWARF: the tree of a unit is in a `.dwo` file beside the object, or in the binary's package of `.dwo` files; the
//! unit in the binary is a skeleton with the addresses and the line table.
//!
//! A unit's sections are in memory only while its tree is read. The index and the strings of a package stay in memory.

use super::sections::SectionFile;
use super::{Dwarf, Reader, Unit};
use crate::error::SymbolError;
use crate::split_files::{INDEX, ReadSeek, SplitFault, SplitFiles, SplitName};
use gimli::{DwoId, EndianSlice, IndexSectionId, LittleEndian, SectionId, UnitType};
use std::borrow::Cow;

/// The sections of one split unit.
#[derive(Default)]
pub(super) struct SplitSections<'p> {
    abbrev: Vec<u8>,
    info: Vec<u8>,
    line: Vec<u8>,
    str_offsets: Vec<u8>,
    rnglists: Vec<u8>,
    strings: Cow<'p, [u8]>,
}

impl SplitSections<'_> {
    fn of_object(file: Box<dyn ReadSeek>) -> Result<Self, SymbolError> {
        let file = SectionFile::open(file)?;
        Ok(Self {
            abbrev: file.whole(".debug_abbrev.dwo")?,
            info: file.whole(".debug_info.dwo")?,
            line: file.whole(".debug_line.dwo")?,
            str_offsets: file.whole(".debug_str_offsets.dwo")?,
            rnglists: file.whole(".debug_rnglists.dwo")?,
            strings: file.whole(".debug_str.dwo")?.into(),
        })
    }

    /// Returns the sections as DWARF of the binary that has the skeleton.
    pub(super) fn dwarf<'x>(&'x self, parent: &Dwarf<'x>) -> gimli::Result<Dwarf<'x>> {
        let mut dwarf = gimli::Dwarf::load(|id| {
            let bytes: &[u8] = match id {
                SectionId::DebugAbbrev => &self.abbrev,
                SectionId::DebugInfo => &self.info,
                SectionId::DebugLine => &self.line,
                SectionId::DebugStrOffsets => &self.str_offsets,
                SectionId::DebugRngLists => &self.rnglists,
                SectionId::DebugStr => &self.strings,
                _ => &[],
            };
            Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
        })?;
        dwarf.make_dwo(parent);
        Ok(dwarf)
    }
}

/// The package of a binary.
pub(super) struct Package {
    file: SectionFile,
    index: Vec<u8>,
    strings: Vec<u8>,
}

impl Package {
    pub(super) fn open(file: Box<dyn ReadSeek>) -> Result<Self, SymbolError> {
        let file = SectionFile::open(file)?;
        Ok(Self {
            index: file.whole(INDEX)?,
            strings: file.whole(".debug_str.dwo")?,
            file,
        })
    }

    fn unit(&self, id: DwoId) -> Result<Option<SplitSections<'_>>, SymbolError> {
        let index = gimli::DebugCuIndex::new(&self.index, LittleEndian).index()?;
        let Some(row) = index.find(id.0) else {
            return Ok(None);
        };
        let mut sections = SplitSections {
            strings: Cow::Borrowed(&self.strings),
            ..SplitSections::default()
        };
        for part in index.sections(row)? {
            let place = match part.section {
                IndexSectionId::DebugAbbrev => &mut sections.abbrev,
                IndexSectionId::DebugInfo => &mut sections.info,
                IndexSectionId::DebugLine => &mut sections.line,
                IndexSectionId::DebugStrOffsets => &mut sections.str_offsets,
                IndexSectionId::DebugRngLists => &mut sections.rnglists,
                _ => continue,
            };
            *place = self
                .file
                .part(part.section.dwo_name(), part.offset, part.size)?;
        }
        Ok(Some(sections))
    }
}

/// Looks for the unit in the package, then among the files with its name, and passes the sections to `read` until `read`
/// finds the unit.
pub(super) fn find<T>(
    id: DwoId,
    name: &SplitName,
    package: Option<&Result<Package, SymbolError>>,
    files: Option<&dyn SplitFiles>,
    mut read: impl FnMut(&SplitSections<'_>) -> Result<T, SplitFault>,
) -> Result<T, SplitFault> {
    let mut fault = SplitFault::Missing;
    let packed = package.map(|package| match package {
        Ok(package) => package.unit(id),
        Err(error) => Err(error.clone()),
    });
    match packed {
        Some(Ok(Some(sections))) => match read(&sections) {
            Ok(found) => return Ok(found),
            Err(error) => fault = error,
        },
        Some(Err(_)) => fault = SplitFault::Malformed,
        Some(Ok(None)) | None => {}
    }
    for file in files.into_iter().flat_map(|files| files.objects(name)) {
        let sections = SplitSections::of_object(file).map_err(|_| SplitFault::Malformed);
        match sections.and_then(|sections| read(&sections)) {
            Ok(found) => return Ok(found),
            Err(error) => fault = error,
        }
    }
    Err(fault)
}

/// Returns the name of the file that has the unit's tree.
pub(super) fn name_of(dwarf: &Dwarf<'_>, skeleton: &Unit<'_>) -> SplitName {
    let text = |bytes: Reader<'_>| bytes.to_string_lossy().into_owned();
    let file = skeleton.dwo_name().ok().flatten();
    let file = file.and_then(|value| dwarf.attr_string(skeleton, value).ok());
    SplitName {
        directory: skeleton.comp_dir.map(text).unwrap_or_default(),
        file: file.map(text).unwrap_or_default(),
    }
}

/// Returns the unit with this id.
pub(super) fn unit_of<'x>(
    dwarf: &Dwarf<'x>,
    id: DwoId,
    skeleton: &Unit<'x>,
) -> Result<Unit<'x>, SplitFault> {
    let malformed = |_| SplitFault::Malformed;
    let mut headers = dwarf.units();
    while let Some(header) = headers.next().map_err(malformed)? {
        // Up to DWARF 4 the id is an attribute of the unit's first entry.
        let may_be = match header.type_() {
            UnitType::SplitCompilation(own) => own == id,
            UnitType::Compilation => true,
            _ => false,
        };
        if may_be {
            let mut unit = dwarf.unit(header).map_err(malformed)?;
            if unit.dwo_id == Some(id) {
                unit.copy_relocated_attributes(skeleton);
                return Ok(unit);
            }
        }
    }
    Err(SplitFault::OtherBuild)
}

/// Returns all units of the file, for references between units.
pub(super) fn all_units<'x>(dwarf: &Dwarf<'x>) -> Vec<Unit<'x>> {
    let mut headers = dwarf.units();
    let next = || headers.next().ok().flatten();
    std::iter::from_fn(next)
        .filter_map(|header| dwarf.unit(header).ok())
        .collect()
}

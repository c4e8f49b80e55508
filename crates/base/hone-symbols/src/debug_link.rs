//! References from a stripped binary to its debug information.

use crate::binary::{build_id, open};
use crate::error::SymbolError;
use hone_profile::BuildId;
use object::read::elf::ElfFile64;
use object::read::{Object, ObjectSection, ReadCache};
use std::io::{Read, Seek};

/// References from a binary without debug information to the file that has the debug information.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugLink {
    /// Build id, under which distributions and debuginfod keep the file.
    pub build_id: Option<BuildId>,
    /// File name in `.gnu_debuglink`.
    pub file_name: Option<String>,
}

impl DebugLink {
    /// Reads the link of a binary; `None` if the binary itself has debug information.
    pub fn of(binary: &[u8]) -> Result<Option<Self>, SymbolError> {
        let elf = open(binary)?;
        if elf.section_by_name(".debug_info").is_some() {
            return Ok(None);
        }
        let link = elf.section_by_name(".gnu_debuglink");
        let name = link.and_then(|section| section.data().ok()).map(|data| {
            let end = data.iter().position(|&byte| byte == 0);
            String::from_utf8_lossy(&data[..end.unwrap_or(data.len())]).into_owned()
        });
        // A path would lead out of the directories where debug files are looked for.
        let is_plain = |name: &String| !name.is_empty() && !name.contains('/');
        Ok(Some(Self {
            build_id: build_id(&elf),
            file_name: name.filter(is_plain),
        }))
    }
}

/// Returns the build id of an ELF file, also of a file that holds debug information only. Reads headers and notes, not the
/// whole file.
pub fn build_id_of<R: Read + Seek>(file: R) -> Result<Option<BuildId>, SymbolError> {
    let cache = ReadCache::new(file);
    let elf = ElfFile64::<object::LittleEndian, _>::parse(&cache)?;
    Ok(elf.build_id()?.and_then(BuildId::new))
}

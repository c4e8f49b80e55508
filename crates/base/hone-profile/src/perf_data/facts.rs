//! Facts about the recording: the feature sections, or the records that replace the sections in a pipe.

use super::bytes::{Bytes, text};
use super::event_table::EventTable;
use super::format::{BUILD_ID_BYTES, RECORD_HEADER_BYTES, feature, misc};
use crate::address::BuildId;
use crate::code_names::CodeMap;
use crate::limits::STRING_BYTES_MAX;
use crate::operands::Operands;
use crate::profile::Meta;
use crate::resources::{CpuQuota, CpuTime, MemoryUse};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Facts from a file, besides its records.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) meta: Meta,
    /// Build ids by path.
    pub(crate) build_ids: FxHashMap<String, BuildId>,
    /// Names of code without a file by process.
    pub(crate) code_names: BTreeMap<i32, CodeMap>,
}

impl Facts {
    /// Returns true if [`Self::add`] reads sections with this number.
    pub(crate) fn has_use_for(number: u32) -> bool {
        matches!(
            number,
            feature::HOSTNAME
                | feature::OSRELEASE
                | feature::ARCH
                | feature::CPUDESC
                | feature::CMDLINE
                | feature::EVENT_DESC
                | feature::BUILD_ID
                | feature::CPU_QUOTA
                | feature::MEMORY
                | feature::CPU_TIME
                | feature::CODE_NAMES
                | feature::OPERANDS
        )
    }

    /// Adds the facts of one feature section; sections of no interest and broken sections change nothing.
    pub(crate) fn add(&mut self, number: u32, content: &[u8], events: &mut EventTable) {
        let mut rest = Bytes(content);
        match number {
            feature::HOSTNAME => set(&mut self.meta.host, &mut rest),
            feature::OSRELEASE => set(&mut self.meta.kernel, &mut rest),
            feature::ARCH => set(&mut self.meta.arch, &mut rest),
            feature::CPUDESC => set(&mut self.meta.cpu, &mut rest),
            feature::CMDLINE => {
                let count = rest.u32().unwrap_or(0);
                self.meta.command = (0..count).map_while(|_| string(&mut rest)).collect();
            }
            feature::EVENT_DESC => {
                name_events(&mut rest, events);
            }
            feature::BUILD_ID => self.add_build_ids(content),
            feature::CPU_QUOTA => {
                let text = string(&mut rest);
                self.meta.cpu_quota = text.and_then(|text| CpuQuota::from_text(&text));
            }
            feature::CPU_TIME => self.meta.cpu_time = CpuTime::from_text(&text(content)),
            feature::OPERANDS => self.meta.operands = Operands::from_text(&text(content)),
            feature::MEMORY => {
                let uses = MemoryUse::list_from_text(&text(content));
                self.meta.memory = uses.unwrap_or_default();
            }
            feature::CODE_NAMES => {
                let maps = CodeMap::list_from_text(&text(content));
                self.code_names = maps.unwrap_or_default();
            }
            _ => {}
        }
    }

    /// Adds the content of the BUILD_ID section: records of their own kind.
    fn add_build_ids(&mut self, mut content: &[u8]) {
        while let Some((header, _)) = content.split_first_chunk::<RECORD_HEADER_BYTES>() {
            let misc = u16::from_le_bytes([header[4], header[5]]);
            let len = usize::from(u16::from_le_bytes([header[6], header[7]]));
            if len < RECORD_HEADER_BYTES || len > content.len() {
                return;
            }
            let (record, rest) = content.split_at(len);
            self.add_build_id(misc, &record[RECORD_HEADER_BYTES..]);
            content = rest;
        }
    }

    /// Adds one build id from a record: process, id, length of the id, path.
    pub(crate) fn add_build_id(&mut self, bits: u16, body: &[u8]) -> Option<()> {
        let mut rest = Bytes(body);
        let _pid = rest.i32()?;
        let id = rest.take(BUILD_ID_BYTES + 4)?;
        let len = match bits & misc::BUILD_ID_SIZE {
            0 => len_without_padding(&id[..BUILD_ID_BYTES]),
            _ => usize::from(id[BUILD_ID_BYTES]).min(BUILD_ID_BYTES),
        };
        let path = text(rest.0);
        if id[..len].iter().any(|&byte| byte != 0) && !path.is_empty() {
            self.build_ids.insert(path, BuildId::new(&id[..len])?);
        }
        Some(())
    }
}

/// Returns the length of a build id whose length is not stated: perf before 5.12 filled ids up to 20 bytes with zeros.
/// lld's ids have 8 bytes, MD5 and UUID ids 16.
fn len_without_padding(id: &[u8]) -> usize {
    let only_padding_from = |&len: &usize| id.iter().skip(len).all(|&byte| byte == 0);
    [8, 16]
        .into_iter()
        .find(only_padding_from)
        .unwrap_or(id.len())
}

fn set(field: &mut String, rest: &mut Bytes<'_>) {
    if let Some(text) = string(rest) {
        *field = text;
    }
}

/// Reads a length, then that many bytes, of which the last bytes are zero.
fn string(rest: &mut Bytes<'_>) -> Option<String> {
    let len = rest.u32()? as usize;
    if len > STRING_BYTES_MAX {
        return None;
    }
    Some(text(rest.take(len)?))
}

/// Reads EVENT_DESC: for each event its attribute, its name and its ids.
fn name_events(rest: &mut Bytes<'_>, events: &mut EventTable) -> Option<()> {
    let count = rest.u32()?;
    let attr_len = rest.u32()?;
    for index in 0..count {
        rest.take(attr_len as usize)?;
        let id_count = rest.u32()?;
        let name = string(rest)?;
        let ids = rest.words(u64::from(id_count))?;
        events.set_name(super::bytes::words(ids), Some(index as usize), name);
    }
    Some(())
}

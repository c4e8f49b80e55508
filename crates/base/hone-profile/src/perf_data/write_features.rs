//! The feature sections at the end of a file: facts about the machine, the events and the binaries.

use super::encode::Record;
use super::format::feature;
use super::writer::{EventDescription, Features};
use crate::code_names::CodeMap;
use crate::resources::MemoryUse;
use std::io;

/// Alignment to which perf pads strings in feature sections.
const STRING_ALIGN: usize = 64;

/// Facts that the writer itself knows and that are not in the caller's [`Features`].
pub(crate) struct Written<'a> {
    pub(crate) events: &'a [EventDescription],
    pub(crate) attr_bytes: usize,
    pub(crate) all_have_branches: bool,
    /// Times of the first and the last sample.
    pub(crate) times: Option<(u64, u64)>,
}

/// Returns the sections by feature number, in the order that the file needs.
pub(crate) fn sections(
    features: &Features,
    written: &Written<'_>,
) -> io::Result<Vec<(u32, Vec<u8>)>> {
    let mut sections = Vec::new();
    if !features.build_ids.is_empty() {
        sections.push((feature::BUILD_ID, build_ids(features)?));
    }
    let texts = [
        (feature::HOSTNAME, &features.host),
        (feature::OSRELEASE, &features.kernel),
        (feature::ARCH, &features.arch),
    ];
    for (number, text) in texts {
        if !text.is_empty() {
            sections.push((number, string(text)));
        }
    }
    if features.cpus_online != 0 {
        // Available, then online; offline CPUs do not matter to a reader.
        sections.push((
            feature::NRCPUS,
            features.cpus_online.to_le_bytes().repeat(2),
        ));
    }
    if !features.cpu.is_empty() {
        sections.push((feature::CPUDESC, string(&features.cpu)));
    }
    if !features.command.is_empty() {
        let mut bytes = (features.command.len() as u32).to_le_bytes().to_vec();
        for argument in &features.command {
            bytes.extend(string(argument));
        }
        sections.push((feature::CMDLINE, bytes));
    }
    sections.push((feature::EVENT_DESC, event_descriptions(written)));
    if written.all_have_branches {
        sections.push((feature::BRANCH_STACK, Vec::new()));
    }
    if let Some((first, last)) = written.times {
        let bytes = [first.to_le_bytes(), last.to_le_bytes()].concat();
        sections.push((feature::SAMPLE_TIME, bytes));
    }
    if let Some(quota) = &features.cpu_quota {
        sections.push((feature::CPU_QUOTA, string(&quota.to_text())));
    }
    if !features.memory.is_empty() {
        let text = MemoryUse::list_to_text(&features.memory);
        sections.push((feature::MEMORY, text.into_bytes()));
    }
    if let Some(time) = &features.cpu_time {
        sections.push((feature::CPU_TIME, time.to_text().into_bytes()));
    }
    if !features.code_names.is_empty() {
        let text = CodeMap::list_to_text(&features.code_names);
        sections.push((feature::CODE_NAMES, text.into_bytes()));
    }
    if let Some(operands) = &features.operands {
        sections.push((feature::OPERANDS, operands.to_text().into_bytes()));
    }
    Ok(sections)
}

fn build_ids(features: &Features) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut record = Record::default();
    for (path, id, kernel) in &features.build_ids {
        bytes.extend_from_slice(record.build_id(path, id, *kernel)?);
    }
    Ok(bytes)
}

fn event_descriptions(written: &Written<'_>) -> Vec<u8> {
    let mut bytes = (written.events.len() as u32).to_le_bytes().to_vec();
    bytes.extend((written.attr_bytes as u32).to_le_bytes());
    for event in written.events {
        bytes.extend_from_slice(&event.attr);
        bytes.extend((event.ids.len() as u32).to_le_bytes());
        bytes.extend(string(&event.name));
        for id in &event.ids {
            bytes.extend(id.to_le_bytes());
        }
    }
    bytes
}

/// Encodes a text: length, text, and at least one zero, up to the alignment.
fn string(text: &str) -> Vec<u8> {
    let len = (text.len() + 1).next_multiple_of(STRING_ALIGN);
    let mut bytes = (len as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(4 + len, 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operands::Operands;
    use crate::resources::CpuTime;

    /// The header tells sections by a bit for each number, so that a second one of a number would shift those behind it.
    #[test]
    fn each_section_stands_once_and_in_the_order_of_the_numbers() {
        let features = Features {
            host: "here".to_owned(),
            cpu_time: Some(CpuTime::default()),
            operands: Some(Operands::default()),
            ..Features::default()
        };
        let written = Written {
            events: &[],
            attr_bytes: 0,
            all_have_branches: false,
            times: None,
        };
        let sections = sections(&features, &written).unwrap();
        let numbers: Vec<u32> = sections.iter().map(|(number, _)| *number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        assert!(numbers.ends_with(&[feature::CPU_TIME, feature::OPERANDS]));
    }
}

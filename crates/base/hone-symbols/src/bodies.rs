//! Functions of a stripped file that only its unwind information describes: by place, without a name.
//!
//! `.eh_frame` stays when symbols are stripped, since C++ exceptions and Rust's panics need it. Each entry of the section
//! (an FDE) covers one function, so a name is made from the address and the size, and from the section unless it is
//! `.text`: linkers keep section names such as `google_malloc`. A view then shows functions instead of one row for the file.
//! Compilers do not know these names, so names are made only if a caller brings a place to keep them.

use crate::binary::Elf;
use gimli::{BaseAddresses, CieOrFde, EhFrame, EndianSlice, UnwindSection};
use object::read::{Object, ObjectSection};
use std::fmt::Write;
use std::ops::Range;
use std::sync::OnceLock;

/// Maximum number of functions of one file.
const BODIES_MAX: usize = 1 << 22;
/// Section that is left out of made names.
const PLAIN_SECTION: &str = ".text";

/// Start of every made name.
const MADE: &str = "[unnamed, ";

/// Returns the section in a made name such as `[unnamed, 32 bytes at 0x28fe2d0]`, empty for `.text`; `None` if the name is not a made name.
pub fn section_of_made_name(name: &str) -> Option<&str> {
    let Some(said) = name.strip_prefix(MADE) else {
        return section_of_former_name(name);
    };
    let (_, place) = said.strip_suffix(']')?.split_once(" bytes at 0x")?;
    Some(place.split_once(" of ").map_or("", |(_, section)| section))
}

/// The same of a name that Hone 0.2 made, `fde_0x28fe2d0(32 bytes)`: a hub's tables keep such names.
fn section_of_former_name(name: &str) -> Option<&str> {
    let (_, size) = name.strip_prefix("fde_0x")?.split_once('(')?;
    let said = size.strip_suffix(')')?;
    Some(
        said.split_once(" bytes of ")
            .map_or("", |(_, section)| section),
    )
}

/// Store for the names that [`Binary::parse_with_bodies`](crate::Binary::parse_with_bodies) makes for one file.
#[derive(Debug, Default)]
pub struct MadeNames(OnceLock<String>);

/// Address range of a function, and the name made for the function.
pub(crate) type Body<'a> = (Range<u64>, &'a str);

impl MadeNames {
    /// Returns all functions that the file's `.eh_frame` describes, sorted; empty if another file's names are kept here.
    pub(crate) fn bodies<'a>(&'a self, elf: &Elf<'a>) -> Vec<Body<'a>> {
        let mut text = String::new();
        let mut places = Vec::new();
        for range in described(elf) {
            let Some(section) = section_at(elf, range.start) else {
                continue;
            };
            // A stub of the PLT has the name of the function that it calls.
            if section.starts_with(".plt") || section == ".iplt" {
                continue;
            }
            let from = text.len();
            let bytes = range.end - range.start;
            // Writing to a text cannot fail.
            let _ = match section {
                PLAIN_SECTION => write!(text, "{MADE}{bytes} bytes at {:#x}]", range.start),
                _ => write!(
                    text,
                    "{MADE}{bytes} bytes at {:#x} of {section}]",
                    range.start
                ),
            };
            places.push((range, from..text.len()));
        }
        let kept = self.0.get_or_init(|| text.clone());
        if *kept != text {
            return Vec::new();
        }
        let places = places.into_iter();
        places.map(|(range, name)| (range, &kept[name])).collect()
    }
}

/// Returns the address ranges of all entries, sorted; as far as the section can be read.
fn described(elf: &Elf<'_>) -> Vec<Range<u64>> {
    let data = |name: &str| {
        let section = elf.section_by_name(name)?;
        Some((section.address(), section.data().ok()?))
    };
    let Some((address, bytes)) = data(".eh_frame") else {
        return Vec::new();
    };
    let mut bases = BaseAddresses::default().set_eh_frame(address);
    for (name, set) in [
        (".text", BaseAddresses::set_text as fn(_, _) -> _),
        (".got", BaseAddresses::set_got),
        (".eh_frame_hdr", BaseAddresses::set_eh_frame_hdr),
    ] {
        if let Some(section) = elf.section_by_name(name) {
            bases = set(bases, section.address());
        }
    }
    let frames = EhFrame::from(EndianSlice::new(bytes, gimli::LittleEndian));
    let mut entries = frames.entries(&bases);
    let mut ranges = Vec::new();
    while let Ok(Some(entry)) = entries.next()
        && ranges.len() < BODIES_MAX
    {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        if let Ok(fde) = partial.parse(EhFrame::cie_from_offset)
            && let Some(end) = fde.initial_address().checked_add(fde.len())
            && fde.len() > 0
        {
            ranges.push(fde.initial_address()..end);
        }
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup_by_key(|range| range.start);
    ranges
}

/// Returns the name of the section of code that holds an address.
fn section_at<'a>(elf: &Elf<'a>, address: u64) -> Option<&'a str> {
    let holds = |start: u64, size: u64| address.checked_sub(start).is_some_and(|at| at < size);
    let mut sections = elf.sections();
    let section = sections.find(|section| {
        section.kind() == object::SectionKind::Text && holds(section.address(), section.size())
    })?;
    let name = section.name_bytes().ok()?;
    std::str::from_utf8(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_name_tells_its_section() {
        for plain in ["[unnamed, 3 bytes at 0x10]", "fde_0x10(3 bytes)"] {
            assert_eq!(section_of_made_name(plain), Some(""), "{plain}");
        }
        for special in [
            "[unnamed, 3 bytes at 0x10 of google_malloc]",
            "fde_0x10(3 bytes of google_malloc)",
        ] {
            assert_eq!(section_of_made_name(special), Some("google_malloc"));
        }
        for other in [
            "main",
            "[libc.so.6]",
            "[unnamed, 3]",
            "fde_0x10",
            "fde_open(int)",
            "f(3 bytes of x)",
        ] {
            assert_eq!(section_of_made_name(other), None, "{other}");
        }
    }
}

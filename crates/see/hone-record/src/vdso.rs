//! The vdso: the kernel's code in every process.

use crate::announcements::VDSO;
use crate::procfs;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Largest size of the vdso in bytes: it has a few pages.
const BYTES_MAX: u64 = 1 << 20;

/// Returns the vdso of the running kernel, an ELF file: read from our own memory, since every process has the same vdso.
pub fn vdso() -> Option<Vec<u8>> {
    let mut mappings = procfs::executable_mappings(std::process::id() as i32).into_iter();
    let mapping = mappings.find(|mapping| mapping.path == VDSO)?;
    let len = mapping.end.checked_sub(mapping.start)?;
    if len > BYTES_MAX {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    let memory = File::open("/proc/self/mem").ok()?;
    memory.read_exact_at(&mut bytes, mapping.start).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_vdso_is_an_elf_file() {
        match super::vdso() {
            Some(bytes) => assert_eq!(&bytes[..4], b"\x7fELF"),
            None => println!("skipped: this kernel gives its processes no vdso"),
        }
    }
}

//! This CPU's cache for instructions, and the text form of caches.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use hone_fdo::layout::CacheShape;

/// Directory in which the kernel describes the caches of the first CPU.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Returns the first-level instruction cache of this CPU, if the kernel describes it.
pub fn own_l1i() -> Option<CacheShape> {
    let read = |index: usize, name: &str| {
        let path = Path::new(CACHES).join(format!("index{index}")).join(name);
        fs::read_to_string(path)
            .ok()
            .map(|text| text.trim().to_owned())
    };
    let is_it = |index: &usize| {
        read(*index, "type").as_deref() == Some("Instruction")
            && read(*index, "level").as_deref() == Some("1")
    };
    let index = (0..8).find(is_it)?;
    let size = read(index, "size")?;
    let ways = read(index, "ways_of_associativity")?;
    let line = read(index, "coherency_line_size")?;
    shape(&format!("{size},{ways},{line}")).ok()
}

/// Parses a cache as `32K,8,64` or `32768,8,64`.
pub fn shape(text: &str) -> Result<CacheShape> {
    let number = |part: &str| {
        let part = part.trim();
        match part.strip_suffix(['K', 'k']) {
            Some(kilo) => kilo.parse::<u64>().ok()?.checked_mul(1024),
            None => part.parse().ok(),
        }
    };
    let parts: Option<Vec<u64>> = text.split(',').map(number).collect();
    let shape = match parts.as_deref() {
        Some(&[bytes, ways, line_bytes]) => CacheShape {
            bytes,
            ways,
            line_bytes,
        },
        _ => {
            return Err(anyhow!(
                "three numbers are needed: size, ways, bytes of a line, as 32K,8,64"
            ));
        }
    };
    sound(shape)
}

/// Parses the number of entries of a TLB for code.
pub fn tlb(text: &str) -> Result<CacheShape> {
    sound(CacheShape::tlb(text.parse()?))
}

fn sound(shape: CacheShape) -> Result<CacheShape> {
    match shape.is_sound() {
        true => Ok(shape),
        false => Err(anyhow!(
            "no such cache can be: lines are powers of two, the size is a whole number of sets"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_are_read_as_people_write_them() {
        let expected = CacheShape {
            bytes: 48 << 10,
            ways: 12,
            line_bytes: 64,
        };
        for text in ["48K,12,64", "49152, 12, 64", "48k,12,64"] {
            assert_eq!(shape(text).unwrap(), expected, "{text}");
        }
        for text in ["48K,12", "48K,12,64,1", "48K,12,63", "K,12,64", ""] {
            assert!(shape(text).is_err(), "{text}");
        }
        assert_eq!(tlb("64").unwrap().ways, 64);
        assert!(tlb("0").is_err());
    }
}

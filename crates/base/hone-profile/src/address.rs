//! Addresses are types, because the same number means different things in different spaces.

use std::fmt;

macro_rules! address {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u64);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:#x})"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:#x}", self.0)
            }
        }

        impl fmt::LowerHex for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(&self.0, f)
            }
        }
    };
}

address! {
    /// Actual virtual memory address: the address of an instruction in a running process.
    Avma
}
address! {
    /// Stated virtual memory address: the address in the ELF file's own view (`p_vaddr`, `st_value`).
    Svma
}
address! {
    /// Byte offset in a file on disk.
    FileOffset
}

/// The GNU build id of a binary: usually 20 bytes (SHA-1), at most 64.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuildId(Vec<u8>);

impl BuildId {
    /// Takes the note's bytes; `None` if there are no bytes or more than 64.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (1..=64)
            .contains(&bytes.len())
            .then(|| Self(bytes.to_vec()))
    }

    /// Reads hexadecimal digits, also with `0x` before them, as some tools write build ids.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        Self::new(&hex::decode(digits).ok()?)
    }

    /// The raw bytes of the note.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BuildId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_ids_are_read_with_0x_and_without() {
        let bare = BuildId::from_hex("0aff");
        assert!(bare.is_some());
        assert_eq!(BuildId::from_hex("0x0aff"), bare);
        assert_eq!(BuildId::from_hex("0x"), None);
        assert_eq!(BuildId::from_hex("gobuildid/x"), None);
    }
}

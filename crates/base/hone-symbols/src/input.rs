//! Reader of the numbers and names in a section.

use crate::error::SymbolError;
use gimli::{EndianSlice, LittleEndian, Reader};

/// A section that is read from its start to its end; errors tell the byte.
pub(crate) struct Input<'d> {
    section: &'static str,
    size: usize,
    rest: EndianSlice<'d, LittleEndian>,
}

impl<'d> Input<'d> {
    pub(crate) fn new(section: &'static str, bytes: &'d [u8]) -> Self {
        Self {
            section,
            size: bytes.len(),
            rest: EndianSlice::new(bytes, LittleEndian),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn fail(&self, problem: &str) -> SymbolError {
        let (section, at) = (self.section, self.size - self.rest.len());
        SymbolError::MalformedElf(format!("section {section}, byte {at}: {problem}"))
    }

    fn or_fail<T>(&self, value: gimli::Result<T>) -> Result<T, SymbolError> {
        value.map_err(|error| self.fail(&error.to_string()))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, SymbolError> {
        let value = self.rest.read_u8();
        self.or_fail(value)
    }

    pub(crate) fn fixed(&mut self) -> Result<u64, SymbolError> {
        let value = self.rest.read_u64();
        self.or_fail(value)
    }

    pub(crate) fn unsigned(&mut self) -> Result<u64, SymbolError> {
        let value = self.rest.read_uleb128();
        self.or_fail(value)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, SymbolError> {
        let value = self.rest.read_sleb128();
        self.or_fail(value)
    }

    pub(crate) fn small(&mut self) -> Result<u32, SymbolError> {
        let value = self.unsigned()?;
        u32::try_from(value).map_err(|_| self.fail("a number above 32 bits"))
    }

    pub(crate) fn name(&mut self) -> Result<&'d str, SymbolError> {
        let length = self.unsigned()?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let bytes = self.rest.split(length);
        let name = std::str::from_utf8(self.or_fail(bytes)?.slice());
        name.map_err(|_| self.fail("a name that is not UTF-8"))
    }
}

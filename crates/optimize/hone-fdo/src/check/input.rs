//! Bytes of one section, read from front to back, with every length checked against the bytes that are there.

use super::CheckError;
use std::borrow::Cow;

/// Maximum length of the name of a function, in bytes; the longest names of templates stay below a tenth of this.
const NAME_BYTES_MAX: usize = 64 * 1024;
/// Maximum number of bytes of the names that one section refers to. A name is written once and referred to by
/// number, so a small file could refer to a long name a million times.
const NAMED_BYTES_MAX: usize = 1 << 30;

/// Strictness of the reader, by the producer of the profile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rigour {
    /// A profile of Hone: everything must be exactly as Hone writes it.
    Own,
    /// A profile of any producer: everything that LLVM's readers accept is accepted.
    Foreign,
}

pub(super) struct Input<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    /// Offset of the bytes in the file, for messages.
    base: usize,
    rigour: Rigour,
    named_bytes: usize,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], base: usize, rigour: Rigour) -> Self {
        Self {
            bytes,
            at: 0,
            base,
            rigour,
            named_bytes: 0,
        }
    }

    pub(super) fn fail(&self, problem: &'static str) -> CheckError {
        CheckError::Binary {
            offset: self.base + self.at,
            problem,
        }
    }

    /// Returns an error if the profile must be exactly as Hone writes it.
    pub(super) fn odd(&self, problem: &'static str) -> Result<(), CheckError> {
        match self.rigour {
            Rigour::Own => Err(self.fail(problem)),
            Rigour::Foreign => Ok(()),
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Returns the bytes that have not been read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn byte(&mut self) -> Result<u8, CheckError> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| self.fail("the section ends too early"))?;
        self.at += 1;
        Ok(byte)
    }

    pub(super) fn fixed(&mut self) -> Result<u64, CheckError> {
        let mut value = 0;
        for shift in (0..64).step_by(8) {
            value |= u64::from(self.byte()?) << shift;
        }
        Ok(value)
    }

    /// Reads a variable-length number: seven bits a byte, the lowest first.
    pub(super) fn number(&mut self) -> Result<u64, CheckError> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            if shift > 63 || (shift == 63 && byte & 0x7f > 1) {
                return Err(self.fail("a number above 64 bits"));
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }

    pub(super) fn small(&mut self) -> Result<u32, CheckError> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.fail("a number above 32 bits"))
    }

    /// Reads a text that ends with a zero byte.
    pub(super) fn text(&mut self) -> Result<String, CheckError> {
        let rest = self.rest();
        let length = rest
            .iter()
            .take(NAME_BYTES_MAX + 1)
            .position(|&byte| byte == 0);
        let length = length.ok_or_else(|| self.fail("a name without an end"))?;
        let text = match String::from_utf8_lossy(&rest[..length]) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(mended) => {
                self.odd("a name that is not UTF-8")?;
                mended
            }
        };
        self.at += length + 1;
        Ok(text)
    }

    /// Reads texts up to the end.
    pub(super) fn texts(&mut self) -> Result<Vec<String>, CheckError> {
        let mut texts = Vec::new();
        while !self.is_at_end() {
            texts.push(self.text()?);
        }
        Ok(texts)
    }

    /// Reads the number of a name, and returns the name from the table.
    pub(super) fn name(&mut self, names: &[String]) -> Result<String, CheckError> {
        let index = usize::try_from(self.number()?).ok();
        let name = index.and_then(|index| names.get(index));
        let name = name.ok_or_else(|| self.fail("a name that is not in the table"))?;
        self.named_bytes = self.named_bytes.saturating_add(name.len());
        if self.named_bytes > NAMED_BYTES_MAX {
            return Err(self.fail("names of more than a gigabyte"));
        }
        Ok(name.clone())
    }
}

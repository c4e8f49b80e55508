//! Reader that takes numbers off the front of a slice; `None` if the slice is too short.

/// Rest of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    /// Takes `count` words of eight bytes.
    pub(crate) fn words(&mut self, count: u64) -> Option<&'a [u8]> {
        self.take(usize::try_from(count).ok()?.checked_mul(8)?)
    }

    /// Takes a count of words, then the words; returns the words.
    pub(crate) fn counted_words(&mut self) -> Option<&'a [u8]> {
        let count = self.u64()?;
        self.words(count)
    }

    /// Takes a length in bytes, then the bytes; returns the bytes.
    pub(crate) fn sized(&mut self) -> Option<&'a [u8]> {
        let len = self.u64()?;
        self.take(usize::try_from(len).ok()?)
    }

    /// Returns the rest as words; an incomplete last word is left out.
    pub(crate) fn rest_as_words(self) -> impl Iterator<Item = u64> + use<'a> {
        words(self.0)
    }
}

/// Returns the words of eight bytes in a slice, one by one.
pub(crate) fn words(bytes: &[u8]) -> impl DoubleEndedIterator<Item = u64> + use<'_> {
    let (chunks, _) = bytes.as_chunks::<8>();
    chunks.iter().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Returns the text up to the first zero byte; bytes that are not UTF-8 are replaced.
pub(crate) fn text(bytes: &[u8]) -> String {
    let len = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..len]).into_owned()
}

//! The bytes of a binary, in one file, in two, or in many.

use crate::split_files::SplitFiles;

/// A binary and, where its symbols and debug information were split off
/// (`objcopy --only-keep-debug`, a distribution's `-dbg` package, debuginfod), the file that has them.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// The bytes of the binary.
    pub binary: &'a [u8],
    /// The bytes of the debug file.
    pub debug: Option<&'a [u8]>,
    /// Source of the files in which a build with `-gsplit-dwarf` keeps its debug information.
    pub split: Option<&'a dyn SplitFiles>,
}

impl<'a> From<&'a [u8]> for Image<'a> {
    fn from(binary: &'a [u8]) -> Self {
        Self {
            binary,
            debug: None,
            split: None,
        }
    }
}

impl<'a> From<&'a Vec<u8>> for Image<'a> {
    fn from(binary: &'a Vec<u8>) -> Self {
        Self::from(binary.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Image<'a> {
    fn from(binary: &'a [u8; N]) -> Self {
        Self::from(binary.as_slice())
    }
}

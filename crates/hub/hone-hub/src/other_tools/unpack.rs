//! gzip within a limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::Refusal;
use super::limits::UNPACKED_BYTES_MAX;

/// First bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Unpacks what may be packed.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Refusal> {
    let too_large = || {
        Refusal::TooLarge(format!(
            "unpacked it has more than {UNPACKED_BYTES_MAX} bytes"
        ))
    };
    if !bytes.starts_with(&GZIP) {
        return match bytes.len() > UNPACKED_BYTES_MAX {
            true => Err(too_large()),
            false => Ok(bytes.into()),
        };
    }
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(UNPACKED_BYTES_MAX as u64 + 1)
        .read_to_end(&mut whole)
        .map_err(|error| Refusal::Bad(format!("its gzip stream cannot be unpacked: {error}")))?;
    match whole.len() > UNPACKED_BYTES_MAX {
        true => Err(too_large()),
        false => Ok(whole.into()),
    }
}

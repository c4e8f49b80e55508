//! Frames on a connection: writing, reading with limits, and answering.

use super::super::msgpack::Malformed;
use crate::compress::{Compression, Decompressed, decompress};
use std::io::{self, Read};

const FRAME: [u8; 4] = *b"HNRL";
const ANSWER: [u8; 4] = *b"HNAK";
const VERSION: u8 = 1;
/// Bytes before the body.
pub const HEADER_BYTES: usize = 16;
/// Bytes of an answer.
pub const ANSWER_BYTES: usize = 12;

/// Limit on bytes of a frame's body on the wire.
pub const PACKED_BYTES_MAX: usize = 16 << 20;
/// Limit on bytes of an unpacked body, which a hostile body cannot exceed.
pub const BODY_BYTES_MAX: usize = 32 << 20;

/// Answer of the receiver about a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The receiver has taken the frame.
    Taken = 0,
    /// The receiver is busy; the frame shall come again.
    Busy = 1,
    /// The frame will never be taken.
    Refused = 2,
}

/// Reasons why a frame is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// The bytes are no frame, or a frame of another version.
    #[error("this is not a frame of version {VERSION} of hone-agent's relay")]
    Foreign,
    /// The frame claims or unpacks to more bytes than allowed.
    #[error("a frame of more than {0} bytes")]
    TooLong(usize),
    /// Bytes were changed on the way.
    #[error("the frame's checksum does not fit")]
    Checksum,
    /// The body cannot be unpacked.
    #[error("the frame's body cannot be unpacked")]
    Packing,
    /// The content of the body is malformed.
    #[error("the frame's body is malformed: {0}")]
    Body(#[from] Malformed),
}

/// Returns a frame: the header, and the body, which is already packed as `packing` says. `None` if `packing` has no
/// number in the header (only none, snappy and zstd have one), or if the body has 4 GiB.
pub fn framed(body: &[u8], packing: Compression) -> Option<Vec<u8>> {
    let packing = match packing {
        Compression::None => 0,
        Compression::Snappy => 1,
        Compression::Zstd(_) => 2,
        Compression::Gzip(_) | Compression::Zlib(_) => return None,
    };
    let length = u32::try_from(body.len()).ok()?;
    let mut frame = Vec::with_capacity(HEADER_BYTES + body.len());
    frame.extend_from_slice(&FRAME);
    frame.extend_from_slice(&[VERSION, packing, 0, 0]);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
    frame.extend_from_slice(body);
    Some(frame)
}

/// Returns the length of the body that follows a header.
///
/// # Errors
/// If the bytes are no header, or claim more than [`PACKED_BYTES_MAX`].
pub fn length(header: &[u8; HEADER_BYTES]) -> Result<usize, FrameError> {
    packing(header)?;
    match word(header, 8) as usize {
        length @ 0..=PACKED_BYTES_MAX => Ok(length),
        _ => Err(FrameError::TooLong(PACKED_BYTES_MAX)),
    }
}

fn packing(header: &[u8]) -> Result<Compression, FrameError> {
    if header[..4] != FRAME || header[4] != VERSION {
        return Err(FrameError::Foreign);
    }
    match header[5] {
        0 => Ok(Compression::None),
        1 => Ok(Compression::Snappy),
        2 => Ok(Compression::Zstd(0)),
        _ => Err(FrameError::Foreign),
    }
}

/// Returns the body of a whole frame, unpacked.
///
/// # Errors
/// If the bytes are no frame, were changed, cannot be unpacked, or unpack to more than [`BODY_BYTES_MAX`].
pub fn body(frame: &[u8]) -> Result<Vec<u8>, FrameError> {
    let (header, packed) = frame
        .split_at_checked(HEADER_BYTES)
        .ok_or(FrameError::Foreign)?;
    let packing = packing(header)?;
    if word(header, 8) as usize != packed.len() || crc32fast::hash(packed) != word(header, 12) {
        return Err(FrameError::Checksum);
    }
    match decompress(packing, packed, BODY_BYTES_MAX) {
        Decompressed::Whole(body) => Ok(body),
        Decompressed::TooLong => Err(FrameError::TooLong(BODY_BYTES_MAX)),
        Decompressed::Damaged => Err(FrameError::Packing),
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Returns the answer to a whole frame, which tells the sender the frame's status.
pub fn answer(frame: &[u8], status: Status) -> [u8; ANSWER_BYTES] {
    let mut bytes = [0; ANSWER_BYTES];
    bytes[..4].copy_from_slice(&ANSWER);
    bytes[4] = VERSION;
    bytes[5] = status as u8;
    if let Some(checksum) = frame.get(12..HEADER_BYTES) {
        bytes[8..].copy_from_slice(checksum);
    }
    bytes
}

/// Reads the receiver's answer to the frame that was sent last.
///
/// # Errors
/// If the connection fails, or the answer is for another frame.
pub(crate) fn read_answer(from: &mut impl Read, frame: &[u8]) -> io::Result<Status> {
    let mut bytes = [0; ANSWER_BYTES];
    from.read_exact(&mut bytes)?;
    let fits = bytes[..4] == ANSWER && bytes[4] == VERSION && bytes[8..] == frame[12..HEADER_BYTES];
    match bytes[5] {
        0 if fits => Ok(Status::Taken),
        1 if fits => Ok(Status::Busy),
        2 if fits => Ok(Status::Refused),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the answer is not one for this frame",
        )),
    }
}

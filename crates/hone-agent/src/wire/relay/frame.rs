//! Frames on a connection: written, read with limits, answered.

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

/// The longest body of a frame on the wire.
pub const PACKED_BYTES_MAX: usize = 16 << 20;
/// The longest body unpacked: what a hostile body may make of its packed bytes.
pub const BODY_BYTES_MAX: usize = 32 << 20;

/// What the receiver says of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is the receiver's now.
    Taken = 0,
    /// Not now; it shall come again.
    Busy = 1,
    /// It will never be taken.
    Refused = 2,
}

/// Why a frame is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// What came is no frame, or one of another version.
    #[error("this is not a frame of version {VERSION} of hone-agent's relay")]
    Foreign,
    /// It claims or unpacks to more than is allowed.
    #[error("a frame of more than {0} bytes")]
    TooLong(usize),
    /// Bytes were changed on the way.
    #[error("the frame's checksum does not fit")]
    Checksum,
    /// The body cannot be unpacked.
    #[error("the frame's body cannot be unpacked")]
    Packing,
    /// The body is not what it should be.
    #[error("the frame's body is malformed: {0}")]
    Body(#[from] Malformed),
}

/// A body, packed as told, with its header: what is sent. `None` if the packing has no number here (only none,
/// snappy and zstd have), or the body has 4 GiB.
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

/// How long the body is that follows a header.
///
/// # Errors
/// If it is no header, or claims more than [`PACKED_BYTES_MAX`].
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

/// The body of a whole frame, unpacked.
///
/// # Errors
/// If it is no frame, was changed, or unpacks to nothing or to more than [`BODY_BYTES_MAX`].
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

/// What tells the sender of a whole frame what became of it.
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

/// What the receiver says of the frame that was sent last.
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

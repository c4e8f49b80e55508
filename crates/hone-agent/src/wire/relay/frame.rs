//! Frames on a connection: written, read with limits, answered.

use super::super::msgpack::Malformed;
use super::Origin;
use crate::aggregate::Interval;
use crate::compress::{Compression, Decompressed, decompress};
use std::io::{self, Read, Write};

const FRAME: [u8; 4] = *b"HNRL";
const ANSWER: [u8; 4] = *b"HNAK";
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 16;
const ANSWER_BYTES: usize = 12;

/// The longest body of a frame on the wire.
pub const PACKED_BYTES_MAX: usize = 16 << 20;
/// The longest body unpacked: what a hostile body may make of its packed bytes.
pub const BODY_BYTES_MAX: usize = 64 << 20;

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

/// Why no frame could be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The connection failed or ended within a frame.
    #[error("the connection broke: {0}")]
    Connection(#[from] io::Error),
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

/// A frame as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Which part of which agent's.
    pub origin: Origin,
    /// What it holds.
    pub interval: Interval,
    /// Its checksum, which the answer repeats.
    pub checksum: u32,
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

/// The next frame of a connection; `None` where it ends between two.
///
/// The buffer grows as bytes come, so a claimed length costs nothing.
///
/// # Errors
/// If the connection fails, or what comes is no frame that may be taken. After [`FrameError::Body`] and the two
/// before it the connection can go on, since the frame was read whole; after the others it cannot.
pub fn read(from: &mut impl Read) -> Result<Option<Frame>, FrameError> {
    let mut header = [0; HEADER_BYTES];
    let first = read_some(from, &mut header)?;
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(&mut header[first..])?;
    if header[..4] != FRAME || header[4] != VERSION {
        return Err(FrameError::Foreign);
    }
    let packing = match header[5] {
        0 => Compression::None,
        1 => Compression::Snappy,
        2 => Compression::Zstd(0),
        _ => return Err(FrameError::Foreign),
    };
    let length = word(&header, 8) as usize;
    let checksum = word(&header, 12);
    if length > PACKED_BYTES_MAX {
        return Err(FrameError::TooLong(PACKED_BYTES_MAX));
    }
    let mut packed = Vec::new();
    from.take(length as u64).read_to_end(&mut packed)?;
    if packed.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    if crc32fast::hash(&packed) != checksum {
        return Err(FrameError::Checksum);
    }
    let body = match decompress(packing, &packed, BODY_BYTES_MAX) {
        Decompressed::Whole(body) => body,
        Decompressed::TooLong => return Err(FrameError::TooLong(BODY_BYTES_MAX)),
        Decompressed::Damaged => return Err(FrameError::Packing),
    };
    let (origin, interval) = super::decode(&body)?;
    Ok(Some(Frame {
        origin,
        interval,
        checksum,
    }))
}

fn read_some(from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Tells the sender what became of the frame with this checksum.
///
/// # Errors
/// If the connection fails.
pub fn answer(to: &mut impl Write, checksum: u32, status: Status) -> io::Result<()> {
    let mut bytes = [0; ANSWER_BYTES];
    bytes[..4].copy_from_slice(&ANSWER);
    bytes[4] = VERSION;
    bytes[5] = status as u8;
    bytes[8..].copy_from_slice(&checksum.to_le_bytes());
    to.write_all(&bytes)?;
    to.flush()
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

//! Data of a connection: frames or lines, as configured or as detected from its first four bytes.
//!
//! A frame begins with its length, whose last byte is the highest: this byte is 0 in every frame shorter than 16 MiB. No
//! line contains a zero byte, and four bytes of text read as a length of at least 144 MiB. A listener that has to detect
//! frames and lines does not accept frames of that length ([`TEXT_LENGTH_MIN`]).

use super::Protocol;
use super::frames::{Frames, Framing, Unfit};
use super::lines::Lines;
use super::listen::{self, Listen};

/// Shortest frame length that could be mistaken for text: its last byte is a tab.
pub(super) const TEXT_LENGTH_MIN: usize = 0x0900_0000;

/// Parser of the data of a connection (see the module).
#[derive(Debug)]
pub(super) enum Incoming {
    Frames(Frames),
    Lines(Lines),
    /// Kind not yet known: fewer than four bytes have arrived.
    Unknown {
        begun: Vec<u8>,
        bytes_max: usize,
    },
}

/// A complete part of the data.
pub(super) enum Came<'a> {
    /// A packet.
    Packet(&'a [u8]),
    /// Lines of StatsD.
    Lines(&'a [u8]),
    /// A frame of another agent, with its header.
    Relayed(&'a [u8]),
}

impl Incoming {
    /// A parser for a new connection.
    pub(super) fn of(listen: &Listen) -> Self {
        let bytes_max = listen.packet_bytes_max;
        match (listen.protocol, listen.framing) {
            (Protocol::Relay, _) => Self::Frames(Frames::new(Framing::Relay, bytes_max)),
            (Protocol::Sdk, _) | (_, listen::Framing::Length) => {
                Self::Frames(Frames::new(Framing::Length, bytes_max))
            }
            (_, listen::Framing::Lines) => Self::Lines(Lines::new(bytes_max)),
            (_, listen::Framing::Auto) => Self::Unknown {
                begun: Vec::new(),
                bytes_max,
            },
        }
    }

    /// Returns the bytes of memory kept for the unfinished part.
    pub(super) fn kept_bytes(&self) -> usize {
        match self {
            Self::Frames(frames) => frames.kept_bytes(),
            Self::Lines(lines) => lines.kept_bytes(),
            Self::Unknown { begun, .. } => begun.capacity(),
        }
    }

    /// Returns true if the last frame or line is incomplete.
    pub(super) fn has_begun(&self) -> bool {
        match self {
            Self::Frames(frames) => frames.has_begun(),
            Self::Lines(lines) => lines.has_begun(),
            Self::Unknown { begun, .. } => !begun.is_empty(),
        }
    }

    /// Takes arrived bytes and hands on the frames and lines that they complete. Returns the number of lines that were too long.
    pub(super) fn take(
        &mut self,
        arrived: &[u8],
        each: &mut impl FnMut(Came<'_>),
    ) -> Result<u64, Unfit> {
        match self {
            Self::Frames(frames) => {
                let is_relayed = frames.framing() == Framing::Relay;
                let mut each = |frame: &[u8]| match is_relayed {
                    true => each(Came::Relayed(frame)),
                    false => each(Came::Packet(frame)),
                };
                frames.take(arrived, &mut each).map(|()| 0)
            }
            Self::Lines(lines) => Ok(lines.take(arrived, &mut |lines| each(Came::Lines(lines)))),
            Self::Unknown { begun, bytes_max } => {
                begun.extend_from_slice(arrived);
                let Some(first) = begun.first_chunk().copied() else {
                    return Ok(0);
                };
                let begins = std::mem::take(begun);
                *self = told(first, *bytes_max);
                self.take(&begins, each)
            }
        }
    }

    /// Hands on a last line that ends with its stream.
    pub(super) fn finish(&mut self, each: &mut impl FnMut(Came<'_>)) {
        match self {
            Self::Lines(lines) => lines.finish(&mut |line| each(Came::Lines(line))),
            Self::Unknown { begun, .. } if is_text(begun) && !begun.is_empty() => {
                each(Came::Lines(begun));
                begun.clear();
            }
            Self::Frames(_) | Self::Unknown { .. } => {}
        }
    }
}

/// Detects frames or lines from the first four bytes.
fn told(first: [u8; 4], bytes_max: usize) -> Incoming {
    let length = u32::from_le_bytes(first) as usize;
    match length > bytes_max && is_text(&first) {
        true => Incoming::Lines(Lines::new(bytes_max)),
        false => Incoming::Frames(Frames::new(Framing::Length, bytes_max)),
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    bytes.iter().all(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receive::Address;

    /// Parses a stream that is cut into pieces of `piece` bytes.
    fn came(stream: &[u8], piece: usize) -> (Vec<String>, Result<u64, Unfit>) {
        let address = Address::Tcp("127.0.0.1:0".parse().unwrap());
        let mut incoming = Incoming::of(&Listen::new("tcp", address, Protocol::Statsd));
        let mut came = Vec::new();
        let mut each = |what: Came<'_>| {
            let (kind, bytes) = match what {
                Came::Packet(bytes) => ("packet", bytes),
                Came::Lines(bytes) => ("lines", bytes),
                Came::Relayed(bytes) => ("relayed", bytes),
            };
            came.push(format!("{kind} {}", bytes.escape_ascii()));
        };
        let mut too_long = 0;
        for arrived in stream.chunks(piece) {
            match incoming.take(arrived, &mut each) {
                Ok(lines) => too_long += lines,
                unfit => return (came, unfit),
            }
        }
        incoming.finish(&mut each);
        (came, Ok(too_long))
    }

    #[test]
    fn the_first_bytes_tell_frames_from_lines_however_they_come() {
        let frame = b"\x05\0\0\0a:1|c\x05\0\0\0b:1|c";
        for piece in 1..=frame.len() {
            let (came, _) = came(frame, piece);
            assert_eq!(came, ["packet a:1|c", "packet b:1|c"], "{piece}");
        }
        for piece in 1..5 {
            assert_eq!(
                came(b"a:1|c\nb:1|c", piece).0.join(""),
                "lines a:1|c\\nlines b:1|c"
            );
        }
        // Too short to detect, and still handed on, so that it is counted.
        assert_eq!(came(b"a:1", 1).0, ["lines a:1"]);
        assert_eq!(
            came(b"\n\n\ta:1|c\r\n", 100).0,
            ["lines \\n\\n\\ta:1|c\\r\\n"]
        );
        assert_eq!(came(b"\x05\0\0", 1), (vec![], Ok(0)));
    }

    #[test]
    fn a_frame_that_is_too_long_is_no_text() {
        let long = 8193_u32.to_le_bytes();
        assert_eq!(came(&long, 4), (vec![], Err(Unfit::TooLong)));
        assert_eq!(
            came(&[0xff, 0xff, 0xff, 0], 4),
            (vec![], Err(Unfit::TooLong))
        );
    }

    #[test]
    fn the_shortest_length_that_is_text_is_known() {
        let text = (0..=u8::MAX).filter(|byte| is_text(&[*byte]));
        assert_eq!(TEXT_LENGTH_MIN, usize::from(text.min().unwrap()) << 24);
    }
}

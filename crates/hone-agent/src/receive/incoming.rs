//! What a connection brings: frames or lines, as it is configured or as its first four bytes tell.
//!
//! A frame begins with its length, of which the last byte is the highest: it is 0 in every frame shorter than 16 MiB. No line
//! has such a byte, so four bytes of text are a length of at least 150 MiB, which no listener takes that is to tell
//! ([`TEXT_LENGTH_MIN`]).

use super::Protocol;
use super::frames::{Frames, Framing, Unfit};
use super::lines::Lines;
use super::listen::{self, Listen};

/// The shortest frame whose length could be taken for text: it ends with a tabulator.
pub(super) const TEXT_LENGTH_MIN: usize = 0x0900_0000;

/// See the module.
#[derive(Debug)]
pub(super) enum Incoming {
    Frames(Frames),
    Lines(Lines),
    /// Fewer than four bytes have come.
    Unknown {
        begun: Vec<u8>,
        bytes_max: usize,
    },
}

/// What was made whole.
pub(super) enum Came<'a> {
    /// A packet.
    Packet(&'a [u8]),
    /// Lines of StatsD.
    Lines(&'a [u8]),
    /// A frame of another agent, with its header.
    Relayed(&'a [u8]),
}

impl Incoming {
    /// Of a connection that begins.
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

    /// Bytes that are kept of what has begun.
    pub(super) fn kept_bytes(&self) -> usize {
        match self {
            Self::Frames(frames) => frames.kept_bytes(),
            Self::Lines(lines) => lines.kept_bytes(),
            Self::Unknown { begun, .. } => begun.capacity(),
        }
    }

    /// Whether the last frame or line is not whole.
    pub(super) fn has_begun(&self) -> bool {
        match self {
            Self::Frames(frames) => frames.has_begun(),
            Self::Lines(lines) => lines.has_begun(),
            Self::Unknown { begun, .. } => !begun.is_empty(),
        }
    }

    /// Takes what has arrived and hands on what it makes whole. Gives how many lines were too long.
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

    /// Hands on a line that ends with its stream.
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

/// What the first four bytes tell.
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

    /// What comes of a stream that is cut into pieces of this length.
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
        // Too short to tell, and still said to whoever counts it.
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

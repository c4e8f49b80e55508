//! Packets in a stream of bytes. Each packet follows its length (four bytes, the lowest first, as in DogStatsD) or a header
//! (as in frames of other agents).
//!
//! No memory is allocated from a claimed length: an incomplete frame is kept only as far as it has arrived.

use crate::wire::relay::frame::{self, FrameError, HEADER_BYTES};

/// Bytes of a frame's length.
const LENGTH_BYTES: usize = 4;

/// Kind of the data before each packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    /// The length of the packet. Only the packet is handed on.
    Length,
    /// The header of another agent's frame, which is handed on with the packet.
    Relay,
}

/// Reasons to close a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfit {
    /// A frame whose claimed length is above the limit.
    TooLong,
    /// Data that is not a frame.
    Foreign,
}

/// The frames of one connection.
#[derive(Debug)]
pub(super) struct Frames {
    framing: Framing,
    /// Bytes of the unfinished frame, from its length or header on.
    begun: Vec<u8>,
    bytes_max: usize,
}

impl Frames {
    /// A stream without an unfinished frame, in which no frame may be longer than `bytes_max`.
    pub(super) fn new(framing: Framing, bytes_max: usize) -> Self {
        Self {
            framing,
            begun: Vec::new(),
            bytes_max,
        }
    }

    /// Returns the kind of the data before each packet.
    pub(super) fn framing(&self) -> Framing {
        self.framing
    }

    /// Returns the bytes of memory kept for an unfinished frame.
    pub(super) fn kept_bytes(&self) -> usize {
        self.begun.capacity()
    }

    /// Returns true if the last frame is incomplete.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Takes arrived bytes and hands on every frame that they complete. Empty packets after a length are skipped.
    pub(super) fn take(
        &mut self,
        mut arrived: &[u8],
        each: &mut impl FnMut(&[u8]),
    ) -> Result<(), Unfit> {
        while self.has_begun() && !arrived.is_empty() {
            let missing = self.missing(&self.begun)?;
            let (now, later) = arrived.split_at(missing.min(arrived.len()));
            self.begun.extend_from_slice(now);
            arrived = later;
            self.hand_on_if_whole(each)?;
        }
        while !arrived.is_empty() {
            let missing = self.missing(arrived)?;
            if missing > 0 {
                self.begun.extend_from_slice(arrived);
                return Ok(());
            }
            let end = self.framing.end(arrived)?;
            self.framing.hand_on(&arrived[..end], each);
            arrived = &arrived[end..];
        }
        Ok(())
    }

    fn hand_on_if_whole(&mut self, each: &mut impl FnMut(&[u8])) -> Result<(), Unfit> {
        if self.missing(&self.begun)? > 0 {
            return Ok(());
        }
        self.framing.hand_on(&self.begun, each);
        self.begun.clear();
        // One long frame does not keep its memory.
        self.begun.shrink_to(self.bytes_max.min(SHRINK_BYTES));
        Ok(())
    }

    /// Returns the number of bytes missing from a frame, or from its head as long as the head is incomplete.
    fn missing(&self, frame: &[u8]) -> Result<usize, Unfit> {
        let head = self.framing.head_bytes();
        if frame.len() < head {
            return Ok(head - frame.len());
        }
        let end = self.framing.end(frame)?;
        if end - head > self.bytes_max {
            return Err(Unfit::TooLong);
        }
        Ok(end.saturating_sub(frame.len()))
    }
}

/// Limit on the memory that a connection keeps between two frames or lines.
pub(super) const SHRINK_BYTES: usize = 64 * 1024;

impl Framing {
    fn head_bytes(self) -> usize {
        match self {
            Self::Length => LENGTH_BYTES,
            Self::Relay => HEADER_BYTES,
        }
    }

    /// Returns the end of a frame whose head is complete.
    fn end(self, frame: &[u8]) -> Result<usize, Unfit> {
        match self {
            Self::Length => {
                let length = frame
                    .first_chunk()
                    .map_or(0, |length| u32::from_le_bytes(*length));
                Ok(LENGTH_BYTES + length as usize)
            }
            Self::Relay => {
                let header = frame.first_chunk().ok_or(Unfit::Foreign)?;
                match frame::length(header) {
                    Ok(length) => Ok(HEADER_BYTES + length),
                    Err(FrameError::TooLong(_)) => Err(Unfit::TooLong),
                    Err(_) => Err(Unfit::Foreign),
                }
            }
        }
    }

    fn hand_on(self, frame: &[u8], each: &mut impl FnMut(&[u8])) {
        match self {
            Self::Length if frame.len() > LENGTH_BYTES => each(&frame[LENGTH_BYTES..]),
            Self::Length => {}
            Self::Relay => each(frame),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::Compression;
    use proptest::prelude::*;

    fn framed(packets: &[Vec<u8>]) -> Vec<u8> {
        let mut stream = Vec::new();
        for packet in packets {
            stream.extend((packet.len() as u32).to_le_bytes());
            stream.extend(packet);
        }
        stream
    }

    proptest! {
        #[test]
        fn frames_come_out_whole_however_they_were_cut(
            packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
            cuts in prop::collection::vec(1_usize..30, 1..40),
        ) {
            let stream = framed(&packets);
            let mut frames = Frames::new(Framing::Length, 39);
            let mut got = Vec::new();
            let mut rest = stream.as_slice();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (now, later) = rest.split_at(*cut.min(&rest.len()));
                frames.take(now, &mut |frame| got.push(frame.to_vec())).unwrap();
                rest = later;
            }
            let sent: Vec<_> = packets.into_iter().filter(|packet| !packet.is_empty()).collect();
            prop_assert_eq!(got, sent);
            prop_assert!(!frames.has_begun());
        }
    }

    #[test]
    fn a_frame_longer_than_may_be_is_refused_as_soon_as_its_length_is_known() {
        let mut frames = Frames::new(Framing::Length, 10);
        frames
            .take(&[11, 0, 0], &mut |_| panic!("no frame"))
            .unwrap();
        assert_eq!(
            frames.take(&[0], &mut |_| panic!("no frame")),
            Err(Unfit::TooLong)
        );
        let mut frames = Frames::new(Framing::Length, 10);
        assert_eq!(
            frames.take(&[0xff; 4], &mut |_| panic!("no frame")),
            Err(Unfit::TooLong)
        );
    }

    #[test]
    fn no_memory_is_taken_for_what_has_not_come() {
        let mut frames = Frames::new(Framing::Length, 1 << 30);
        frames.take(&[0, 0, 0, 0x30, b'x'], &mut |_| {}).unwrap();
        assert!(frames.has_begun());
        assert!(frames.begun.capacity() < 1024);
    }

    #[test]
    fn frames_of_other_agents_come_with_their_header_and_others_are_told() {
        let sent = frame::framed(b"body", Compression::None).unwrap();
        let mut frames = Frames::new(Framing::Relay, 100);
        let mut got = Vec::new();
        for byte in sent.iter().chain(&sent) {
            let mut each = |frame: &[u8]| got.push(frame.to_vec());
            frames.take(&[*byte], &mut each).unwrap();
        }
        assert_eq!(got, [sent.clone(), sent.clone()]);
        let mut none = |_: &[u8]| panic!("no frame");
        let mut small = Frames::new(Framing::Relay, 3);
        assert_eq!(small.take(&sent, &mut none), Err(Unfit::TooLong));
        let http = b"GET / HTTP/1.1\r\n";
        assert_eq!(frames.take(http, &mut none), Err(Unfit::Foreign));
    }
}

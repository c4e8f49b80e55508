//! Packets in a stream of bytes: each has its length before it, as four bytes with the lowest first, as DogStatsD does.
//!
//! Nothing is allocated from a length that is claimed: a frame that came in pieces is kept as far as it has come.

/// Bytes of a frame's length.
const LENGTH_BYTES: usize = 4;

/// A frame claims to be longer than a frame may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLong;

/// The frames of one connection.
#[derive(Debug)]
pub(super) struct Frames {
    /// A frame that has begun, with its length.
    begun: Vec<u8>,
    bytes_max: usize,
}

impl Frames {
    /// No frame has begun, and none may be longer than this.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            begun: Vec::new(),
            bytes_max,
        }
    }

    /// Whether the last frame is not whole.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Takes what has arrived and hands on every frame that it makes whole. Frames without bytes are none.
    pub(super) fn take(
        &mut self,
        mut arrived: &[u8],
        each: &mut impl FnMut(&[u8]),
    ) -> Result<(), TooLong> {
        while self.has_begun() && !arrived.is_empty() {
            let missing = missing(&self.begun, self.bytes_max)?;
            let (now, later) = arrived.split_at(missing.min(arrived.len()));
            self.begun.extend_from_slice(now);
            arrived = later;
            self.hand_on_if_whole(each)?;
        }
        while !arrived.is_empty() {
            let missing = missing(arrived, self.bytes_max)?;
            if missing > 0 {
                self.begun.extend_from_slice(arrived);
                return Ok(());
            }
            let end = LENGTH_BYTES + length(arrived);
            if end > LENGTH_BYTES {
                each(&arrived[LENGTH_BYTES..end]);
            }
            arrived = &arrived[end..];
        }
        Ok(())
    }

    fn hand_on_if_whole(&mut self, each: &mut impl FnMut(&[u8])) -> Result<(), TooLong> {
        if missing(&self.begun, self.bytes_max)? > 0 {
            return Ok(());
        }
        if self.begun.len() > LENGTH_BYTES {
            each(&self.begun[LENGTH_BYTES..]);
        }
        self.begun.clear();
        Ok(())
    }
}

/// How many bytes are missing until a frame is whole: of its length, as long as that is not.
fn missing(frame: &[u8], bytes_max: usize) -> Result<usize, TooLong> {
    if frame.len() < LENGTH_BYTES {
        return Ok(LENGTH_BYTES - frame.len());
    }
    let length = length(frame);
    if length > bytes_max {
        return Err(TooLong);
    }
    Ok((LENGTH_BYTES + length).saturating_sub(frame.len()))
}

/// What a frame says its length is. There are bytes for it.
fn length(frame: &[u8]) -> usize {
    u32::from_le_bytes([frame[0], frame[1], frame[2], frame[3]]) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let mut frames = Frames::new(39);
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
        let mut frames = Frames::new(10);
        frames
            .take(&[11, 0, 0], &mut |_| panic!("no frame"))
            .unwrap();
        assert_eq!(frames.take(&[0], &mut |_| panic!("no frame")), Err(TooLong));
        let mut frames = Frames::new(10);
        assert_eq!(
            frames.take(&[0xff; 4], &mut |_| panic!("no frame")),
            Err(TooLong)
        );
    }

    #[test]
    fn no_memory_is_taken_for_what_has_not_come() {
        let mut frames = Frames::new(1 << 30);
        frames.take(&[0, 0, 0, 0x30, b'x'], &mut |_| {}).unwrap();
        assert!(frames.has_begun());
        assert!(frames.begun.capacity() < 1024);
    }
}

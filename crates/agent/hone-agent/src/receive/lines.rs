//! Lines in a stream of bytes, as clients of StatsD send them over TCP: each line ends with a newline; the last line may
//! end with the stream instead.
//!
//! Complete lines are handed on many at a time, as they would come in a datagram. A line longer than the limit on packets
//! is dropped and counted; the lines after it are read as usual.

use super::frames::SHRINK_BYTES;
use memchr::{memchr, memrchr};

/// The lines of one connection.
#[derive(Debug)]
pub(super) struct Lines {
    /// Bytes of the unfinished line.
    begun: Vec<u8>,
    /// Longest line, and most bytes of lines that are handed on at once, without the last newline.
    bytes_max: usize,
    /// True while the rest of a too long line is skipped. That line was already counted.
    is_passing_over: bool,
}

impl Lines {
    /// A stream without an unfinished line, in which no line may be longer than `bytes_max`.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            begun: Vec::new(),
            bytes_max,
            is_passing_over: false,
        }
    }

    /// Returns the bytes of memory kept for an unfinished line.
    pub(super) fn kept_bytes(&self) -> usize {
        self.begun.capacity()
    }

    /// Returns true if the last line is incomplete.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Takes arrived bytes and hands on the lines that they complete. Returns the number of lines that were too long.
    pub(super) fn take(&mut self, arrived: &[u8], each: &mut impl FnMut(&[u8])) -> u64 {
        if !self.has_begun() && !self.is_passing_over {
            return self.take_from_a_start(arrived, each);
        }
        let end = memchr(b'\n', arrived).map(|newline| newline + 1);
        let (line, behind) = arrived.split_at(end.unwrap_or(arrived.len()));
        let is_too_long =
            self.begun.len() + line.len() - usize::from(end.is_some()) > self.bytes_max;
        let mut too_long = 0;
        if is_too_long && !self.is_passing_over {
            too_long = 1;
            self.is_passing_over = true;
        }
        if self.is_passing_over {
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(line);
        }
        if end.is_none() {
            return too_long;
        }
        self.finish(each);
        self.is_passing_over = false;
        too_long + self.take_from_a_start(behind, each)
    }

    fn take_from_a_start(&mut self, mut arrived: &[u8], each: &mut impl FnMut(&[u8])) -> u64 {
        let mut too_long = 0;
        while !arrived.is_empty() {
            let window = &arrived[..arrived.len().min(self.bytes_max + 1)];
            let end = match memrchr(b'\n', window) {
                Some(newline) => {
                    each(&arrived[..=newline]);
                    newline + 1
                }
                None if arrived.len() <= self.bytes_max => {
                    self.begun.extend_from_slice(arrived);
                    arrived.len()
                }
                None => {
                    too_long += 1;
                    let newline = memchr(b'\n', arrived);
                    self.is_passing_over = newline.is_none();
                    newline.map_or(arrived.len(), |newline| newline + 1)
                }
            };
            arrived = &arrived[end..];
        }
        too_long
    }

    /// Hands on the line in `begun`: the line is complete, or the stream has ended.
    pub(super) fn finish(&mut self, each: &mut impl FnMut(&[u8])) {
        if self.has_begun() {
            each(&self.begun);
            self.begun.clear();
            // One long line does not keep its memory.
            self.begun.shrink_to(SHRINK_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_come_out_whole_however_they_were_cut(
            sent in prop::collection::vec("[a-c]{0,12}", 0..30),
            ends in any::<bool>(),
            cuts in prop::collection::vec(1_usize..30, 1..40),
        ) {
            const BYTES_MAX: usize = 8;
            let mut stream = sent.join("\n");
            if ends {
                stream.push('\n');
            }
            let mut lines = Lines::new(BYTES_MAX);
            let (mut got, mut too_long) = (Vec::new(), 0);
            let mut each = |packet: &[u8]| {
                assert!(packet.len() <= BYTES_MAX + 1);
                let text = str::from_utf8(packet).unwrap();
                got.extend(text.lines().map(str::to_owned));
            };
            let mut rest = stream.as_bytes();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (now, later) = rest.split_at(*cut.min(&rest.len()));
                too_long += lines.take(now, &mut each);
                rest = later;
            }
            prop_assert_eq!(lines.has_begun(), stream.rsplit('\n').next().is_some_and(|last| (1..=BYTES_MAX).contains(&last.len())));
            lines.finish(&mut each);
            let (short, long): (Vec<String>, Vec<String>) = stream.lines().map(str::to_owned).partition(|line| line.len() <= BYTES_MAX);
            prop_assert_eq!(got, short);
            prop_assert_eq!(too_long, long.len() as u64);
        }
    }

    #[test]
    fn one_long_line_does_not_keep_its_memory() {
        let mut lines = Lines::new(1 << 20);
        lines.take(&vec![b'x'; 1 << 20], &mut |_| panic!("no line"));
        assert_eq!(lines.take(b"\n", &mut |_| {}), 0);
        assert!(!lines.has_begun() && lines.kept_bytes() <= 64 * 1024);
    }

    #[test]
    fn a_line_that_never_ends_takes_no_memory() {
        let mut lines = Lines::new(100);
        let too_long = (0..1000).map(|_| lines.take(&[b'x'; 99], &mut |_| panic!("no line")));
        assert_eq!(too_long.sum::<u64>(), 1);
        assert!(lines.kept_bytes() < 200);
    }
}

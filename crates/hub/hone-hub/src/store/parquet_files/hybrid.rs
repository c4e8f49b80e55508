//! Numbers of few bits as runs of equal ones and groups of eight that are packed: the RLE and bit-packing hybrid of Parquet.
//!
//! The bytes are described in [Parquet's encodings](https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE).

use hone_profile::protobuf::Message;

/// Numbers that are packed together.
const GROUP: usize = 8;

/// Returns the bits of the greatest number below a count.
pub(super) fn width(count: usize) -> u8 {
    let greatest = count.saturating_sub(1);
    (usize::BITS - greatest.leading_zeros()) as u8
}

/// Appends numbers of so many bits, given as runs of equal ones with their lengths.
pub(super) fn write(to: &mut Message, width: u8, runs: impl Iterator<Item = (u32, usize)>) {
    let mut packed = Vec::new();
    for (number, mut length) in runs {
        // A run begins where a group ends.
        let missing = packed.len().next_multiple_of(GROUP) - packed.len();
        let filled = missing.min(length);
        packed.extend(std::iter::repeat_n(number, filled));
        length -= filled;
        if length < GROUP {
            packed.extend(std::iter::repeat_n(number, length));
            continue;
        }
        write_packed(to, width, &mut packed);
        to.put((length as u64) << 1);
        let bytes = usize::from(width.div_ceil(8));
        to.0.extend(&number.to_le_bytes()[..bytes]);
    }
    write_packed(to, width, &mut packed);
}

/// Appends numbers in groups, of which the last is filled up with zeros, and takes them away.
fn write_packed(to: &mut Message, width: u8, packed: &mut Vec<u32>) {
    if packed.is_empty() {
        return;
    }
    packed.resize(packed.len().next_multiple_of(GROUP), 0);
    let groups = (packed.len() / GROUP) as u64;
    to.put(groups << 1 | 1);
    // Groups of eight end at whole bytes.
    let (mut waiting, mut bits) = (0_u64, 0_u32);
    for number in packed.drain(..) {
        waiting |= u64::from(number) << bits;
        bits += u32::from(width);
        while bits >= 8 {
            to.0.push(waiting as u8);
            waiting >>= 8;
            bits -= 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: u8, runs: &[(u32, usize)]) -> Vec<u8> {
        let mut bytes = Message::default();
        write(&mut bytes, width, runs.iter().copied());
        bytes.0
    }

    #[test]
    fn the_width_is_that_of_the_greatest_number() {
        let widths = [0, 1, 2, 3, 4, 5, 256, 257].map(width);
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 8, 9]);
    }

    #[test]
    fn numbers_are_packed_as_the_specification_shows() {
        let numbers: Vec<(u32, usize)> = (0..8).map(|number| (number, 1)).collect();
        assert_eq!(written(3, &numbers), [3, 0x88, 0xc6, 0xfa]);
    }

    #[test]
    fn long_runs_take_a_few_bytes() {
        assert_eq!(written(9, &[(257, 100)]), [0xc8, 1, 1, 1]);
        assert_eq!(written(0, &[(0, 100)]), [0xc8, 1]);
    }

    #[test]
    fn a_run_fills_the_group_before_it() {
        // Five of one, three of the run, then the run.
        assert_eq!(written(1, &[(0, 5), (1, 13)]), [3, 0xe0, 20, 1]);
        // What is left of a run is too short for one.
        assert_eq!(written(1, &[(0, 5), (1, 10)]), [5, 0xe0, 0x7f]);
    }
}

//! Protocol Buffers' wire format, as far as the encoders need it: one buffer, no tree of messages.

pub(super) mod read;

/// Wire types: a varint, 64 bits, and bytes with their length.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;

pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Maps small numbers of either sign to small numbers without a sign.
pub(super) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn key(out: &mut Vec<u8>, field: u32, wire: u64) {
    varint(out, u64::from(field) << 3 | wire);
}

/// Writes a number. 0 is left out, since a reader takes a missing field for 0.
pub(super) fn uint(out: &mut Vec<u8>, field: u32, value: u64) {
    if value != 0 {
        key(out, field, VARINT);
        varint(out, value);
    }
}

/// Writes `int64`, as two's complement.
pub(super) fn int(out: &mut Vec<u8>, field: u32, value: i64) {
    uint(out, field, value as u64);
}

/// Writes `sint32` and `sint64`.
pub(super) fn sint(out: &mut Vec<u8>, field: u32, value: i64) {
    uint(out, field, zigzag(value));
}

/// Writes `double`; +0 is left out.
pub(super) fn double(out: &mut Vec<u8>, field: u32, value: f64) {
    if value.to_bits() != 0 {
        double_always(out, field, value);
    }
}

/// Writes `double` of a `oneof`, which is written even if it is 0.
pub(super) fn double_always(out: &mut Vec<u8>, field: u32, value: f64) {
    key(out, field, FIXED64);
    out.extend_from_slice(&value.to_le_bytes());
}

/// Writes a number of a `oneof`, which is written even if it is 0.
pub(super) fn uint_always(out: &mut Vec<u8>, field: u32, value: u64) {
    key(out, field, VARINT);
    varint(out, value);
}

pub(super) fn string(out: &mut Vec<u8>, field: u32, value: &str) {
    key(out, field, BYTES);
    varint(out, value.len() as u64);
    out.extend_from_slice(value.as_bytes());
}

/// Writes the bytes that `body` appends, as a nested message or a packed array. Their length is known only afterwards,
/// so room is left for a length of one byte, and a longer body is moved once.
pub(super) fn message(out: &mut Vec<u8>, field: u32, body: impl FnOnce(&mut Vec<u8>)) {
    key(out, field, BYTES);
    let start = out.len() + 1;
    out.push(0);
    body(out);
    let length = out.len() - start;
    let length_bytes = (length.max(1).ilog2() / 7 + 1) as usize;
    if length_bytes > 1 {
        let extra = length_bytes - 1;
        out.resize(out.len() + extra, 0);
        out.copy_within(start..start + length, start + extra);
    }
    let mut rest = length;
    for place in 0..length_bytes {
        let more = if place + 1 < length_bytes { 0x80 } else { 0 };
        out[start - 1 + place] = (rest & 0x7f) as u8 | more;
        rest >>= 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_messages_of_every_size_have_their_length() {
        for size in [0usize, 1, 127, 128, 129, 16_383, 16_384, 2_100_000] {
            let mut out = vec![7];
            message(&mut out, 1, |out| out.extend(vec![9; size]));
            let mut expected = vec![7, 0x0a];
            varint(&mut expected, size as u64);
            expected.extend(vec![9; size]);
            assert_eq!(out, expected, "{size}");
        }
    }

    #[test]
    fn numbers_are_written_as_the_format_says() {
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        let mut out = Vec::new();
        uint(&mut out, 1, 300);
        uint(&mut out, 2, 0);
        assert_eq!(out, [0x08, 0xac, 0x02]);
    }
}

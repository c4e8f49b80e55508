//! MessagePack, as far as the relay's format needs it: numbers, strings and arrays.
//!
//! A float that is a whole number is written as an integer, which takes 1 to 9 bytes instead of 9; a reader gets back
//! the same float.

/// Largest number up to which all whole numbers are exact as `f64`.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

pub(super) fn array(out: &mut Vec<u8>, length: usize) {
    match length {
        0..16 => out.push(0x90 | length as u8),
        16..0x1_0000 => {
            out.push(0xdc);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            out.push(0xdd);
            out.extend_from_slice(&(length as u32).to_be_bytes());
        }
    }
}

pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    match text.len() {
        length @ 0..32 => out.push(0xa0 | length as u8),
        length @ 32..0x100 => out.extend_from_slice(&[0xd9, length as u8]),
        // Parts of a series are shorter than 64 KiB.
        length => {
            out.push(0xda);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
    }
    out.extend_from_slice(text.as_bytes());
}

/// Writes bytes that are no text; shorter than 64 KiB.
pub(super) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    debug_assert!(bytes.len() < 0x1_0000);
    out.push(0xc5);
    out.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
    out.extend_from_slice(bytes);
}

pub(super) fn uint(out: &mut Vec<u8>, value: u64) {
    match value {
        0..0x80 => out.push(value as u8),
        0x80..0x100 => out.extend_from_slice(&[0xcc, value as u8]),
        0x100..0x1_0000 => {
            out.push(0xcd);
            out.extend_from_slice(&(value as u16).to_be_bytes());
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(0xce);
            out.extend_from_slice(&(value as u32).to_be_bytes());
        }
        _ => {
            out.push(0xcf);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

pub(super) fn int(out: &mut Vec<u8>, value: i64) {
    match value {
        0.. => uint(out, value as u64),
        -32..0 => out.push(value as u8),
        -0x80..-32 => out.extend_from_slice(&[0xd0, value as u8]),
        -0x8000..-0x80 => {
            out.push(0xd1);
            out.extend_from_slice(&(value as i16).to_be_bytes());
        }
        -0x8000_0000..-0x8000 => {
            out.push(0xd2);
            out.extend_from_slice(&(value as i32).to_be_bytes());
        }
        _ => {
            out.push(0xd3);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

pub(super) fn float(out: &mut Vec<u8>, value: f64) {
    let is_minus_zero = value == 0.0 && value.is_sign_negative();
    if value.fract() == 0.0 && value.abs() <= EXACT_MAX && !is_minus_zero {
        return int(out, value as i64);
    }
    out.push(0xcb);
    out.extend_from_slice(&value.to_be_bytes());
}

/// Bytes that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at} is not {expected}")]
pub struct Malformed {
    /// Offset in the frame's body.
    pub at: usize,
    /// Expected content.
    pub expected: &'static str,
}

/// Reader from the front, which allocates nothing.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the offset up to which bytes were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the bytes read since the offset `start`.
    pub(super) fn since(&self, start: usize) -> &'b [u8] {
        &self.bytes[start..self.at]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn malformed(&self, expected: &'static str) -> Malformed {
        Malformed {
            at: self.at,
            expected,
        }
    }

    fn take(&mut self, count: usize, expected: &'static str) -> Result<&'b [u8], Malformed> {
        let rest = &self.bytes[self.at..];
        let (taken, _) = rest
            .split_at_checked(count)
            .ok_or(self.malformed(expected))?;
        self.at += count;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], Malformed> {
        let bytes = self.take(N, expected)?;
        Ok(bytes.try_into().expect("it has that length"))
    }

    fn byte(&mut self, expected: &'static str) -> Result<u8, Malformed> {
        Ok(self.number::<1>(expected)?[0])
    }

    /// Reads the number of elements of an array. The number is only a claim: nobody may reserve memory by it.
    pub(super) fn array(&mut self) -> Result<usize, Malformed> {
        let expected = "an array";
        let start = self.at;
        match self.byte(expected)? {
            first @ 0x90..=0x9f => Ok(usize::from(first & 0x0f)),
            0xdc => Ok(usize::from(u16::from_be_bytes(self.number(expected)?))),
            0xdd => Ok(u32::from_be_bytes(self.number(expected)?) as usize),
            _ => Err(Malformed {
                at: start,
                expected,
            }),
        }
    }

    pub(super) fn string(&mut self) -> Result<&'b str, Malformed> {
        let expected = "a string";
        let start = self.at;
        let malformed = Malformed {
            at: start,
            expected,
        };
        let length = match self.byte(expected)? {
            first @ 0xa0..=0xbf => usize::from(first & 0x1f),
            0xd9 => usize::from(self.byte(expected)?),
            0xda => usize::from(u16::from_be_bytes(self.number(expected)?)),
            _ => return Err(malformed),
        };
        let bytes = self.take(length, expected)?;
        std::str::from_utf8(bytes).map_err(|_| malformed)
    }

    pub(super) fn bytes(&mut self) -> Result<&'b [u8], Malformed> {
        let expected = "bytes";
        let malformed = self.malformed(expected);
        let length = match self.byte(expected)? {
            0xc4 => usize::from(self.byte(expected)?),
            0xc5 => usize::from(u16::from_be_bytes(self.number(expected)?)),
            _ => return Err(malformed),
        };
        self.take(length, expected)
    }

    pub(super) fn int(&mut self) -> Result<i64, Malformed> {
        let expected = "an integer";
        let start = self.at;
        let malformed = Malformed {
            at: start,
            expected,
        };
        Ok(match self.byte(expected)? {
            first @ 0x00..=0x7f => i64::from(first),
            first @ 0xe0..=0xff => i64::from(first as i8),
            0xcc => i64::from(self.byte(expected)?),
            0xcd => i64::from(u16::from_be_bytes(self.number(expected)?)),
            0xce => i64::from(u32::from_be_bytes(self.number(expected)?)),
            0xcf => {
                let value = u64::from_be_bytes(self.number(expected)?);
                i64::try_from(value).map_err(|_| malformed)?
            }
            0xd0 => i64::from(self.byte(expected)? as i8),
            0xd1 => i64::from(i16::from_be_bytes(self.number(expected)?)),
            0xd2 => i64::from(i32::from_be_bytes(self.number(expected)?)),
            0xd3 => i64::from_be_bytes(self.number(expected)?),
            _ => return Err(malformed),
        })
    }

    /// Reads an integer that fits the type.
    pub(super) fn fit<T: TryFrom<i64>>(&mut self) -> Result<T, Malformed> {
        let malformed = self.malformed("an integer of this range");
        T::try_from(self.int()?).map_err(|_| malformed)
    }

    pub(super) fn float(&mut self) -> Result<f64, Malformed> {
        if self.bytes.get(self.at) != Some(&0xcb) {
            return Ok(self.int()? as f64);
        }
        self.at += 1;
        Ok(f64::from_be_bytes(self.number("a float")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(value in any::<i64>(), shift in 0..64u32, bits in any::<u64>()) {
            let value = value >> shift;
            let float_in = f64::from_bits(bits);
            let mut out = Vec::new();
            int(&mut out, value);
            float(&mut out, float_in);
            float(&mut out, value as f64);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.int().unwrap(), value);
            prop_assert_eq!(reader.float().unwrap().to_bits(), float_in.to_bits());
            prop_assert_eq!(reader.float().unwrap(), value as f64);
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn strings_and_arrays_come_back(length in 0..70_000usize, text in ".{0,40}") {
            let mut out = Vec::new();
            array(&mut out, length);
            string(&mut out, &text);
            let long = "x".repeat(length.min(65_535));
            string(&mut out, &long);
            bytes(&mut out, long.as_bytes());
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.array().unwrap(), length);
            prop_assert_eq!(reader.string().unwrap(), text);
            prop_assert_eq!(reader.string().unwrap(), &long);
            prop_assert_eq!(reader.bytes().unwrap(), long.as_bytes());
        }
    }

    #[test]
    fn minus_zero_stays_what_it_is() {
        let mut out = Vec::new();
        float(&mut out, -0.0);
        assert!(Reader::new(&out).float().unwrap().is_sign_negative());
    }
}

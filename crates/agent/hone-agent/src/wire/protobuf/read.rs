//! Readers of messages that the encoders wrote. Any other message gives `None`.

/// Value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::wire) enum Value<'m> {
    Number(u64),
    Double(f64),
    /// Text, a message, or an array of numbers.
    Bytes(&'m [u8]),
}

impl<'m> Value<'m> {
    pub(in crate::wire) fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(in crate::wire) fn double(self) -> Option<f64> {
        match self {
            Self::Double(double) => Some(double),
            _ => None,
        }
    }

    pub(in crate::wire) fn bytes(self) -> Option<&'m [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// Calls `visit` with the number and value of every field of a message. `None` if the bytes are no message, or if
/// `visit` returns `None`.
pub(in crate::wire) fn each_field<'m>(
    mut message: &'m [u8],
    mut visit: impl FnMut(u64, Value<'m>) -> Option<()>,
) -> Option<()> {
    while !message.is_empty() {
        let key = varint(&mut message)?;
        let value = match key & 7 {
            super::VARINT => Value::Number(varint(&mut message)?),
            super::FIXED64 => Value::Double(double(&mut message)?),
            super::BYTES => {
                let length = usize::try_from(varint(&mut message)?).ok()?;
                let (bytes, behind) = message.split_at_checked(length)?;
                message = behind;
                Value::Bytes(bytes)
            }
            _ => return None,
        };
        visit(key >> 3, value)?;
    }
    Some(())
}

/// Reads all numbers of an array.
pub(in crate::wire) fn varints(mut array: &[u8]) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    while !array.is_empty() {
        numbers.push(varint(&mut array)?);
    }
    Some(numbers)
}

/// Reads all doubles of an array.
pub(in crate::wire) fn doubles(mut array: &[u8]) -> Option<Vec<f64>> {
    let mut numbers = Vec::new();
    while !array.is_empty() {
        numbers.push(double(&mut array)?);
    }
    Some(numbers)
}

/// Reverts [`super::zigzag`].
pub(in crate::wire) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn varint(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = from.split_first()?;
        *from = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn double(from: &mut &[u8]) -> Option<f64> {
    let (bytes, behind) = from.split_first_chunk()?;
    *from = behind;
    Some(f64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::super::{
        double as write_double, int, message, sint, string, varint as write, zigzag,
    };
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..20), signed in any::<i64>()) {
            let mut array = Vec::new();
            numbers.iter().for_each(|number| write(&mut array, *number));
            prop_assert_eq!(varints(&array), Some(numbers));
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        }

        #[test]
        fn any_bytes_end(noise in prop::collection::vec(any::<u8>(), 0..100)) {
            let mut fields = 0;
            each_field(&noise, |_, _| { fields += 1; Some(()) });
            prop_assert!(fields <= noise.len());
        }
    }

    #[test]
    fn every_kind_of_field_comes_back_and_half_a_message_is_none() {
        let mut written = Vec::new();
        int(&mut written, 1, -5);
        sint(&mut written, 2, -3);
        write_double(&mut written, 3, 1.5);
        message(&mut written, 400, |out| string(out, 1, "text"));
        let mut fields = Vec::new();
        let read = each_field(&written, |field, value| {
            fields.push((field, value));
            Some(())
        });
        assert_eq!(read, Some(()));
        let expected = [
            (1, Value::Number(-5_i64 as u64)),
            (2, Value::Number(5)),
            (3, Value::Double(1.5)),
            (400, Value::Bytes(b"\x0a\x04text")),
        ];
        assert_eq!(fields, expected);
        for end in 1..written.len() {
            let mut count = 0;
            let whole = each_field(&written[..end], |_, _| {
                count += 1;
                Some(())
            });
            assert!(whole.is_none() || count < expected.len(), "{end}");
        }
    }
}

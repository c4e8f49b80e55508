//! The encoding under pprof: protobuf's fields, read without copying and written.

use super::PprofError;

/// The value of one field.
#[derive(Clone, Copy)]
pub(super) enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    pub(super) fn signed(self) -> i64 {
        self.number().cast_signed()
    }

    pub(super) fn bytes(self) -> &'b [u8] {
        match self {
            Self::Number(_) => &[],
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Appends the numbers of a repeated field: one number, or many packed numbers.
    pub(super) fn append_to(self, numbers: &mut Vec<u64>) -> Result<(), PprofError> {
        match self {
            Self::Number(number) => numbers.push(number),
            Self::Bytes(mut rest) => {
                while !rest.is_empty() {
                    numbers.push(varint(&mut rest)?);
                }
            }
        }
        Ok(())
    }
}

/// The fields of one message, in their order.
pub(super) struct Fields<'b>(pub(super) &'b [u8]);

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), PprofError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = field(&mut self.0);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

fn field<'b>(rest: &mut &'b [u8]) -> Result<(u64, Value<'b>), PprofError> {
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => Value::Number(varint(rest)?),
        1 => Value::Number(u64::from_le_bytes(fixed(rest)?)),
        2 => {
            let len = usize::try_from(varint(rest)?).map_err(|_| PprofError::Cut)?;
            let (bytes, after) = rest.split_at_checked(len).ok_or(PprofError::Cut)?;
            *rest = after;
            Value::Bytes(bytes)
        }
        5 => Value::Number(u32::from_le_bytes(fixed(rest)?).into()),
        kind => return Err(PprofError::FieldType { kind }),
    };
    Ok((key >> 3, value))
}

fn fixed<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], PprofError> {
    let (bytes, after) = rest.split_first_chunk().ok_or(PprofError::Cut)?;
    *rest = after;
    Ok(*bytes)
}

fn varint(rest: &mut &[u8]) -> Result<u64, PprofError> {
    let mut number = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, after) = rest.split_first().ok_or(PprofError::Cut)?;
        *rest = after;
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(PprofError::LongNumber)
}

/// A message being written; a number of value 0 is left out, as the format allows.
#[derive(Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    pub(super) fn number(&mut self, field: u64, value: u64) -> &mut Self {
        if value != 0 {
            self.put(field << 3);
            self.put(value);
        }
        self
    }

    pub(super) fn signed(&mut self, field: u64, value: i64) -> &mut Self {
        self.number(field, value.cast_unsigned())
    }

    pub(super) fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.put(field << 3 | 2);
        self.put(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn message(&mut self, field: u64, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    pub(super) fn packed(&mut self, field: u64, numbers: impl Iterator<Item = u64>) -> &mut Self {
        let mut packed = Self::default();
        numbers.for_each(|number| packed.put(number));
        self.message(field, &packed)
    }

    fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

//! Fields of protobuf, read without copying and written: the encoding of pprof and of the hub's batches.
//!
//! The messages are coded by hand on top of these fields, so that readers never hold more than a small multiple of the bytes
//! that arrived.

/// Reason why bytes could not be read as protobuf.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProtobufError {
    /// A field reaches beyond the end of its message.
    #[error("a field reaches beyond the end of its message")]
    Cut,
    /// A field has a type that protobuf does not have, or no longer has.
    #[error("a field of type {kind}, which protobuf does not have")]
    FieldType {
        /// Number of the type.
        kind: u64,
    },
    /// A number has more than ten bytes.
    #[error("a number of more than 64 bits")]
    LongNumber,
}

/// Value of one field.
#[derive(Clone, Copy, Debug)]
pub enum Value<'b> {
    /// A number of any type.
    Number(u64),
    /// Bytes, a text, a message or packed numbers.
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    /// Returns the number; 0 for bytes.
    pub fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    /// Returns the number as a signed number; 0 for bytes.
    pub fn signed(self) -> i64 {
        self.number().cast_signed()
    }

    /// Returns the bytes; none for a number.
    pub fn bytes(self) -> &'b [u8] {
        match self {
            Self::Number(_) => &[],
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Appends the numbers of a repeated field: one number, or many packed numbers.
    pub fn append_to(self, numbers: &mut Vec<u64>) -> Result<(), ProtobufError> {
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

/// Fields of one message with their numbers, in the order of the message. Ends after an error.
#[derive(Clone, Debug)]
pub struct Fields<'b>(pub &'b [u8]);

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), ProtobufError>;

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

fn field<'b>(rest: &mut &'b [u8]) -> Result<(u64, Value<'b>), ProtobufError> {
    let key = varint(rest)?;
    let value = match key & 7 {
        0 => Value::Number(varint(rest)?),
        1 => Value::Number(u64::from_le_bytes(fixed(rest)?)),
        2 => {
            let len = usize::try_from(varint(rest)?).map_err(|_| ProtobufError::Cut)?;
            let (bytes, after) = rest.split_at_checked(len).ok_or(ProtobufError::Cut)?;
            *rest = after;
            Value::Bytes(bytes)
        }
        5 => Value::Number(u32::from_le_bytes(fixed(rest)?).into()),
        kind => return Err(ProtobufError::FieldType { kind }),
    };
    Ok((key >> 3, value))
}

fn fixed<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], ProtobufError> {
    let (bytes, after) = rest.split_first_chunk().ok_or(ProtobufError::Cut)?;
    *rest = after;
    Ok(*bytes)
}

/// Takes one number of 1 to 10 bytes.
#[inline]
pub fn varint(rest: &mut &[u8]) -> Result<u64, ProtobufError> {
    // Most numbers are small.
    match **rest {
        [byte, ref after @ ..] if byte < 0x80 => {
            *rest = after;
            Ok(byte.into())
        }
        [first, second, ref after @ ..] if second < 0x80 => {
            *rest = after;
            Ok(u64::from(first & 0x7f) | u64::from(second) << 7)
        }
        _ => long_varint(rest),
    }
}

fn long_varint(rest: &mut &[u8]) -> Result<u64, ProtobufError> {
    let mut number = 0;
    for place in 0..10 {
        let (&byte, after) = rest.split_first().ok_or(ProtobufError::Cut)?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(ProtobufError::LongNumber)
}

/// Message being written; a number of value 0 is left out, as the format allows.
#[derive(Clone, Debug, Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    /// Adds a number.
    pub fn number(&mut self, field: u64, value: u64) -> &mut Self {
        if value != 0 {
            self.put(field << 3);
            self.put(value);
        }
        self
    }

    /// Adds a signed number.
    pub fn signed(&mut self, field: u64, value: i64) -> &mut Self {
        self.number(field, value.cast_unsigned())
    }

    /// Adds bytes or a text.
    pub fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.put(field << 3 | 2);
        self.put(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Adds a message.
    pub fn message(&mut self, field: u64, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    /// Adds packed numbers.
    pub fn packed(&mut self, field: u64, numbers: impl Iterator<Item = u64>) -> &mut Self {
        let mut packed = Self::default();
        numbers.for_each(|number| packed.put(number));
        self.message(field, &packed)
    }

    /// Appends a number without a field, as in packed numbers.
    pub fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

//! Reader of msgpack, item by item and in place. It returns the types that the SDK uses, and skips all others.
//!
//! An item is the head of a value: a string gives its bytes, an array or a map only the number of values that follow. A
//! claimed length never leads to an allocation or to recursion; a value that claims too many bytes breaks off at their end.

/// The head of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item<'p> {
    /// A string, or binary data, which is read as a string.
    Text(&'p [u8]),
    /// An array. The given number of values follows.
    Array(u32),
    /// A map. The given number of pairs of values follows.
    Map(u32),
    /// A whole value of another type.
    Other,
}

/// Reader of the bytes that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'p> {
    rest: &'p [u8],
}

impl<'p> Reader<'p> {
    pub(super) fn new(bytes: &'p [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns all bytes that were not read yet.
    pub(super) fn rest(&self) -> &'p [u8] {
        self.rest
    }

    /// Returns true if the next item is a string.
    pub(super) fn is_at_text(&self) -> bool {
        matches!(self.rest, [0xa0..=0xbf | 0xc4..=0xc6 | 0xd9..=0xdb, ..])
    }

    /// Reads the next item; `None` if the bytes end before the item does, or if no item begins with the next byte.
    #[inline]
    pub(super) fn item(&mut self) -> Option<Item<'p>> {
        let (&head, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(match head {
            0xa0..=0xbf => Item::Text(self.bytes(u32::from(head & 0x1f))?),
            0xd9 | 0xc4 => Item::Text(self.length_1().and_then(|length| self.bytes(length))?),
            0xda | 0xc5 => Item::Text(self.length_2().and_then(|length| self.bytes(length))?),
            0xdb | 0xc6 => Item::Text(self.length_4().and_then(|length| self.bytes(length))?),
            0x90..=0x9f => Item::Array(u32::from(head & 0x0f)),
            0xdc => Item::Array(self.length_2()?),
            0xdd => Item::Array(self.length_4()?),
            0x80..=0x8f => Item::Map(u32::from(head & 0x0f)),
            0xde => Item::Map(self.length_2()?),
            0xdf => Item::Map(self.length_4()?),
            0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => Item::Other,
            0xcc | 0xd0 => self.other(1)?,
            0xcd | 0xd1 => self.other(2)?,
            0xca | 0xce | 0xd2 => self.other(4)?,
            0xcb | 0xcf | 0xd3 => self.other(8)?,
            0xd4..=0xd8 => self.extension(1 << (head - 0xd4))?,
            0xc7 => self.length_1().and_then(|length| self.extension(length))?,
            0xc8 => self.length_2().and_then(|length| self.extension(length))?,
            0xc9 => self.length_4().and_then(|length| self.extension(length))?,
            0xc1 => return None,
        })
    }

    /// Skips the given number of values, whatever they contain.
    pub(super) fn skip(&mut self, values: u32) -> Option<()> {
        let mut pending = u64::from(values);
        while pending > 0 {
            pending -= 1;
            match self.item()? {
                Item::Array(values) => pending += u64::from(values),
                Item::Map(pairs) => pending += 2 * u64::from(pairs),
                Item::Text(_) | Item::Other => {}
            }
        }
        Some(())
    }

    /// Skips the values that belong to an item that was read.
    pub(super) fn skip_inside(&mut self, item: Item<'_>) -> Option<()> {
        match item {
            Item::Array(values) => self.skip(values),
            Item::Map(pairs) => (0..2).try_for_each(|_| self.skip(pairs)),
            Item::Text(_) | Item::Other => Some(()),
        }
    }

    fn other(&mut self, bytes: u32) -> Option<Item<'p>> {
        self.bytes(bytes)?;
        Some(Item::Other)
    }

    /// Reads an extension: one byte for its type, and `bytes` more bytes.
    fn extension(&mut self, bytes: u32) -> Option<Item<'p>> {
        self.bytes(1)?;
        self.other(bytes)
    }

    fn length_1(&mut self) -> Option<u32> {
        self.array().map(u8::from_be_bytes).map(u32::from)
    }

    fn length_2(&mut self) -> Option<u32> {
        self.array().map(u16::from_be_bytes).map(u32::from)
    }

    fn length_4(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    #[inline]
    fn bytes(&mut self, count: u32) -> Option<&'p [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count as usize)?;
        self.rest = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the number of bytes of the first value.
    fn length(bytes: &[u8]) -> Option<usize> {
        let mut reader = Reader::new(bytes);
        reader.skip(1)?;
        Some(bytes.len() - reader.rest().len())
    }

    fn length_by_rmpv(mut bytes: &[u8]) -> Option<usize> {
        let before = bytes.len();
        rmpv::decode::read_value(&mut bytes).ok()?;
        Some(before - bytes.len())
    }

    fn value() -> impl Strategy<Value = rmpv::Value> {
        use rmpv::Value;
        let leaf = prop_oneof![
            Just(Value::Nil),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-40..300_i64).prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f32>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[a-z=|]{0,300}".prop_map(Value::from),
            prop::collection::vec(any::<u8>(), 0..300).prop_map(Value::from),
            (any::<i8>(), prop::collection::vec(any::<u8>(), 0..20))
                .prop_map(|(kind, bytes)| Value::Ext(kind, bytes)),
        ];
        leaf.prop_recursive(4, 64, 20, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..20).prop_map(Value::from),
                prop::collection::vec((inner.clone(), inner), 0..18).prop_map(Value::from),
            ]
        })
    }

    #[test]
    fn long_heads_are_read() {
        for (bytes, length) in [(0x10000_usize, 4), (0x1ff, 2), (0x80, 1)] {
            let head = match length {
                4 => 0xdb,
                2 => 0xda,
                _ => 0xd9,
            };
            let claimed = (bytes as u32).to_be_bytes();
            let packet = [&[head], &claimed[4 - length..], &vec![b'x'; bytes]].concat();
            let item = Reader::new(&packet).item();
            assert_eq!(item, Some(Item::Text(&vec![b'x'; bytes])));
            assert_eq!(Reader::new(&packet[..packet.len() - 1]).item(), None);
        }
    }

    #[test]
    fn claims_end_where_the_bytes_end() {
        for claim in [
            [0xdd, 0xff, 0xff, 0xff, 0xff, 0xc0],
            [0xdf, 0xff, 0xff, 0xff, 0xff, 0xc0],
            [0xdb, 0xff, 0xff, 0xff, 0xff, 0xc0],
            [0xc9, 0xff, 0xff, 0xff, 0xff, 0xc0],
        ] {
            assert_eq!(length(&claim), None);
        }
        // 100,000 arrays inside one another.
        assert_eq!(length(&[0x91; 100_000]), None);
        assert_eq!(
            length(&[&[0x91; 100_000][..], &[0xc0]].concat()),
            Some(100_001)
        );
    }

    proptest! {
        #[test]
        fn any_value_ends_where_it_was_written_to_end(value in value(), rest in prop::collection::vec(any::<u8>(), 0..4)) {
            let mut bytes = Vec::new();
            rmpv::encode::write_value(&mut bytes, &value).unwrap();
            let expected = bytes.len();
            prop_assert_eq!(length(&bytes[..expected - 1]), None);
            bytes.extend(rest);
            prop_assert_eq!(length(&bytes), Some(expected));
        }

        #[test]
        fn any_bytes_end_where_another_reader_says(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            // The other reader reads the byte that msgpack never uses as nil.
            let bytes: Vec<u8> = bytes.into_iter().filter(|byte| *byte != 0xc1).collect();
            prop_assert_eq!(length(&bytes), length_by_rmpv(&bytes));
        }
    }
}

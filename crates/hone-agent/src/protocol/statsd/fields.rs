//! The fields of a measurement, separated by `|`: the values, the type, and then any of these in any order.
//!
//! | starts with | is |
//! |---|---|
//! | `@` | the sample rate |
//! | `#` | tags |
//! | `c:` | the container |
//! | `T` | the time |
//! | anything else | passed over, as DogStatsD's other fields (`e:`, `card:`) and those that are to come |
//!
//! A field that is there twice holds as the last one says.

use crate::limits::SAMPLE_RATE_MIN;
use crate::protocol::number;
use crate::sample::Kind;
use memchr::memchr;

/// What the fields say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fields<'l> {
    /// Values as they stand there.
    pub(super) values: &'l [u8],
    pub(super) kind: Kind,
    pub(super) weight: f64,
    pub(super) tags: Option<&'l [u8]>,
    pub(super) time_s: Option<u64>,
    pub(super) container: Option<&'l [u8]>,
}

/// Reads the fields of a measurement, which are `None` if one is missing or malformed; and says where the next
/// measurement of the same name starts, in StatsD's own form for several.
pub(super) fn fields(measurement: &[u8]) -> (Option<Fields<'_>>, Option<&[u8]>) {
    let mut cursor = Cursor {
        rest: Some(measurement),
        next_measurement: None,
    };
    (cursor.fields(), cursor.next_measurement)
}

struct Cursor<'l> {
    /// From the next field on; `None` behind the last.
    rest: Option<&'l [u8]>,
    next_measurement: Option<&'l [u8]>,
}

impl<'l> Cursor<'l> {
    fn fields(&mut self) -> Option<Fields<'l>> {
        let mut fields = Fields {
            values: self.field()?,
            kind: kind_named(self.field_up_to_colon()?)?,
            weight: 1.0,
            tags: None,
            time_s: None,
            container: None,
        };
        while let Some(rest) = self.rest {
            match rest {
                [b'@', ..] => fields.weight = weight(&self.field_up_to_colon()?[1..])?,
                [b'#', ..] => fields.tags = Some(&self.field()?[1..]),
                [b'c', b':', ..] => fields.container = Some(&self.field()?[2..]),
                [b'T', ..] => fields.time_s = Some(number::seconds(&self.field()?[1..])?),
                _ => drop(self.field()?),
            }
        }
        Some(fields)
    }

    /// The next field.
    fn field(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        let end = memchr(b'|', rest);
        self.rest = end.map(|end| &rest[end + 1..]);
        Some(&rest[..end.unwrap_or(rest.len())])
    }

    /// The next field, which a colon ends too: behind that the next measurement starts, and this has no more fields.
    fn field_up_to_colon(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        let field = self.field()?;
        let Some(colon) = field.iter().position(|byte| *byte == b':') else {
            return Some(field);
        };
        self.next_measurement = Some(&rest[colon + 1..]);
        self.rest = None;
        Some(&field[..colon])
    }
}

/// The types of StatsD and DogStatsD.
fn kind_named(name: &[u8]) -> Option<Kind> {
    Some(match name {
        b"c" => Kind::Counter,
        b"g" => Kind::Gauge,
        b"ms" => Kind::Timer,
        b"h" => Kind::Histogram,
        b"d" => Kind::Distribution,
        b"s" => Kind::Set,
        _ => return None,
    })
}

/// How many measurements one stands for at this sample rate.
fn weight(rate: &[u8]) -> Option<f64> {
    let rate = number::finite(rate)?;
    (SAMPLE_RATE_MIN..=1.0).contains(&rate).then(|| 1.0 / rate)
}

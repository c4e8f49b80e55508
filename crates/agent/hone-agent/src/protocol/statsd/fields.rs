//! The fields of a measurement, separated by `|`: the values, the type, and then any of the following in any order.
//!
//! | starts with | is |
//! |---|---|
//! | `@` | the sample rate |
//! | `#` | tags |
//! | `c:` | the container |
//! | `T` | the time |
//! | a colon | nothing: the field is empty, and the next measurement follows |
//! | anything else | skipped, as DogStatsD's other fields (`e:`, `card:`) and fields of the future |
//!
//! If a field occurs twice, the last one is used.

use crate::limits::SAMPLE_RATE_MIN;
use crate::protocol::number;
use crate::sample::Kind;
use memchr::{memchr, memchr2};

/// A measurement of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measurement<'l> {
    /// Text of the values.
    pub(super) values: &'l [u8],
    /// Fields after the values; `None` if the type is missing or a field is malformed.
    pub(super) fields: Option<Fields<'l>>,
    /// Text from the next measurement of the same name on, in StatsD's own form for several measurements.
    pub(super) next: Option<&'l [u8]>,
}

/// Content of the fields.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Fields<'l> {
    pub(super) kind: Kind,
    pub(super) weight: f64,
    pub(super) tags: Option<&'l [u8]>,
    pub(super) time_s: Option<u64>,
    pub(super) container: Option<&'l [u8]>,
}

/// Reads a measurement. The start of the next measurement is found even if this measurement is malformed.
pub(super) fn measurement(text: &[u8]) -> Measurement<'_> {
    let mut cursor = Cursor {
        rest: Some(text),
        next: None,
    };
    let values = cursor.field();
    let fields = cursor.fields();
    Measurement {
        values,
        fields,
        next: cursor.next,
    }
}

struct Cursor<'l> {
    /// Text from the next field on; `None` after the last field.
    rest: Option<&'l [u8]>,
    next: Option<&'l [u8]>,
}

impl<'l> Cursor<'l> {
    fn fields(&mut self) -> Option<Fields<'l>> {
        self.rest?;
        let kind = kind_named(self.field_up_to_colon());
        let mut is_malformed = kind.is_none();
        let mut fields = Fields {
            kind: kind.unwrap_or(Kind::Counter),
            weight: 1.0,
            tags: None,
            time_s: None,
            container: None,
        };
        while let Some(rest) = self.rest {
            match rest {
                [b'@', ..] => match weight(&self.field_up_to_colon()[1..]) {
                    Some(weight) => fields.weight = weight,
                    None => is_malformed = true,
                },
                [b'#', ..] => fields.tags = Some(&self.field()[1..]),
                [b'c', b':', ..] => fields.container = Some(&self.field()[2..]),
                [b'T', ..] => {
                    fields.time_s = number::seconds(&self.field_up_to_colon()[1..]);
                    is_malformed |= fields.time_s.is_none();
                }
                _ => self.pass_over(),
            }
        }
        (!is_malformed).then_some(fields)
    }

    /// Reads the next field.
    fn field(&mut self) -> &'l [u8] {
        let rest = self.rest.unwrap_or_default();
        let end = memchr(b'|', rest);
        self.rest = end.map(|end| &rest[end + 1..]);
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Reads the next field, which may end with a colon. After the colon the next measurement starts, and the current one has
    /// no more fields.
    fn field_up_to_colon(&mut self) -> &'l [u8] {
        let rest = self.rest.unwrap_or_default();
        let field = self.field();
        let Some(colon) = memchr(b':', field) else {
            return field;
        };
        self.next = Some(&rest[colon + 1..]);
        self.rest = None;
        &field[..colon]
    }

    /// Skips a field of another kind. A colon in the field ends it if the field is empty or a measurement follows the colon.
    /// Colons in `e:` and `card:` fields do not end the field.
    fn pass_over(&mut self) {
        let rest = self.rest.unwrap_or_default();
        let field = self.field();
        let is_known = field.starts_with(b"e:") || field.starts_with(b"card:");
        if let Some(colon) = memchr(b':', field)
            && !is_known
            && (colon == 0 || is_measurement(&rest[colon + 1..]))
        {
            self.next = Some(&rest[colon + 1..]);
            self.rest = None;
        }
    }
}

/// Returns true if a text begins with a number and a type. A `c` with a colon after it is a container, unless a measurement
/// follows the colon too.
fn is_measurement(mut text: &[u8]) -> bool {
    loop {
        let Some(bar) = memchr(b'|', text) else {
            return false;
        };
        let (value, behind) = (&text[..bar], &text[bar + 1..]);
        let end = memchr2(b'|', b':', behind).unwrap_or(behind.len());
        let name = &behind[..end];
        if kind_named(name).is_none() || number::finite(value).is_none() {
            return false;
        }
        if name != b"c" || behind.get(end) != Some(&b':') {
            return true;
        }
        text = &behind[end + 1..];
    }
}

/// Returns the kind for a type of StatsD or DogStatsD.
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

/// Returns the number of measurements that one value stands for at this sample rate.
fn weight(rate: &[u8]) -> Option<f64> {
    let rate = number::finite(rate)?;
    (SAMPLE_RATE_MIN..=1.0).contains(&rate).then(|| 1.0 / rate)
}

//! Numbers as text, the same in all languages: whole numbers below 2^53 as digits, other numbers from 0.00001 on as the
//! shortest decimal that is read back as the same number, the rest with an exponent (`1e-7`, `1.5e300`).
//!
//! A number with up to three decimal places is written by integer arithmetic, which is much faster. The bytes are the same:
//! no two decimals of up to 15 digits are the same double, so a decimal that is read back as the number is the shortest.

use std::io::Write;

/// Buffer with room for every number as text.
pub(crate) type Room = [u8; 32];

const WHOLE_MAX: u64 = 1 << 53;
const FIFTEEN_DIGITS: u64 = 1_000_000_000_000_000;

/// A value that handles take: any integer or float. The agent computes with doubles, so larger integers are
/// rounded as the agent would round them.
pub trait Number: Copy {
    /// Returns the value as a double.
    fn to_f64(self) -> f64;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

/// Returns the number as text; `None` if it is not finite.
pub(crate) fn text(value: f64, room: &mut Room) -> Option<&[u8]> {
    let whole = value as i64;
    if whole as f64 == value && whole.unsigned_abs() < WHOLE_MAX {
        return Some(decimal(whole < 0, whole.unsigned_abs(), 0, room));
    }
    let thousandths = (value * 1000.0 + 0.5_f64.copysign(value)) as i64;
    if thousandths.unsigned_abs() < FIFTEEN_DIGITS && thousandths as f64 / 1000.0 == value {
        return Some(decimal(
            thousandths < 0,
            thousandths.unsigned_abs(),
            3,
            room,
        ));
    }
    shortest(value, room)
}

/// Writes `magnitude` divided by ten to the power of `places`, without zeros at the end.
pub(crate) fn decimal(
    is_negative: bool,
    mut magnitude: u64,
    mut places: usize,
    room: &mut Room,
) -> &[u8] {
    while places > 0 && magnitude.is_multiple_of(10) {
        magnitude /= 10;
        places -= 1;
    }
    let mut at = room.len();
    let mut digits = 0;
    while magnitude > 0 || digits <= places {
        if digits == places && places > 0 {
            at -= 1;
            room[at] = b'.';
        }
        at -= 1;
        room[at] = b'0' + (magnitude % 10) as u8;
        magnitude /= 10;
        digits += 1;
    }
    if is_negative {
        at -= 1;
        room[at] = b'-';
    }
    &room[at..]
}

fn shortest(value: f64, room: &mut Room) -> Option<&[u8]> {
    if !value.is_finite() {
        return None;
    }
    let is_plain = (1e-5..WHOLE_MAX as f64).contains(&value.abs());
    let mut rest = &mut room[..];
    let written = if is_plain {
        write!(rest, "{value}")
    } else {
        write!(rest, "{value:e}")
    };
    let left = rest.len();
    written.ok()?;
    Some(&room[..room.len() - left])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64) -> String {
        let mut room = [0; 32];
        let text = text(value, &mut room).expect("a finite number");
        String::from_utf8(text.to_vec()).expect("digits")
    }

    #[test]
    fn every_range_has_its_form() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (-120.0, "-120"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (9_007_199_254_740_992.0, "9.007199254740992e15"),
            (12.5, "12.5"),
            (-0.005, "-0.005"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1.0 / 3.0, "0.3333333333333333"),
            (0.00001, "0.00001"),
            (0.0000099, "9.9e-6"),
            (1e300, "1e300"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (-f64::MAX, "-1.7976931348623157e308"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(written(value), expected);
        }
        let mut room = [0; 32];
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(text(value, &mut room), None);
        }
    }

    #[test]
    fn the_fast_way_writes_what_the_standard_library_does() {
        for thousandths in (-20_000_i64..20_000).chain([999_999_999_999_999, -123_456_789_012_345])
        {
            let value = thousandths as f64 / 1000.0;
            let expected = if thousandths == 0 {
                "0".into()
            } else {
                value.to_string()
            };
            assert_eq!(written(value), expected);
            let near = f64::from_bits(value.to_bits() ^ 1);
            let read: f64 = written(near).parse().expect("a number");
            assert_eq!(read.to_bits() << 1, near.to_bits() << 1);
        }
    }

    #[test]
    fn durations_are_exact() {
        let mut room = [0; 32];
        for (nanoseconds, expected) in [
            (0, "0"),
            (1, "0.000001"),
            (1_500_000, "1.5"),
            (20_000_000, "20"),
            (u64::MAX, "18446744073709.551615"),
        ] {
            assert_eq!(
                decimal(false, nanoseconds, 6, &mut room),
                expected.as_bytes()
            );
        }
    }
}

//! Parsers of numbers. Short numbers, which nearly all are, are parsed by hand, the others by the standard library.

/// Number of digits up to which a double holds every whole number exactly.
const EXACT_DIGITS: usize = 15;

/// Powers of ten for up to `EXACT_DIGITS` digits; a double holds them exactly.
const POWERS: [f64; EXACT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// Parses a finite decimal number, with or without sign, fraction and exponent: the numbers that `f64::from_str` takes.
pub(super) fn finite(text: &[u8]) -> Option<f64> {
    short(text).or_else(|| {
        let value: f64 = str::from_utf8(text).ok()?.parse().ok()?;
        value.is_finite().then_some(value)
    })
}

/// Parses a number of up to 15 digits without an exponent. Its digits and the power of ten that divides them are exact, so
/// the quotient is the nearest double, as with the standard library.
fn short(text: &[u8]) -> Option<f64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.len() > EXACT_DIGITS + 1 {
        return None;
    }
    let mut number = 0_u64;
    let mut count = 0;
    let mut point = None;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                number = number * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    if count == 0 || count > EXACT_DIGITS {
        return None;
    }
    let magnitude = match point {
        None => number as f64,
        Some(point) => number as f64 / POWERS[count - point],
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

/// Parses a whole number of seconds: digits only.
pub(super) fn seconds(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    text.iter().try_fold(0, |number, byte| match byte {
        b'0'..=b'9' => Some(number * 10 + u64::from(byte - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_the_standard_library(text: &str) -> Option<f64> {
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }

    #[test]
    fn what_is_no_finite_number_is_refused() {
        for text in [
            "",
            "-",
            "+",
            ".",
            "-.",
            "1..2",
            "1.2.3",
            "0x10",
            "1_000",
            " 1",
            "1 ",
            "--1",
            "1-",
            "nan",
            "inf",
            "-infinity",
            "1e999",
            "e5",
            "1e",
            "é",
        ] {
            assert_eq!(finite(text.as_bytes()), None, "{text}");
        }
        assert_eq!(finite(&[0xff, b'1']), None);
    }

    #[test]
    fn signs_fractions_and_exponents_are_read() {
        let numbers = [
            ("0", 0.0),
            ("+3", 3.0),
            ("-12.5", -12.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("000000000000001", 1.0),
            ("0.1", 0.1),
            ("999999999999999", 999_999_999_999_999.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("1e-3", 1e-3),
            ("2E4", 2e4),
            ("1.7976931348623157e308", f64::MAX),
        ];
        for (text, number) in numbers {
            assert_eq!(finite(text.as_bytes()), Some(number), "{text}");
        }
        assert!(finite(b"-0").unwrap().is_sign_negative());
    }

    #[test]
    fn times_are_whole_seconds() {
        assert_eq!(seconds(b"1700000000"), Some(1_700_000_000));
        assert_eq!(
            seconds(b"9999999999999999999"),
            Some(9_999_999_999_999_999_999)
        );
        for text in ["", "-1", "+1", "1.5", "1e9", "now", "10000000000000000000"] {
            assert_eq!(seconds(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn decimals_are_those_of_the_standard_library(text in "[+-]?[0-9]{0,18}(\\.[0-9]{0,8})?(e-?[0-9]{1,3})?") {
            let expected = by_the_standard_library(&text);
            prop_assert_eq!(finite(text.as_bytes()).map(f64::to_bits), expected.map(f64::to_bits));
        }

        #[test]
        fn any_text_is_read_as_the_standard_library_does(text in "[-+.0-9eEinfa ]{0,12}") {
            let expected = by_the_standard_library(&text);
            prop_assert_eq!(finite(text.as_bytes()).map(f64::to_bits), expected.map(f64::to_bits));
        }

        #[test]
        fn what_is_printed_is_read_back(value in prop::num::f64::NORMAL) {
            prop_assert_eq!(finite(value.to_string().as_bytes()), Some(value));
        }
    }
}

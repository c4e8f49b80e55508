//! Names of what a hub has, parsed: `hub:SERVICE[@BUILD][,FROM..TO]`.

use std::ops::Range;

use hone_fetch::hub::{Time, TimeError};

/// Start of all names.
const PREFIX: &str = "hub:";
/// Seconds before the end of a span that has no beginning.
const DAY_S: u64 = 86_400;

/// What is asked of a hub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Name of the service.
    pub service: String,
    /// First digits of the build id of the service's program, in small letters.
    pub build: Option<String>,
    /// Beginning of the time that is asked for.
    pub from: Option<Time>,
    /// End of the time that is asked for.
    pub to: Option<Time>,
}

/// Reason why a text is no name of anything in a hub.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// The service is missing.
    #[error("the name has no service")]
    NoService,
    /// The build is no beginning of a build id.
    #[error("{build:?} is not the beginning of a build id")]
    Build {
        /// The text after the `@`.
        build: String,
    },
    /// A `%` is not followed by the digits of a letter.
    #[error(
        "a % in the name of a service is followed by two hexadecimal digits, which tell a letter"
    )]
    Escape,
    /// The time is no span.
    #[error("{span:?} is not a span of time")]
    Span {
        /// The text after the comma.
        span: String,
    },
    /// An end of the span is no time.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// The span ends before it begins, or is empty.
    #[error("the span of time ends before it begins")]
    Backwards,
}

impl Query {
    /// Returns true if a text names something in a hub. `hub::run` is a function of C++.
    pub fn is_name(text: &str) -> bool {
        let rest = text.strip_prefix(PREFIX);
        rest.is_some_and(|rest| !rest.starts_with(':'))
    }

    /// Parses a name.
    ///
    /// # Errors
    ///
    /// Returns an error that names the part which cannot be read.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let text = text.strip_prefix(PREFIX).ok_or(QueryError::NoService)?;
        let (whose, span) = match text.split_once(',') {
            Some((whose, span)) => (whose, Some(span)),
            None => (text, None),
        };
        let (service, build) = match whose.rsplit_once('@') {
            Some((service, build)) => (service, Some(build_prefix(build)?)),
            None => (whose, None),
        };
        if service.is_empty() {
            return Err(QueryError::NoService);
        }
        let (from, to) = span.map_or(Ok((None, None)), ends)?;
        Ok(Self {
            service: unescaped(service)?,
            build,
            from,
            to,
        })
    }

    /// Returns the parameters by which a hub is asked, for a time now in seconds since 1970. Without a span they tell no
    /// time, which stands for the last day; a span without a beginning is of a day.
    ///
    /// # Errors
    ///
    /// Returns an error if the span ends before it begins.
    pub fn parameters(&self, now_s: u64) -> Result<Vec<(&'static str, String)>, QueryError> {
        let mut parameters = vec![("service", self.service.clone())];
        parameters.extend(self.build.clone().map(|build| ("build", build)));
        if self.from.is_none() && self.to.is_none() {
            return Ok(parameters);
        }
        let Range { start, end } = self.span_s(now_s)?;
        parameters.push(("from", start.to_string()));
        parameters.push(("to", end.to_string()));
        Ok(parameters)
    }

    /// Returns the time that is asked for, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Returns an error if the span ends before it begins.
    pub fn span_s(&self, now_s: u64) -> Result<Range<u64>, QueryError> {
        let to_s = self.to.unwrap_or(Time::Before(0)).seconds(now_s);
        let day_before = Time::At(to_s.saturating_sub(DAY_S));
        let from_s = self.from.unwrap_or(day_before).seconds(now_s);
        if from_s >= to_s {
            return Err(QueryError::Backwards);
        }
        Ok(from_s..to_s)
    }

    /// Returns a name for files about the answer: the service and the build, without letters that paths give a meaning.
    pub fn file_stem(&self) -> String {
        let service = self
            .service
            .trim_start_matches('.')
            .replace(['/', '\0'], "-");
        match &self.build {
            Some(build) => format!("{service}@{build}"),
            None => service,
        }
    }
}

fn build_prefix(text: &str) -> Result<String, QueryError> {
    let is_hex = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_hex {
        true => Ok(text.to_ascii_lowercase()),
        false => Err(QueryError::Build {
            build: text.to_owned(),
        }),
    }
}

/// Parses `FROM..TO`.
fn ends(span: &str) -> Result<(Option<Time>, Option<Time>), QueryError> {
    let bad = || QueryError::Span {
        span: span.to_owned(),
    };
    let (from, to) = span.split_once("..").ok_or_else(bad)?;
    if from.is_empty() && to.is_empty() {
        return Err(bad());
    }
    let end = |text: &str| (!text.is_empty()).then(|| Time::parse(text)).transpose();
    Ok((end(from)?, end(to)?))
}

/// Replaces `%40` and the like by the letters that they stand for.
fn unescaped(text: &str) -> Result<String, QueryError> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).ok_or(QueryError::Escape)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex);
        bytes.push(byte.ok_or(QueryError::Escape)?);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).map_err(|_| QueryError::Escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_S: u64 = 1_764_000_000;

    /// The parameters for a name, as in an address, or the error.
    fn asked(name: &str) -> String {
        let parameters = Query::parse(name).and_then(|query| query.parameters(NOW_S));
        match parameters {
            Ok(parameters) => {
                let parts = parameters
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"));
                parts.collect::<Vec<_>>().join("&")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_name_tells_service_build_and_time() {
        for (name, expected) in [
            ("hub:checkout", "service=checkout"),
            ("hub:checkout@1F3a", "service=checkout&build=1f3a"),
            (
                "hub:checkout,-1d..",
                "service=checkout&from=1763913600&to=1764000000",
            ),
            (
                "hub:checkout,-2d..-1d",
                "service=checkout&from=1763827200&to=1763913600",
            ),
            (
                "hub:checkout@ab,-6h..-30m",
                "service=checkout&build=ab&from=1763978400&to=1763998200",
            ),
            (
                "hub:a b/c,1700000000..now",
                "service=a b/c&from=1700000000&to=1764000000",
            ),
            (
                "hub:x,2025-11-24T15:00:00Z..2025-11-24T17:00:00.5+01:00",
                "service=x&from=1763996400&to=1764000000",
            ),
            // Without a beginning, a day.
            ("hub:x,..-1w", "service=x&from=1763308800&to=1763395200"),
            ("hub:x,-90s..", "service=x&from=1763999910&to=1764000000"),
        ] {
            assert_eq!(asked(name), expected, "{name}");
        }
    }

    #[test]
    fn names_that_cannot_be_read_say_which_part() {
        for (name, expected) in [
            ("hub:", "the name has no service"),
            ("hub:@ab", "the name has no service"),
            ("hub:,-1d..", "the name has no service"),
            ("hub:x@", "\"\" is not the beginning of a build id"),
            ("hub:x@new", "\"new\" is not the beginning of a build id"),
            ("hub:x,", "\"\" is not a span of time"),
            ("hub:x,..", "\"..\" is not a span of time"),
            ("hub:x,-1d", "\"-1d\" is not a span of time"),
            ("hub:x,yesterday..", "\"yesterday\" is not a time"),
            ("hub:x,-1y..", "\"-1y\" is not a time"),
            ("hub:x,-d..", "\"-d\" is not a time"),
            ("hub:x,-+1d..", "\"-+1d\" is not a time"),
            ("hub:x,-1\u{e9}..", "\"-1\u{e9}\" is not a time"),
            ("hub:x,..2026-11-26", "\"2026-11-26\" is not a time"),
            (
                "hub:x,1960-01-01T00:00:00Z..",
                "\"1960-01-01T00:00:00Z\" is not a time",
            ),
            (
                "hub:x,99999999999999999999..",
                "\"99999999999999999999\" is not a time",
            ),
            (
                "hub:x,-99999999999999999d..",
                "\"-99999999999999999d\" is not a time",
            ),
            ("hub:x,-1d..-2d", "the span of time ends before it begins"),
            ("hub:x,now..now", "the span of time ends before it begins"),
        ] {
            assert_eq!(asked(name), expected, "{name}");
        }
    }

    #[test]
    fn letters_with_a_meaning_can_belong_to_a_service() {
        assert_eq!(asked("hub:tty%401"), "service=tty@1");
        assert_eq!(asked("hub:a%2Cb%25@ff"), "service=a,b%&build=ff");
        for name in ["hub:50%", "hub:50%x1", "hub:%+1", "hub:%ff"] {
            assert_eq!(asked(name), QueryError::Escape.to_string(), "{name}");
        }
    }

    #[test]
    fn functions_and_files_are_no_names() {
        assert!(Query::is_name("hub:checkout") && Query::is_name("hub:"));
        for other in ["hub::Server::run", "hub", "./hub:checkout", "hone.data"] {
            assert!(!Query::is_name(other), "{other}");
        }
    }

    #[test]
    fn files_are_called_by_service_and_build() {
        let stem = |name: &str| Query::parse(name).unwrap().file_stem();
        assert_eq!(stem("hub:checkout@AB,-1d.."), "checkout@ab");
        assert_eq!(stem("hub:../shop/web"), "-shop-web");
    }
}

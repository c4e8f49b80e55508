//! DogStatsD's events and service checks, which are not samples.
//!
//! ```text
//! _e{5,4}:title|text|d:1700000000|h:host|k:key|p:low|s:source|t:error|#tag,tag|c:container
//! _sc|name|0|d:1700000000|h:host|#tag,tag|c:container|m:message
//! ```
//!
//! The lengths of title and text are in bytes; newlines in them are written as `\n`. A message is the last field of a check
//! and may hold bars.

use crate::protocol::number;

/// An event or a service check, borrowed from its line. Its texts may be any bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice<'l> {
    /// Content of the event or check.
    pub what: What<'l>,
    /// Time in seconds since 1970; `None` means now.
    pub time_s: Option<u64>,
    /// Host that the event or check is about.
    pub host: Option<&'l [u8]>,
    /// Tags, separated by commas.
    pub tags: &'l [u8],
    /// Container that sent the event or check.
    pub container: Option<&'l [u8]>,
}

/// Content of an event or a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What<'l> {
    /// An event.
    Event {
        /// Title of the event.
        title: &'l [u8],
        /// Text of the event.
        text: &'l [u8],
        /// Key that is the same for events that belong together.
        key: Option<&'l [u8]>,
        /// `normal` or `low`.
        priority: Option<&'l [u8]>,
        /// Source of the event.
        source: Option<&'l [u8]>,
        /// `error`, `warning`, `info` or `success`.
        alert: Option<&'l [u8]>,
    },
    /// State of a service.
    Check {
        /// Name of the check.
        name: &'l [u8],
        /// State from 0 to 3: OK, warning, critical, unknown.
        status: u8,
        /// Reason for the state, in words.
        message: Option<&'l [u8]>,
    },
}

/// Reads a line that begins with `_e{` or `_sc|`; `None` if it is malformed.
pub fn notice(line: &[u8]) -> Option<Notice<'_>> {
    let mut notice = Notice {
        what: What::Check {
            name: b"",
            status: 0,
            message: None,
        },
        time_s: None,
        host: None,
        tags: b"",
        container: None,
    };
    match line.strip_prefix(b"_e{") {
        Some(event) => self::event(event, &mut notice)?,
        None => check(line.strip_prefix(b"_sc|")?, &mut notice)?,
    }
    Some(notice)
}

fn event<'l>(line: &'l [u8], notice: &mut Notice<'l>) -> Option<()> {
    let (lengths, behind) = cut(line, b'}')?;
    let (title_bytes, text_bytes) = cut(lengths, b',')?;
    let length = |text| usize::try_from(number::seconds(text)?).ok();
    let (title, behind) = behind
        .strip_prefix(b":")?
        .split_at_checked(length(title_bytes)?)?;
    let (text, behind) = behind
        .strip_prefix(b"|")?
        .split_at_checked(length(text_bytes)?)?;
    if title.is_empty() {
        return None;
    }
    let [mut key, mut priority, mut source, mut alert] = [None; 4];
    for field in fields(behind)? {
        match field {
            [b'k', b':', field @ ..] => key = Some(field),
            [b'p', b':', field @ ..] => priority = Some(field),
            [b's', b':', field @ ..] => source = Some(field),
            [b't', b':', field @ ..] => alert = Some(field),
            field => notice.common(field)?,
        }
    }
    notice.what = What::Event {
        title,
        text,
        key,
        priority,
        source,
        alert,
    };
    Some(())
}

fn check<'l>(line: &'l [u8], notice: &mut Notice<'l>) -> Option<()> {
    let (name, behind) = cut(line, b'|')?;
    let (status, behind) = behind.split_first()?;
    let status = status.checked_sub(b'0').filter(|status| *status <= 3)?;
    let behind_message = memchr::memmem::find(behind, b"|m:");
    let (behind, message) = match behind_message {
        Some(at) => (&behind[..at], Some(&behind[at + 3..])),
        None => (behind, None),
    };
    for field in fields(behind)? {
        notice.common(field)?;
    }
    notice.what = What::Check {
        name,
        status,
        message,
    };
    (!name.is_empty()).then_some(())
}

impl<'l> Notice<'l> {
    /// Reads a field that events and checks have in common. Other fields are skipped.
    fn common(&mut self, field: &'l [u8]) -> Option<()> {
        match field {
            [b'd', b':', time @ ..] => self.time_s = Some(number::seconds(time)?),
            [b'h', b':', host @ ..] => self.host = Some(host),
            [b'c', b':', container @ ..] => self.container = Some(container),
            [b'#', tags @ ..] => self.tags = tags,
            _ => {}
        }
        Some(())
    }
}

/// Splits text into the fields between bars; `None` if the text is neither empty nor begins with a bar.
fn fields(text: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let fields = match text {
        [] => None,
        [b'|', fields @ ..] => Some(fields),
        _ => return None,
    };
    Some(
        fields
            .into_iter()
            .flat_map(|fields| fields.split(|byte| *byte == b'|')),
    )
}

fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = memchr::memchr(at, text)?;
    Some((&text[..place], &text[place + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_event_with_all_its_fields() {
        let line = b"_e{5,9}:ti|le|a|b\\nc: d|d:1700000000|h:web1|k:deploy|p:low|s:ci|t:error|#env:prod,x|c:ci-7|new:1";
        let expected = Notice {
            what: What::Event {
                title: b"ti|le",
                text: b"a|b\\nc: d",
                key: Some(b"deploy"),
                priority: Some(b"low"),
                source: Some(b"ci"),
                alert: Some(b"error"),
            },
            time_s: Some(1_700_000_000),
            host: Some(b"web1"),
            tags: b"env:prod,x",
            container: Some(b"ci-7"),
        };
        assert_eq!(notice(line), Some(expected));
        let plain = notice(b"_e{1,0}:t|").unwrap();
        assert!(matches!(
            plain.what,
            What::Event {
                title: b"t",
                text: b"",
                key: None,
                ..
            }
        ));
    }

    #[test]
    fn a_check_with_all_its_fields() {
        let line = b"_sc|redis|2|d:1700000000|h:web1|#env:prod|c:ci-7|m:no|answer: #1";
        let expected = Notice {
            what: What::Check {
                name: b"redis",
                status: 2,
                message: Some(b"no|answer: #1"),
            },
            time_s: Some(1_700_000_000),
            host: Some(b"web1"),
            tags: b"env:prod",
            container: Some(b"ci-7"),
        };
        assert_eq!(notice(line), Some(expected));
        assert!(notice(b"_sc|redis|0").is_some());
    }

    #[test]
    fn what_is_malformed_is_none() {
        for line in [
            "_e{5,4}:title|tex",
            "_e{5}:title|text",
            "_e{5,4:title|text",
            "_e{x,4}:title|text",
            "_e{0,4}:|text",
            "_e{5,4}title|text",
            "_e{5,4}:title|texts",
            "_e{5,4}:title|text|d:now",
            "_e{18446744073709551615,4}:title|text",
            "_e{9999999999999999999,9999999999999999999}:t|t",
            "_sc|redis",
            "_sc|redis|4",
            "_sc|redis|",
            "_sc|redis|00",
            "_sc||0",
            "_sc|redis|0|d:",
        ] {
            assert_eq!(notice(line.as_bytes()), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_not(rest in "[{}|:,#a-e0-9]{0,60}") {
            notice(format!("_e{{{rest}").as_bytes());
            notice(format!("_sc|{rest}").as_bytes());
        }
    }
}

//! The first line of a sample: the requested fields out of command, process, thread, CPU, time, period, event and
//! address.

/// Content of the line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Header<'t> {
    pub(super) command: String,
    pub(super) pid: Option<i32>,
    pub(super) tid: Option<i32>,
    pub(super) time_ns: u64,
    pub(super) period: Option<u64>,
    pub(super) event: Option<&'t str>,
    pub(super) ip: Option<u64>,
    /// Text behind the address: its symbol and its file, as far as they were asked for.
    pub(super) behind_ip: &'t str,
}

/// Lowest column in which an address at the start of a line ends: perf prints the address 16 wide, after blanks that
/// depend on its version.
const ADDRESS_END_MIN: usize = 16;
/// Maximum length of a command name in the kernel, in bytes.
const COMMAND_BYTES_MAX: usize = 15;

/// Parses the words before the first branch; `None` if these words are not the start of a sample.
pub(super) fn parse<'t>(line: &'t str, words: &[&'t str]) -> Option<Header<'t>> {
    let mut header = Header::default();
    if let Some(ip) = lone_address(line, words) {
        header.ip = Some(ip);
        header.behind_ip = behind(line, words, 0);
        return Some(header);
    }
    let time = words.iter().position(|word| time_ns(word).is_some());
    let cpu = words
        .iter()
        .position(|word| is_cpu(word))
        .filter(|&cpu| time.is_none_or(|time| cpu < time));
    let mut next = 0;
    if let Some(at) = task_at(words, cpu, time) {
        let (pid, tid) = task(words[at])?;
        (header.pid, header.tid) = (Some(pid), Some(tid));
        header.command = words[..at].join(" ");
        next = at + 1;
    }
    if next == 0
        && let Some(at) = cpu.or(time)
    {
        header.command = words[..at].join(" ");
    }
    next = next.max(cpu.map_or(0, |at| at + 1));
    if let Some(at) = time {
        header.time_ns = time_ns(words[at])?;
        next = next.max(at + 1);
    }
    // Nothing but a command's name comes before the event; an address or nothing follows the event.
    let event = words.iter().position(|word| is_event(word));
    let is_last = |at: usize| words.get(at + 1).is_none_or(|word| address(word).is_some());
    if next == 0 && event.is_some_and(|at| (1..=2).contains(&at) && is_last(at)) {
        header.command = words[0].to_owned();
        next = 1;
    }
    if words.get(next + 1).is_some_and(|word| is_event(word))
        && let Ok(period) = words[next].parse()
    {
        header.period = Some(period);
        next += 1;
    }
    if let Some(event) = words.get(next).copied().filter(|word| is_event(word)) {
        header.event = event.strip_suffix(':');
        next += 1;
    }
    if next == 0 {
        next = after_command(line, words)?;
        let ids = (next > 1).then(|| task(words[next - 1])).flatten();
        (header.pid, header.tid) = ids.unzip();
        header.command = words[..next - usize::from(ids.is_some())].join(" ");
    }
    header.ip = words.get(next).and_then(|word| address(word));
    if header.ip.is_some() {
        header.behind_ip = behind(line, words, next);
    }
    Some(header)
}

/// Returns the text of the line behind a word, as far as the words go.
fn behind<'t>(line: &'t str, words: &[&'t str], at: usize) -> &'t str {
    let ends = words.get(at).zip(words.last());
    let text = ends.and_then(|(word, last)| line.get(end_of(line, word)..end_of(line, last)));
    text.unwrap_or_default()
}

/// Parses a command's name and its ids, if no other field was asked for and the addresses are in lines of their own.
pub(super) fn command<'t>(words: &[&'t str]) -> Option<Header<'t>> {
    let (last, before) = words.split_last()?;
    let ids = task(last).filter(|_| !before.is_empty());
    let name = match ids {
        Some(_) => before.join(" "),
        None => words.join(" "),
    };
    let (pid, tid) = ids.unzip();
    (name.len() <= COMMAND_BYTES_MAX).then(|| Header {
        command: name,
        pid,
        tid,
        ..Header::default()
    })
}

/// Returns an address with nothing of the sample before it. The words after the address are its symbol and its file.
///
/// Names of commands end in the same column and may look like addresses (`dd`), but then other fields follow.
pub(super) fn lone_address(line: &str, words: &[&str]) -> Option<u64> {
    let first = words.first()?;
    let is_alone = words.len() == 1 && task(first).is_none();
    let is_first = is_alone || end_of(line, first) >= ADDRESS_END_MIN;
    let is_more = |word: &&str| {
        task(word).is_some() || is_cpu(word) || time_ns(word).is_some() || is_event(word)
    };
    if !is_first || words.get(1).is_some_and(is_more) || after_command(line, words).is_some() {
        return None;
    }
    address(first)
}

/// Returns the index of the address after a command's name, by its column.
fn after_command(line: &str, words: &[&str]) -> Option<usize> {
    let is_address = |pair: &[&str]| {
        address(pair[1]).is_some()
            && end_of(line, pair[1]) - end_of(line, pair[0]) >= ADDRESS_END_MIN
    };
    words.windows(2).position(is_address).map(|at| at + 1)
}

/// Returns the column in which a word of the line ends.
fn end_of(line: &str, word: &str) -> usize {
    (word.as_ptr() as usize + word.len()).saturating_sub(line.as_ptr() as usize)
}

fn is_event(word: &str) -> bool {
    word.len() > 1 && word.ends_with(':')
}

/// Returns the index of the process and thread: `PID/TID`, or one number before the CPU, the time or the address.
fn task_at(words: &[&str], cpu: Option<usize>, time: Option<usize>) -> Option<usize> {
    let end = cpu.or(time).unwrap_or(words.len());
    let pair = |word: &&str| word.contains('/') && task(word).is_some();
    if let Some(at) = words[..end].iter().position(pair) {
        return Some(at);
    }
    let at = match cpu.or(time) {
        Some(next) => next.checked_sub(1)?,
        None => 0,
    };
    task(words.get(at)?).map(|_| at)
}

fn task(word: &str) -> Option<(i32, i32)> {
    match word.split_once('/') {
        Some((pid, tid)) => Some((pid.parse().ok()?, tid.parse().ok()?)),
        None => {
            let id = word.parse().ok()?;
            Some((id, id))
        }
    }
}

fn is_cpu(word: &str) -> bool {
    word.strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'))
        .is_some_and(|cpu| !cpu.is_empty() && cpu.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Parses `12345.678901:` or, with `--ns`, nine digits.
fn time_ns(word: &str) -> Option<u64> {
    let (seconds, fraction) = word.strip_suffix(':')?.split_once('.')?;
    if fraction.is_empty() || fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<9}").parse().ok()?;
    seconds
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(fraction)
}

/// Parses an address as perf prints it, without `0x`.
pub(super) fn address(word: &str) -> Option<u64> {
    let is_hex = word.len() <= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex {
        u64::from_str_radix(word, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Option<Header<'_>> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        parse(line, &words)
    }

    #[test]
    fn every_choice_of_fields() {
        let full = Header {
            command: "Web Content".into(),
            pid: Some(1234),
            tid: Some(1240),
            time_ns: 12_345_678_901_000,
            period: Some(250_000),
            event: Some("cycles:u"),
            ip: Some(0x401136),
            behind_ip: " main+0x6 (/bin/x)",
        };
        let line = "Web Content  1234/1240  [003] 12345.678901:     250000 cycles:u:            401136 main+0x6 (/bin/x)";
        assert_eq!(header(line), Some(full.clone()));
        let line = "Web Content  1234/1240  [003] 12345.678901:     250000 cycles:u: ";
        let nowhere = Header {
            ip: None,
            behind_ip: "",
            ..full
        };
        assert_eq!(header(line), Some(nowhere));

        let short = Header {
            ip: Some(0x401136),
            ..Header::default()
        };
        assert_eq!(header("          401136 "), Some(short.clone()));
        let named = Header {
            behind_ip: " add (/bin/x)",
            ..short.clone()
        };
        assert_eq!(header("          401136 add (/bin/x)"), Some(named));
        let with_pid = Header {
            pid: Some(77),
            tid: Some(77),
            ..short
        };
        assert_eq!(header("   77           401136"), Some(with_pid.clone()));
        let with_time = Header {
            time_ns: 5_000_000_001,
            command: "x".into(),
            ..with_pid
        };
        assert_eq!(header("x 77 5.000000001: 401136"), Some(with_time));
        assert_eq!(header("int main() { return 0; }"), None);
    }

    #[test]
    fn an_address_that_stands_first_may_end_in_any_column_from_16_on() {
        for line in [
            "          401136",
            "           401136",
            "            401136",
            "                         401136 add (/bin/x)",
            "  40113a",
            "            401136 f",
        ] {
            let ip = header(line).and_then(|header| header.ip);
            assert!(matches!(ip, Some(0x401136 | 0x40113a)), "{line}: {ip:x?}");
        }
        assert_eq!(header("  401136").and_then(|header| header.ip), None);
    }

    #[test]
    fn commands_whose_names_are_hexadecimal_digits() {
        for rest in [
            "   123 [000]     1.000001:     250000 cycles:u:            401136 main",
            "   123/123       1.000001: cycles:u:            401136 main",
            "  [000]     1.000001: cycles:u:            401136 main",
            "     1.000001: cycles:u:            401136 main",
            " cycles:u:            401136 main",
            "           401136 main",
            "   123           401136 main",
        ] {
            for name in ["dd", "  "] {
                let line = format!("{:>16}{rest}", name);
                let header = header(&line).expect("a sample");
                assert_eq!(header.ip, Some(0x401136), "{line}");
                assert_eq!(header.command, name.trim(), "{line}");
            }
        }
    }
}

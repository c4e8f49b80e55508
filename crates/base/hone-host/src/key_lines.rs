//! Files whose lines begin with a name: `cpu.stat` and `memory.stat` of control groups, `/proc/PID/status`.

/// Returns the number after a name and a blank, as in `usage_usec 1750000`; `None` if there is no such line or no such number.
pub fn number(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    value.trim().parse().ok()
}

/// Returns the value of a line `NAME: VALUE`, without the blanks around the value; `name` ends in the colon.
pub fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .map(str::trim)
}

/// Returns the number of bytes in a line `NAME: NUMBER kB`.
pub fn bytes(text: &str, name: &str) -> Option<u64> {
    let kib = field(text, name)?.strip_suffix("kB")?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_behind_their_whole_name() {
        let text = "usage_usec 1750000\nuser_usec 1500000\nnr_periods x\n";
        assert_eq!(number(text, "user_usec"), Some(1_500_000));
        assert_eq!(number(text, "usage"), None);
        assert_eq!(number(text, "nr_periods"), None);
    }

    #[test]
    fn memory_is_told_in_bytes() {
        let text = "Name:\tagent\nVmHWM:\t    9 kB\nVmRSS:\t    5632 kB\nTgid:\t7\n";
        assert_eq!(bytes(text, "VmRSS:"), Some(5632 << 10));
        assert_eq!(bytes("VmRSS: x", "VmRSS:"), None);
        assert_eq!(field(text, "Tgid:"), Some("7"));
    }
}

//! One entry of a branch stack: `0xFROM/0xTO/P/-/-/CYCLES/TYPE`, with `(FILE)` after the addresses where
//! the field `dso` was asked for. Tools that place addresses themselves write `BUILD-ID:0xADDRESS` for those in libraries.

use crate::profile::BranchKind;

/// An address; with a build id before it, an address in the own view of the file with that id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End<'t> {
    pub(super) address: u64,
    pub(super) build: Option<&'t str>,
}

/// A branch between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Branch<P> {
    pub(super) from: P,
    pub(super) to: P,
    pub(super) mispredicted: bool,
    /// True if the branch was not taken; newer CPUs record such conditional branches too.
    pub(super) not_taken: bool,
    pub(super) kind: BranchKind,
}

impl<P> Branch<P> {
    /// Returns the branch between other forms of its places.
    pub(super) fn map<Q>(self, mut place: impl FnMut(P) -> Q) -> Branch<Q> {
        Branch {
            from: place(self.from),
            to: place(self.to),
            mispredicted: self.mispredicted,
            not_taken: self.not_taken,
            kind: self.kind,
        }
    }
}

/// Parses one word; `None` if the word is not an entry of a branch stack.
pub(super) fn parse(word: &str) -> Option<Branch<End<'_>>> {
    let (from, rest) = end(word)?;
    let (to, rest) = end(rest)?;
    let mut fields = rest.split('/');
    let prediction = fields.next()?;
    let is_flags = |text: &str| {
        text.len() <= 3
            && text
                .bytes()
                .all(|b| b == b'-' || b.is_ascii_uppercase() || b == b'?')
    };
    if !is_flags(prediction) || !fields.next().is_some_and(is_flags) {
        return None;
    }
    fields.next()?;
    let kind = fields.nth(1).unwrap_or("");
    Some(Branch {
        from,
        to,
        mispredicted: prediction.contains('M'),
        not_taken: prediction.contains('N'),
        kind: kind_of(kind),
    })
}

/// Parses the address of a frame as tools write it: with a build id, with `0x`, or with neither.
pub(super) fn lone_end(word: &str) -> Option<End<'_>> {
    let (build, rest) = split_build(word);
    let digits = rest.strip_prefix("0x").unwrap_or(rest);
    Some(End {
        address: super::header::address(digits)?,
        build,
    })
}

/// Splits a build id from the address behind it.
fn split_build(text: &str) -> (Option<&str>, &str) {
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(':') {
        Some((id, rest)) if is_id(id) => (Some(id), rest),
        _ => (None, text),
    }
}

/// Parses one address with its slash; returns the rest too.
fn end(text: &str) -> Option<(End<'_>, &str)> {
    let (build, text) = split_build(text);
    let digits = text.strip_prefix("0x")?;
    let len = digits
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    let address = u64::from_str_radix(&digits[..len], 16).ok()?;
    let rest = &digits[len..];
    let rest = if rest.starts_with('(') {
        &rest[rest.find(")/")? + 1..]
    } else {
        rest
    };
    Some((End { address, build }, rest.strip_prefix('/')?))
}

fn kind_of(name: &str) -> BranchKind {
    match name {
        "COND" => BranchKind::Conditional,
        "UNCOND" => BranchKind::Jump,
        "IND" => BranchKind::IndirectJump,
        "CALL" => BranchKind::Call,
        "IND_CALL" => BranchKind::IndirectCall,
        "RET" | "COND_RET" => BranchKind::Return,
        "SYSCALL" | "SYSRET" | "IRQ" | "ERET" => BranchKind::System,
        _ => BranchKind::Unknown,
    }
}

/// Returns true if a word is an entry with symbols in place of addresses, as `brstacksym` prints them.
pub(super) fn has_symbols(word: &str) -> bool {
    if word.starts_with("0x") || !word.contains('/') {
        return false;
    }
    let fields: Vec<&str> = word.split('/').collect();
    let is_flags = |window: &[&str]| {
        matches!(window[0], "M" | "P" | "-" | "MN" | "PN")
            && matches!(window[1], "X" | "-")
            && matches!(window[2], "A" | "-")
    };
    fields.len() >= 5 && fields[2..].windows(3).any(is_flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_all_perf_versions() {
        let place = |address, build| End { address, build };
        let plain = Branch {
            from: place(0x401136, None),
            to: place(0x401120, None),
            mispredicted: false,
            not_taken: false,
            kind: BranchKind::Unknown,
        };
        for word in [
            "0x401136/0x401120/P/-/-/1",
            "0x401136/0x401120/-/-/-/0/",
            "0x401136/0x401120/P/-/-/0/N/A",
            "0x401136(/a/b)/0x401120([x](y))/P/-/-/0//",
        ] {
            assert_eq!(parse(word), Some(plain), "{word}");
        }
        let in_library = parse("0aff:0x401136/0x401120/P/-/-/1");
        let from = place(0x401136, Some("0aff"));
        assert_eq!(in_library, Some(Branch { from, ..plain }));
        let mispredicted = parse("0x1/0x2/M/-/-/3/COND/-").expect("an entry");
        assert!(mispredicted.mispredicted && mispredicted.kind == BranchKind::Conditional);
        assert!(
            parse("0x1/0x2/PN/-/-/3/COND/-")
                .expect("an entry")
                .not_taken
        );
        for word in ["0x1/0x2", "0x1/", "/usr/lib/x/-/-/0", "0xg/0x1/P/-/-/1", ""] {
            assert_eq!(parse(word), None, "{word}");
        }
    }

    #[test]
    fn symbols_are_told_from_paths() {
        assert!(has_symbols("main+0x1c/foo+0x0/P/-/-/0"));
        assert!(has_symbols("[unknown]/operator/+0x1/M/X/A/12"));
        assert!(!has_symbols("(/usr/lib/a/b/c/d)"));
        assert!(!has_symbols("0x1/0x2/P/-/-/0"));
    }
}

//! Names and numbers in a line of IR.

/// Returns the name of the block that begins at this line.
pub(super) fn label(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix('"') {
        let (name, behind) = rest.split_once('"')?;
        return behind.starts_with(':').then(|| unescaped(name));
    }
    let (name, _) = line.split_once(':')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-$._".contains(&byte);
    (!name.is_empty() && name.bytes().all(is_plain)).then(|| name.to_owned())
}

/// Returns the names of the blocks in an instruction.
pub(super) fn labels(instruction: &str) -> impl Iterator<Item = String> + '_ {
    let parts = instruction.split("label ").skip(1);
    parts.filter_map(|part| name_behind(part, '%'))
}

/// Returns the name that follows the first `sigil`.
pub(super) fn name_behind(text: &str, sigil: char) -> Option<String> {
    name_and_rest(text, sigil).map(|(name, _)| name)
}

/// Returns the name that follows the first `sigil`, and the text behind the name.
pub(super) fn name_and_rest(text: &str, sigil: char) -> Option<(String, &str)> {
    let (_, rest) = text.split_once(sigil)?;
    if let Some(quoted) = rest.strip_prefix('"') {
        let (name, behind) = quoted.split_once('"').unwrap_or((quoted, ""));
        return Some((unescaped(name), behind));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
    let end = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
    Some((rest[..end].to_owned(), &rest[end..]))
}

/// Parses the number at the end of an argument such as `i64 -7`, in two's complement.
pub(super) fn last_number(argument: &str) -> Option<u64> {
    let argument = argument.split(')').next()?;
    signed(argument.rsplit(' ').next()?)
}

pub(super) fn signed(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.parse::<i64>() {
        Ok(number) => Some(number as u64),
        Err(_) => text.parse().ok(),
    }
}

pub(super) fn number_behind(text: &str, mark: &str) -> Option<u64> {
    let (_, rest) = text.split_once(mark)?;
    let end = rest.find(|c: char| !c.is_ascii_digit());
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

/// Decodes LLVM's escapes in a name: a backslash and two hexadecimal digits.
pub(super) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).filter(|_| *first == b'\\');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_escapes() {
        assert_eq!(unescaped(r"a\20b\5C"), r"a b\");
        assert_eq!(unescaped(r"\x\"), r"\x\");
        assert_eq!(unescaped("\\é"), "\\é");
    }
}

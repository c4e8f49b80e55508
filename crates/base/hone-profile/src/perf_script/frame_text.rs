//! The text behind an address: its symbol and its file, such as `main+0x6 (/bin/x)`. Either may be missing.

/// Text in place of a symbol or a file that perf does not know.
const UNKNOWN: &str = "[unknown]";
/// Text in place of the file of a function that is inlined into the one of the next line.
const INLINED: &str = "inlined";

/// Symbol and file behind an address, as far as perf printed and knew them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FrameText<'t> {
    /// Name of the function, without the offset in it.
    pub(super) function: Option<&'t str>,
    pub(super) file: Option<&'t str>,
    /// True for a function that is inlined into the one of the next line.
    pub(super) is_inlined: bool,
}

/// Parses the text.
pub(super) fn parse(text: &str) -> FrameText<'_> {
    let (symbol, file) = split(text.trim());
    let is_inlined = file == Some(INLINED);
    let known = |text: &&str| !text.is_empty() && *text != UNKNOWN;
    FrameText {
        function: Some(without_offset(symbol.trim())).filter(known),
        file: file.filter(|_| !is_inlined).filter(known),
        is_inlined,
    }
}

/// Splits the symbol from the file in the last brackets. The path of a deleted file ends with brackets of its own, and types in
/// a symbol's brackets are no file.
fn split(text: &str) -> (&str, Option<&str>) {
    let Some(inner) = text.strip_suffix(')') else {
        return (text, None);
    };
    let path = inner.strip_suffix(" (deleted)").unwrap_or(inner);
    let bracket = match path.rfind(" (") {
        Some(space) => Some(space + 1),
        None if path.starts_with('(') && !path.contains(')') => Some(0),
        None => None,
    };
    let file = |at: usize| {
        inner
            .get(at + 1..)
            .filter(|file| !file.starts_with(['*', '&']))
    };
    match bracket.and_then(|at| Some((at, file(at)?))) {
        Some((at, file)) => (&text[..at], Some(file)),
        None => (text, None),
    }
}

/// Takes the offset, such as `+0x6`, from a symbol.
fn without_offset(symbol: &str) -> &str {
    match symbol.rsplit_once("+0x") {
        Some((name, offset)) if offset.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_files_as_perf_prints_them() {
        for (text, function, file) in [
            (" main+0x6 (/bin/x)", Some("main"), Some("/bin/x")),
            ("main (/bin/x)", Some("main"), Some("/bin/x")),
            ("main+0x6", Some("main"), None),
            ("(/bin/x)", None, Some("/bin/x")),
            ("", None, None),
            ("[unknown] (/bin/x)", None, Some("/bin/x")),
            ("[unknown] ([unknown])", None, None),
            (
                "idle+0x1 ([kernel.kallsyms])",
                Some("idle"),
                Some("[kernel.kallsyms]"),
            ),
            (
                "f+0x1 (/tmp/a b (deleted))",
                Some("f"),
                Some("/tmp/a b (deleted)"),
            ),
            ("(/tmp/a (deleted))", None, Some("/tmp/a (deleted)")),
            (
                "operator()(int) const+0x12 (/bin/x)",
                Some("operator()(int) const"),
                Some("/bin/x"),
            ),
            (
                "(anonymous namespace)::f(int)+0x1",
                Some("(anonymous namespace)::f(int)"),
                None,
            ),
            (
                "(anonymous namespace)::f(int)",
                Some("(anonymous namespace)::f(int)"),
                None,
            ),
            (
                "sort(int (*)(int, int))",
                Some("sort(int (*)(int, int))"),
                None,
            ),
            (
                "<A as B<C>>::f+0xbf (/bin/x)",
                Some("<A as B<C>>::f"),
                Some("/bin/x"),
            ),
            ("main.(*T).f (/bin/x)", Some("main.(*T).f"), Some("/bin/x")),
        ] {
            let is_inlined = false;
            let expected = FrameText {
                function,
                file,
                is_inlined,
            };
            assert_eq!(parse(text), expected, "{text}");
        }
        let inlined = FrameText {
            function: Some("step"),
            file: None,
            is_inlined: true,
        };
        assert_eq!(parse("step+0x1 (inlined)"), inlined);
    }
}

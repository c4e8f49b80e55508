//! Symbols and debug information stay in builds that profiles are made of, though the user's own build takes them away.

use super::plain_name;

/// Tools that take symbols away, wrapped by this name.
pub const STRIP_NAME: &str = "strip";

/// What asks a linker to take symbols or debug information away.
const ASKS: &[&str] = &["-s", "-S", "--strip-all", "--strip-debug"];

/// Takes from a link what would take the symbols away.
pub(super) fn keep(arguments: &mut Vec<String>) {
    // A driver's own -S is another thing: assembler in place of an object.
    arguments.retain(|argument| argument != "-s");
    for argument in arguments.iter_mut() {
        if let Some(parts) = argument.strip_prefix("-Wl,") {
            let kept: Vec<&str> = parts
                .split(',')
                .filter(|part| !ASKS.contains(part))
                .collect();
            *argument = format!("-Wl,{}", kept.join(","));
        }
    }
    arguments.retain(|argument| argument != "-Wl,");
}

/// Whether a call of a wrapped tool would take symbols away from a file, and is left out. One that writes another file
/// (`-o`) is not: somebody waits for that file.
pub fn is_left_out(name: &str, arguments: &[String]) -> bool {
    let writes_another =
        |argument: &String| argument.starts_with("-o") || argument.starts_with("--output");
    plain_name(name) == STRIP_NAME && !arguments.iter().any(writes_another)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(Into::into).collect()
    }

    #[test]
    fn a_link_keeps_its_symbols() {
        let mut arguments = list("a.o -s -Wl,-s,-z,now -Wl,--strip-all -Wl,-soname,s -o a");
        keep(&mut arguments);
        assert_eq!(arguments, list("a.o -Wl,-z,now -Wl,-soname,s -o a"));
    }

    #[test]
    fn strip_does_nothing_unless_somebody_waits_for_its_file() {
        let left_out = |name: &str, text: &str| is_left_out(name, &list(text));
        assert!(left_out("strip", "a") && left_out("llvm-strip-19", "--strip-all a"));
        assert!(!left_out("strip", "-o b a") && !left_out("ar", "rcs x.a"));
    }
}

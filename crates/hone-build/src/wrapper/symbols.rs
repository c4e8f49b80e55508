//! Symbols and debug information stay in builds that profiles are made of, though the user's own build takes them away.

use super::plain_name;
use std::path::PathBuf;

/// Tools that take symbols away, wrapped by this name.
pub(super) const STRIP_NAME: &str = "strip";

/// What asks a linker to take symbols or debug information away.
const ASKS: &[&str] = &["-s", "-S", "--strip-all", "--strip-debug"];

/// Takes from a link what would take the symbols away.
pub(super) fn keep(arguments: &mut Vec<String>) {
    let mut kept = Vec::with_capacity(arguments.len());
    let mut words = std::mem::take(arguments).into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            // A driver's own -S is another thing: assembler in place of an object.
            "-s" => {}
            "-Xlinker" => {
                let value = words.next();
                let asks = value.as_deref().is_some_and(|value| ASKS.contains(&value));
                if !asks {
                    kept.push(word);
                    kept.extend(value);
                }
            }
            _ => kept.extend(without_asks(word)),
        }
    }
    *arguments = kept;
}

/// A `-Wl,` word without those of its parts, if anything is left.
fn without_asks(word: String) -> Option<String> {
    let Some(parts) = word.strip_prefix("-Wl,") else {
        return Some(word);
    };
    let parts = parts.split(',').filter(|part| !ASKS.contains(part));
    let left: Vec<&str> = parts.collect();
    (!left.is_empty()).then(|| format!("-Wl,{}", left.join(",")))
}

/// What a call of `strip` comes to where symbols stay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stripping {
    /// Nothing: the files stay as they are.
    LeftOut,
    /// The same for one that writes another file, which somebody waits for.
    Copied {
        /// The file with its symbols.
        from: PathBuf,
        /// The file that would have none.
        to: PathBuf,
    },
}

/// What comes of a call of a wrapped tool that would take symbols away; `None` for all others, questions and conversions too.
pub fn stripping(name: &str, arguments: &[String]) -> Option<Stripping> {
    if plain_name(name) != STRIP_NAME {
        return None;
    }
    let (mut files, mut output) = (Vec::new(), None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" => output = Some(words.next()?),
            "-R" | "-K" | "-N" | "--remove-section" | "--keep-symbol" | "--strip-symbol" => {
                words.next()?;
            }
            "-s" | "--strip-all" | "-g" | "-S" | "-d" | "--strip-debug" | "--strip-unneeded"
            | "-x" | "--discard-all" | "-X" | "--discard-locals" | "-p" | "--preserve-dates"
            | "-D" | "-U" | "-w" => {}
            long if long.starts_with("--remove-section=") || long.starts_with("--keep-symbol=") => {
            }
            option if option.starts_with('-') => return None,
            _ => files.push(word),
        }
    }
    match (files.as_slice(), output) {
        ([], _) | ([_, _, ..], Some(_)) => None,
        (_, None) => Some(Stripping::LeftOut),
        ([from], Some(to)) => Some(Stripping::Copied {
            from: from.into(),
            to: to.into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::list;
    use super::*;

    #[test]
    fn a_link_keeps_its_symbols() {
        let kept = |text: &str| {
            let mut arguments = list(text);
            keep(&mut arguments);
            arguments
        };
        assert_eq!(
            kept("a.o -s -Wl,-s,-z,now -Wl,--strip-all -Wl,-soname,s -o a"),
            list("a.o -Wl,-z,now -Wl,-soname,s -o a")
        );
        assert_eq!(
            kept("-Xlinker -s a.o -Xlinker --strip-all -Xlinker -z -Xlinker now -o a"),
            list("a.o -Xlinker -z -Xlinker now -o a")
        );
    }

    #[test]
    fn strip_takes_nothing_away() {
        let comes_to = |name: &str, text: &str| stripping(name, &list(text));
        for (name, text) in [
            ("strip", "a"),
            ("llvm-strip-19", "--strip-all a b"),
            (
                "x86_64-linux-gnu-strip",
                "-s -R .comment --remove-section=.note a",
            ),
        ] {
            assert_eq!(
                comes_to(name, text),
                Some(Stripping::LeftOut),
                "{name} {text}"
            );
        }
        let copied = Stripping::Copied {
            from: "a".into(),
            to: "b".into(),
        };
        assert_eq!(comes_to("strip", "-g -o b a"), Some(copied));
        for (name, text) in [
            ("ar", "rcs x.a"),
            ("strip", ""),
            ("strip", "-V"),
            ("strip", "--version"),
            ("strip", "-O binary a"),
            ("eu-strip", "-f a.debug a"),
        ] {
            assert_eq!(comes_to(name, text), None, "{name} {text}");
        }
    }
}

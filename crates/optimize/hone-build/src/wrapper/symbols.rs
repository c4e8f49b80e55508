//! Keeps symbols and debug information in builds that profiles are made of, even if the user's own build strips them.

use super::plain_name;
use std::path::PathBuf;

/// Plain name of the wrapped tools that strip symbols.
pub(super) const STRIP_NAME: &str = "strip";

/// Options that make a linker strip symbols or debug information.
const ASKS: &[&str] = &["-s", "-S", "--strip-all", "--strip-debug"];

/// Removes from a link the options that strip symbols.
pub(super) fn keep(arguments: &mut Vec<String>) {
    let mut kept = Vec::with_capacity(arguments.len());
    let mut words = std::mem::take(arguments).into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            // The driver's own -S means something else: assembler in place of an object.
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

/// Returns a `-Wl,` word without the parts that strip symbols, if anything is left.
fn without_asks(word: String) -> Option<String> {
    let Some(parts) = word.strip_prefix("-Wl,") else {
        return Some(word);
    };
    let parts = parts.split(',').filter(|part| !ASKS.contains(part));
    let left: Vec<&str> = parts.collect();
    (!left.is_empty()).then(|| format!("-Wl,{}", left.join(",")))
}

/// Replacement of a call of `strip` that would remove symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stripping {
    /// No action: the files stay as they are.
    LeftOut,
    /// A copy instead of a stripped file, for a call that writes another file, which the build expects.
    Copied {
        /// The file with its symbols.
        from: PathBuf,
        /// The output file, which would have no symbols.
        to: PathBuf,
    },
}

/// Returns what replaces a call of a wrapped tool that would strip symbols; `None` for all others, also for queries and
/// conversions.
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

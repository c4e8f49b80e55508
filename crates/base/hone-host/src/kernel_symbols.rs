//! Functions of the running kernel by address: `/proc/kallsyms`.
//!
//! The kernel tells where symbols start and not where they end. A function ends where the next symbol starts, of whatever
//! kind; behind the last symbol of the kernel or of a module lies memory that may hold anything, such as BPF programs that
//! are not shown.

/// Length at which a function ends at the latest: the longest of a large kernel has about 50 KiB.
const FUNCTION_BYTES_MAX: u64 = 128 << 10;
/// The same for the last symbol of the kernel or a module: a page.
const LAST_BYTES_MAX: u64 = 4096;

/// The kernel's functions, sorted by address.
#[derive(Clone, Debug, Default)]
pub struct KernelSymbols<'t>(Vec<Function<'t>>);

#[derive(Clone, Copy, Debug)]
struct Function<'t> {
    start: u64,
    end: u64,
    name: &'t str,
}

/// A line of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Line<'t> {
    start: u64,
    is_mark: bool,
    name: &'t str,
    kind: &'t str,
    /// Module in brackets; empty for the kernel itself.
    module: &'t str,
}

impl<'t> Line<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let start = u64::from_str_radix(words.next()?, 16).ok()?;
        let (kind, name) = (words.next()?, words.next()?);
        Some(Self {
            start,
            is_mark: is_mark(name),
            name,
            kind,
            module: words.next().unwrap_or_default(),
        })
    }

    fn is_function(&self) -> bool {
        matches!(self.kind, "t" | "T" | "w" | "W") && !self.is_mark
    }
}

impl<'t> KernelSymbols<'t> {
    /// Parses the lines of `/proc/kallsyms`; data and lines of another form are left out.
    pub fn parse(text: &'t str) -> Self {
        let mut lines: Vec<Line<'_>> = text.lines().filter_map(Line::parse).collect();
        lines.sort_unstable();
        let mut functions: Vec<Function<'_>> = Vec::new();
        // The symbol that was looked at before, and the next behind the current address.
        let (mut former, mut behind): (Option<Line<'_>>, Option<Line<'_>>) = (None, None);
        for line in lines.into_iter().rev() {
            if former.is_some_and(|former| former.start > line.start) {
                behind = former;
            }
            former = Some(line);
            let is_alias = functions
                .last()
                .is_some_and(|last| last.start == line.start);
            if line.is_function() && !is_alias {
                let longest = match behind {
                    Some(next) if next.module == line.module => FUNCTION_BYTES_MAX,
                    _ => LAST_BYTES_MAX,
                };
                let end = line.start.saturating_add(longest);
                functions.push(Function {
                    start: line.start,
                    end: behind.map_or(end, |next| end.min(next.start)),
                    name: line.name,
                });
            } else if line.is_function()
                && let Some(last) = functions.last_mut()
            {
                // Of several names for one place, the first by the alphabet.
                last.name = line.name;
            }
        }
        functions.reverse();
        Self(functions)
    }

    /// Returns true if the kernel shows no addresses to the reader, for want of a privilege: all of them are zero.
    pub fn are_hidden(&self) -> bool {
        self.0.iter().all(|function| function.start == 0)
    }

    /// Returns the function that holds an address.
    pub fn at(&self, address: u64) -> Option<&'t str> {
        let next = self.0.partition_point(|function| function.start <= address);
        let function = self.0[..next].last()?;
        (address < function.end).then_some(function.name)
    }
}

/// Returns true if a symbol marks the start or the end of a section and is no function, though its kind says so.
fn is_mark(name: &str) -> bool {
    let of_section =
        name.starts_with("__") && (name.ends_with("_text_start") || name.ends_with("_text_end"));
    of_section || matches!(name, "_etext" | "_einittext" | "_end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u64, Option<&str>)]) {
        let symbols = KernelSymbols::parse(text);
        assert!(!symbols.are_hidden());
        for (address, expected) in expected {
            assert_eq!(symbols.at(*address), *expected, "{address:x}");
        }
    }

    #[test]
    fn functions_are_found_by_their_addresses_and_data_is_left_out() {
        let text = "ffffffff81000100 T second\nffffffff81000000 T _text\nffffffff81000140 D data\n\
                    ffffffffc0000000 t of_module\t[module]\ncut\n";
        check(
            text,
            &[
                (0xffff_ffff_80ff_ffff, None),
                (0xffff_ffff_8100_0000, Some("_text")),
                (0xffff_ffff_8100_0101, Some("second")),
                (0xffff_ffff_8100_0140, None),
                (0xffff_ffff_c000_0004, Some("of_module")),
            ],
        );
    }

    #[test]
    fn the_last_function_of_the_kernel_or_a_module_does_not_cover_what_follows() {
        let text = "ffffffff81000000 T first\nffffffff81000100 T last\nffffffff81000180 T _etext\n\
                    ffffffff82000000 t init\nffffffff82000040 T _einittext\n\
                    ffffffffc0000000 t one\t[a]\nffffffffc0003000 t two\t[a]\n\
                    ffffffffc0010000 t other\t[b]\nffffffffc0020000 t bpf_prog_1_f\t[bpf]\n";
        check(
            text,
            &[
                (0xffff_ffff_8100_017f, Some("last")),
                (0xffff_ffff_8100_0180, None),
                (0xffff_ffff_8200_003f, Some("init")),
                (0xffff_ffff_8200_0040, None),
                (0xffff_ffff_bfff_ffff, None),
                (0xffff_ffff_c000_2fff, Some("one")),
                (0xffff_ffff_c000_3fff, Some("two")),
                (0xffff_ffff_c000_4000, None),
                (0xffff_ffff_c001_0fff, Some("other")),
                (0xffff_ffff_c001_1000, None),
                (0xffff_ffff_c002_0000, Some("bpf_prog_1_f")),
                (u64::MAX, None),
            ],
        );
    }

    #[test]
    fn a_function_has_its_name_and_not_that_of_a_mark_at_the_same_place() {
        let text = "ffffffff81000000 T __lock_text_end\nffffffff81000000 T do_nmi\n\
                    ffffffff81000000 T alias\nffffffff81000010 D data\nffffffff81000020 T next\n";
        check(
            text,
            &[
                (0xffff_ffff_8100_0008, Some("alias")),
                (0xffff_ffff_8100_0010, None),
                (0xffff_ffff_8100_0020, Some("next")),
            ],
        );
    }

    #[test]
    fn addresses_that_are_not_shown_are_told_apart_from_none() {
        assert!(KernelSymbols::parse("0000000000000000 T _text\n").are_hidden());
        assert!(KernelSymbols::parse("").are_hidden());
    }
}

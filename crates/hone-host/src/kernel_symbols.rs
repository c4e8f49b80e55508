//! Functions of the running kernel by address: `/proc/kallsyms`.

/// The kernel's functions, sorted by address.
#[derive(Clone, Debug, Default)]
pub struct KernelSymbols<'t>(Vec<(u64, &'t str)>);

impl<'t> KernelSymbols<'t> {
    /// Parses the lines of `/proc/kallsyms`; data and lines of another form are left out.
    pub fn parse(text: &'t str) -> Self {
        let mut symbols: Vec<(u64, &str)> = text
            .lines()
            .filter_map(|line| {
                let mut words = line.split_ascii_whitespace();
                let address = u64::from_str_radix(words.next()?, 16).ok()?;
                let kind = words.next()?;
                let name = words.next()?;
                matches!(kind, "t" | "T" | "w" | "W").then_some((address, name))
            })
            .collect();
        symbols.sort_unstable();
        symbols.dedup_by_key(|symbol| symbol.0);
        Self(symbols)
    }

    /// Returns true if the kernel shows no addresses to the reader, for want of a privilege: all of them are zero.
    pub fn are_hidden(&self) -> bool {
        self.0.iter().all(|(address, _)| *address == 0)
    }

    /// Returns the function that holds an address, or the last one before it.
    pub fn at(&self, address: u64) -> Option<&'t str> {
        let next = self.0.partition_point(|(start, _)| *start <= address);
        self.0[..next].last().map(|(_, function)| *function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_addresses_and_data_is_left_out() {
        let text = "ffffffff81000100 T second\nffffffff81000000 T _text\nffffffff82000000 D data\n\
                    ffffffffc0000000 t of_module\t[module]\ncut\n";
        let symbols = KernelSymbols::parse(text);
        assert!(!symbols.are_hidden());
        for (address, expected) in [
            (0xffff_ffff_80ff_ffff, None),
            (0xffff_ffff_8100_0000, Some("_text")),
            (0xffff_ffff_8100_0101, Some("second")),
            (0xffff_ffff_8200_0000, Some("second")),
            (0xffff_ffff_c000_0004, Some("of_module")),
        ] {
            assert_eq!(symbols.at(address), expected, "{address:x}");
        }
    }

    #[test]
    fn addresses_that_are_not_shown_are_told_apart_from_none() {
        assert!(KernelSymbols::parse("0000000000000000 T _text\n").are_hidden());
        assert!(KernelSymbols::parse("").are_hidden());
    }
}

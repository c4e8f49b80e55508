//! Demangled names as people write them, for tables with little room.

/// Templates and their usual short names; the rest of the template's arguments is left out.
const SHORT: [(&str, &str); 6] = [
    ("std::__cxx11::basic_string<char,", "std::string"),
    ("std::__1::basic_string<char,", "std::string"),
    ("std::basic_string<char,", "std::string"),
    ("std::basic_string_view<char,", "std::string_view"),
    ("std::basic_ostream<char,", "std::ostream"),
    ("std::basic_istream<char,", "std::istream"),
];

/// Returns a demangled name without `[clone .__uniq...]` and similar suffixes, with `std::string` instead of its long form,
/// and with the middle cut out if the name is longer than `width` characters: the beginning and the end tell most.
pub fn folded(name: &str, width: usize) -> String {
    let name = with_short_names(&without_clones(name));
    let length = name.chars().count();
    if length <= width {
        return name;
    }
    let kept = width.saturating_sub(1);
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    let mut out: String = name.chars().take(head).collect();
    out.push('…');
    out.extend(name.chars().skip(length - tail));
    out
}

fn without_clones(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, from)) = rest.split_once("[clone ") {
        let Some((_, after)) = from.split_once(']') else {
            break;
        };
        out.push_str(before.trim_end());
        rest = after;
    }
    out + rest
}

fn with_short_names(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    loop {
        let places = SHORT
            .iter()
            .filter_map(|known| Some((rest.find(known.0)?, known)));
        let Some((at, (long, short))) = places.min_by_key(|(at, _)| *at) else {
            return out + rest;
        };
        let inside = &rest[at + long.len()..];
        let Some(end) = closing(inside) else {
            return out + rest;
        };
        out.push_str(&rest[..at]);
        out.push_str(short);
        rest = &inside[end + 1..];
        if rest.starts_with(" >") {
            rest = &rest[1..];
        }
    }
}

/// Returns the position of the bracket that closes the brackets within which the text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn what_a_compiler_added_to_a_name_is_left_out() {
        for (name, expected) in [
            ("drain(int) [clone .__uniq.1234567890]", "drain(int)"),
            (
                "drain(int) [clone .__uniq.12] [clone .llvm.7] (a.cc:3)",
                "drain(int) (a.cc:3)",
            ),
            ("plain", "plain"),
            ("broken [clone ", "broken [clone "),
        ] {
            assert_eq!(folded(name, 100), expected);
        }
    }

    #[test]
    fn strings_are_called_so() {
        let long =
            "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        for (name, expected) in [
            (
                format!("f({long} const&)"),
                "f(std::string const&)".to_owned(),
            ),
            (
                format!("std::map<{long}, {long} >::at({long})"),
                "std::map<std::string, std::string>::at(std::string)".to_owned(),
            ),
            (
                "std::basic_string<char, a".to_owned(),
                "std::basic_string<char, a".to_owned(),
            ),
        ] {
            assert_eq!(folded(&name, 200), expected);
        }
    }

    #[test]
    fn long_names_keep_both_ends() {
        let name = "name::space::of::something::very_long::function(int)";
        assert_eq!(folded(name, 21), "name::spac…ction(int)");
        assert_eq!(folded("ä".repeat(9).as_str(), 4), "ää…ä");
    }
}

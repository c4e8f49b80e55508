//! Names of functions without the parts that differ between instances.

use hone_symbols::section_of_made_name;

/// Returns the name without return type, template arguments and parameters: of `void std::sort<int*>(int*, int*)`,
/// `std::sort`. Names that begin with `<`, as those of Rust's trait methods do, are returned unchanged.
pub(crate) fn plain(name: &str) -> String {
    if name.starts_with('<') {
        return name.to_owned();
    }
    // For a function of a stripped program only the section is known.
    if let Some(section) = section_of_made_name(name) {
        return section.to_owned();
    }
    // glibc puts this prefix before names that it exports and calls itself.
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    let mut out = String::with_capacity(name.len());
    let mut depth = 0_u32;
    let mut at = 0;
    while let Some(letter) = name[at..].chars().next() {
        let rest = &name[at..];
        if depth == 0
            && let Some(taken) = verbatim(rest, &out)
        {
            out.push_str(&rest[..taken]);
            at += taken;
            continue;
        }
        match letter {
            '<' => {
                // Rust writes arguments behind `::`.
                if depth == 0 && out.ends_with("::") {
                    out.truncate(out.len() - 2);
                }
                depth += 1;
            }
            // The arrow of a function's type closes nothing.
            '>' if name[..at].ends_with('-') => {}
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '(' => break,
            // operator<< <char>
            ' ' if rest.starts_with(" <") => {}
            // The text so far was the return type.
            ' ' => out.clear(),
            _ => out.push(letter),
        }
        at += letter.len_utf8();
    }
    // main::{lambda(int)#1}::operator()(int) const
    if let Some((holder, _)) = out.split_once("::{lambda") {
        return holder.to_owned();
    }
    out
}

/// Headers of libstdc++ and libc++, with the class or namespace of their functions.
const HEADERS: &[(&str, &str)] = &[
    ("stl_bvector.h", "std::_Bvector_base"),
    ("__bit_reference", "std::__1::__bit_iterator"),
    ("vector_bool.h", "std::__1::__bit_reference"),
    ("stl_tree.h", "std::_Rb_tree"),
    ("stl_map.h", "std::map"),
    ("stl_multimap.h", "std::multimap"),
    ("stl_set.h", "std::set"),
    ("stl_multiset.h", "std::multiset"),
    ("__tree", "std::__1::__tree"),
    ("hashtable.h", "std::_Hashtable"),
    ("hashtable_policy.h", "std::__detail::_Hashtable"),
    ("unordered_map.h", "std::unordered_map"),
    ("unordered_set.h", "std::unordered_set"),
    ("__hash_table", "std::__1::__hash_table"),
    ("atomicity.h", "__gnu_cxx"),
    ("regex_executor.h", "std::__detail::_Executor"),
    ("regex_executor.tcc", "std::__detail::_Executor"),
    ("regex_automaton.h", "std::__detail::_NFA"),
    ("ostream_insert.h", "std::basic_ostream"),
    ("ostream.tcc", "std::basic_ostream"),
    ("istream.tcc", "std::basic_istream"),
    ("locale_facets.tcc", "std::num_put"),
];

/// Methods of `shared_ptr_base.h` that count references; the header defines much else.
const COUNTS: [&str; 3] = ["_M_add_ref*", "_M_release*", "_M_weak_*"];

/// Returns the class or the namespace of a function that a header of a standard library defines.
pub(crate) fn class_of(file: &str, function: &str) -> Option<&'static str> {
    let (directories, name) = file.rsplit_once('/')?;
    if !directories.contains("/c++/") {
        return None;
    }
    if name == "shared_ptr_base.h" {
        return is_one_of(function, &COUNTS).then_some("std::_Sp_counted_base");
    }
    let mut headers = HEADERS.iter();
    let known = headers.find(|(header, _)| *header == name);
    known.map(|(_, class)| *class)
}

/// Returns the number of bytes at the start of `rest` that belong to the name although they look like other syntax.
fn verbatim(rest: &str, before: &str) -> Option<usize> {
    const ANONYMOUS: &str = "(anonymous namespace)";
    if rest.starts_with(ANONYMOUS) {
        return Some(ANONYMOUS.len());
    }
    // A method of Go: main.(*T).M
    if rest.starts_with("(*") && before.ends_with('.') {
        return Some(rest.find(')')? + 1);
    }
    let is_start = before.is_empty() || before.ends_with("::");
    let operator = rest.strip_prefix("operator").filter(|_| is_start)?;
    if operator.starts_with("()") {
        return Some("operator()".len());
    }
    let end = match operator.chars().next()? {
        // new, delete and conversions
        ' ' => operator.find('(').unwrap_or(operator.len()),
        letter if letter.is_ascii_punctuation() && letter != '_' => {
            let is_symbol = |letter: char| "<>=-!+*/&|^~%[],".contains(letter);
            operator
                .find(|letter| !is_symbol(letter))
                .unwrap_or(operator.len())
        }
        _ => return None,
    };
    Some("operator".len() + end)
}

/// True if one of the patterns matches the name: as a whole, or by its start (`std::_Rb_tree*`).
pub(crate) fn is_one_of(name: &str, patterns: &[&str]) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_types_and_parameters_and_keep_what_names_them() {
        for (name, expected) in [
            ("malloc", "malloc"),
            ("__GI___libc_malloc", "__libc_malloc"),
            ("void std::sort<int*>(int*, int*)", "std::sort"),
            (
                "std::vector<bool, std::allocator<bool> >::operator=(int const&)",
                "std::vector::operator=",
            ),
            (
                "std::ostream& std::operator<< <char>(std::ostream&, char)",
                "std::operator<<",
            ),
            (
                "ns::(anonymous namespace)::f(int) const",
                "ns::(anonymous namespace)::f",
            ),
            ("operator new(unsigned long)", "operator new"),
            ("main.(*Server).Handle", "main.(*Server).Handle"),
            ("f(int)::{lambda(int)#1}::operator()(int) const", "f"),
            ("main::{lambda(int)#1}::operator()(int) const", "main"),
            ("S::operator()(int)", "S::operator()"),
            (
                "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
                "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
            ),
            ("core::ptr::drop_in_place<T>", "core::ptr::drop_in_place"),
            ("a::f::<isize, b::{closure#0}>", "a::f"),
            ("a::S::<T>::m", "a::S::m"),
            (
                "std::_Rb_tree<int, std::less<int> >::_M_insert(int)",
                "std::_Rb_tree::_M_insert",
            ),
            ("operator_like(int)", "operator_like"),
            (
                "[unnamed, 3 bytes at 0x10 of google_malloc]",
                "google_malloc",
            ),
            ("[unnamed, 3 bytes at 0x10]", ""),
        ] {
            assert_eq!(plain(name), expected, "{name}");
        }
    }

    #[test]
    fn headers_tell_the_class_of_bare_names() {
        let bits = "/usr/include/c++/12/bits/stl_bvector.h";
        assert_eq!(class_of(bits, "_M_incr"), Some("std::_Bvector_base"));
        let pointers = "/usr/include/c++/12/bits/shared_ptr_base.h";
        assert_eq!(
            class_of(pointers, "_M_release"),
            Some("std::_Sp_counted_base")
        );
        assert_eq!(class_of(pointers, "get"), None);
        assert_eq!(class_of("/home/me/stl_bvector.h", "_M_incr"), None);
        assert_eq!(class_of("a.c", "f"), None);
    }

    #[test]
    fn patterns_are_whole_names_or_starts() {
        assert!(is_one_of("malloc", &["malloc"]) && !is_one_of("mallocx", &["malloc"]));
        assert!(is_one_of(
            "std::_Rb_tree::find",
            &["free", "std::_Rb_tree*"]
        ));
    }
}

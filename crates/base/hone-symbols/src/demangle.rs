//! Names for people.

/// Returns the name as its author wrote it: C++ and Rust names are demangled, others come back unchanged.
///
/// The result is for people only. Compiler profiles hold the mangled names.
pub fn demangle(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    if name.starts_with("_Z")
        && let Ok(symbol) = cpp_demangle::Symbol::new(name)
        && let Ok(text) = symbol.demangle()
    {
        return text;
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn cpp_and_rust_names_are_demangled_and_c_names_kept() {
        assert_eq!(demangle("_ZN5space3fooEibc"), "space::foo(int, bool, char)");
        assert_eq!(
            demangle("_ZN4core3ptr4read17h0123456789abcdefE"),
            "core::ptr::read"
        );
        assert_eq!(demangle("deflate"), "deflate");
        assert_eq!(demangle("_Znonsense"), "_Znonsense");
    }
}

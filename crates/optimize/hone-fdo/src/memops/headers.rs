//! Writes the chosen sizes as C and C++ headers, which `-isystem DIRECTORY` puts in front of the system's headers.
//!
//! Constraints that shaped the headers:
//! - **The headers are found before libc's `string.h`**, and include it next. So they see the program's feature macros
//!   as libc does, and the functions as `_FORTIFY_SOURCE` made them.
//! - **`__BASE_FILE__` names the unit**, and compilers fold the test away. In a file given with `-include`
//!   clang 19 has another value there, and the wrapper would have to name the unit to every compilation.
//! - **A call of a constant size stays as it is**, and so does every unit that is not named.
//! - **All checks of `_FORTIFY_SOURCE` remain**: a size above the object's size goes to the checking function.
//! - **No new warnings.** A chosen size that is larger than the object is left out, or gcc would warn of code that
//!   never runs.
//! - The C++ library calls the compiler's `__builtin_memcpy`, which no function can replace: macros replace it.
//! - gcc keeps most calls of `memmove` with a constant size, and both compilers keep calls of `memcmp` whose order
//!   matters. The headers write these calls out: every load before the first store, and a comparison by parts.

use super::{Chosen, Operation};
use std::fmt::Write;

/// A file of the directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Path in the directory.
    pub path: &'static str,
    /// Text of the file.
    pub text: String,
}

/// Returns the headers for the chosen sizes.
pub fn headers(chosen: &[Chosen]) -> Vec<Header> {
    let header = |path, text: &str| Header {
        path,
        text: text.to_owned(),
    };
    vec![
        Header {
            path: "hone-memops.h",
            text: operations(chosen),
        },
        header("string.h", STRING),
        header("bits/c++config.h", CXX_CONFIG),
    ]
}

const GUARD: &str = "\
/* Written by hone: sizes that memcpy and its like were called with. A size that is not listed goes to libc. */
#ifndef HONE_MEMOPS_H
#define HONE_MEMOPS_H
#pragma GCC system_header
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__NO_INLINE__) && __STDC_HOSTED__ \\
    && !defined(__ASSEMBLER__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HONE_MEMOPS
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#undef HONE_MEMOPS
#endif
#endif
#endif
#ifdef HONE_MEMOPS
";

/// Helpers. Inlined code has no lines of its own, so profiles by line see the line of the caller.
const HELPERS: &str = "\
#ifdef __clang__
#define HONE_HIDDEN __always_inline__, __nodebug__
#else
#define HONE_HIDDEN __always_inline__, __artificial__
#endif
#define HONE_INLINE static __inline__ __attribute__((HONE_HIDDEN, __unused__))
#if defined(__cplusplus) && __cplusplus >= 201402L
#define HONE_CONSTANT HONE_INLINE constexpr
#else
#define HONE_CONSTANT HONE_INLINE
#endif
#define HONE_UNIT(end) (sizeof(__BASE_FILE__) >= sizeof(end) \\
    && __builtin_strcmp(&__BASE_FILE__[sizeof(__BASE_FILE__) - sizeof(end)], end) == 0 \\
    && (sizeof(__BASE_FILE__) == sizeof(end) || __BASE_FILE__[sizeof(__BASE_FILE__) - sizeof(end) - 1] == '/'))
#define HONE_FITS(object, bytes) (bytes <= __builtin_object_size(object, 0))
#ifdef __cplusplus
extern \"C\" {
#endif
";

const LOADS: &str = "\
HONE_CONSTANT unsigned long long hone_load8(const void *at) {
  unsigned long long value = 0;
  __builtin_memcpy(&value, at, 8);
  return __builtin_bswap64(value);
}
HONE_CONSTANT unsigned long long hone_load4(const void *at) {
  unsigned value = 0;
  __builtin_memcpy(&value, at, 4);
  return __builtin_bswap32(value);
}
HONE_CONSTANT unsigned long long hone_load2(const void *at) {
  unsigned short value = 0;
  __builtin_memcpy(&value, at, 2);
  return __builtin_bswap16(value);
}
HONE_CONSTANT unsigned long long hone_load1(const void *at) { return *(const unsigned char *)at; }
typedef long long hone_bytes16 __attribute__((__vector_size__(16)));
typedef unsigned long long hone_bytes8;
typedef unsigned hone_bytes4;
typedef unsigned short hone_bytes2;
typedef unsigned char hone_bytes1;
#define HONE_LOAD(bytes, at) \\
    hone_bytes##bytes part##at = {0}; __builtin_memcpy(&part##at, (const char *)from + at, bytes);
#define HONE_STORE(bytes, at) __builtin_memcpy((char *)to + at, &part##at, bytes);
#define HONE_COMPARE(bytes, at) { \\
    unsigned long long one = hone_load##bytes((const char *)a + at); \\
    unsigned long long other = hone_load##bytes((const char *)b + at); \\
    if (one != other) return one < other ? -1 : 1; }
";

const END: &str = "\
#ifdef __cplusplus
}
#endif
/* The arguments may be templates with commas. */
#define __builtin_memcpy(...) hone_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) hone_memmove(__VA_ARGS__)
#define __builtin_memset(...) hone_memset(__VA_ARGS__)
#define __builtin_memcmp(...) hone_memcmp(__VA_ARGS__)
#define __builtin___memcpy_chk(...) hone_memcpy_chk(__VA_ARGS__)
#define __builtin___memmove_chk(...) hone_memmove_chk(__VA_ARGS__)
#define __builtin___memset_chk(...) hone_memset_chk(__VA_ARGS__)
#endif
#endif
";

/// Header `string.h`: libc's header, and then the functions by their own names, unless libc made them inline itself.
const STRING: &str = "\
#include \"hone-memops.h\"
#include_next <string.h>
#if defined(HONE_MEMOPS) && !defined(HONE_STRING_H)
#define HONE_STRING_H
#pragma GCC system_header
#define HONE_FUNCTION extern __inline__ __attribute__((HONE_HIDDEN, __gnu_inline__))
#if defined(__cplusplus) && defined(__THROW)
#define HONE_THROW __THROW
#else
#define HONE_THROW
#endif
#ifdef __cplusplus
extern \"C\" {
#endif
#if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL == 0
HONE_FUNCTION void *memcpy(void *__restrict__ to, const void *__restrict__ from, __SIZE_TYPE__ size) HONE_THROW {
  return hone_memcpy(to, from, size);
}
HONE_FUNCTION void *memmove(void *to, const void *from, __SIZE_TYPE__ size) HONE_THROW {
  return hone_memmove(to, from, size);
}
HONE_FUNCTION void *memset(void *to, int byte, __SIZE_TYPE__ size) HONE_THROW { return hone_memset(to, byte, size); }
#endif
HONE_FUNCTION int memcmp(const void *a, const void *b, __SIZE_TYPE__ size) HONE_THROW {
  return hone_memcmp(a, b, size);
}
#ifdef __cplusplus
}
#endif
#endif
";

/// Header that every header of GNU's C++ library includes first.
const CXX_CONFIG: &str = "\
#include_next <bits/c++config.h>
#include \"../hone-memops.h\"
";

fn operations(chosen: &[Chosen]) -> String {
    let mut text = String::from(GUARD) + HELPERS + LOADS;
    for (name, operation, what) in [
        ("memcpy", Operation::Copy, "const void *from"),
        ("memmove", Operation::Copy, "const void *from"),
        ("memset", Operation::Set, "int byte"),
    ] {
        let value = what.rsplit([' ', '*']).next().unwrap_or_default();
        let _ = writeln!(
            text,
            "HONE_CONSTANT void *hone_{name}(void *to, {what}, __SIZE_TYPE__ size) {{"
        );
        let reads = |size: u64| match operation {
            Operation::Copy => format!(" && HONE_FITS(from, {size})"),
            Operation::Set | Operation::Compare => String::new(),
        };
        let does = |size: u64| match name {
            "memmove" => moved(size),
            _ => format!("return __builtin_{name}(to, {value}, {size});"),
        };
        units(&mut text, chosen, operation, |size| {
            let reads = reads(size);
            format!(
                "if (HONE_FITS(to, {size}){reads} && size == {size}) {}",
                does(size)
            )
        });
        let _ = writeln!(text, "  return __builtin_{name}(to, {value}, size);\n}}");
        let _ = writeln!(
            text,
            "HONE_INLINE void *hone_{name}_chk(void *to, {what}, __SIZE_TYPE__ size, __SIZE_TYPE__ room) {{"
        );
        units(&mut text, chosen, operation, |size| {
            let reads = reads(size);
            format!(
                "if ({size} <= room{reads} && size == {size}) {}",
                does(size)
            )
        });
        let _ = writeln!(
            text,
            "  return __builtin___{name}_chk(to, {value}, size, room);\n}}"
        );
    }
    text += "HONE_CONSTANT int hone_memcmp(const void *a, const void *b, __SIZE_TYPE__ size) {\n";
    units(&mut text, chosen, Operation::Compare, |size| {
        let parts = calls("HONE_COMPARE", &parts(size, 8));
        let fits = format!("HONE_FITS(a, {size}) && HONE_FITS(b, {size})");
        format!("if ({fits} && size == {size}) {{ {parts}return 0; }}")
    });
    text + "  return __builtin_memcmp(a, b, size);\n}\n" + END
}

/// Returns statements that move a size, even if the areas overlap.
fn moved(size: u64) -> String {
    let parts = parts(size, 16);
    let [loads, stores] = ["HONE_LOAD", "HONE_STORE"].map(|name| calls(name, &parts));
    format!("{{ {loads}{stores}return to; }}")
}

fn calls(name: &str, parts: &[(u64, u64)]) -> String {
    let parts = parts.iter();
    parts
        .map(|(bytes, at)| format!("{name}({bytes}, {at}) "))
        .collect()
}

/// Writes the code for the sizes of one operation, unit by unit.
fn units(text: &mut String, chosen: &[Chosen], operation: Operation, line: impl Fn(u64) -> String) {
    for chosen in chosen.iter().filter(|chosen| chosen.operation == operation) {
        let Some(unit) = literal(&chosen.unit) else {
            continue;
        };
        let _ = writeln!(
            text,
            "  if (!__builtin_constant_p(size) && HONE_UNIT({unit})) {{ /* {} of {} calls */",
            chosen.calls, chosen.of
        );
        for &size in &chosen.sizes {
            let _ = writeln!(text, "    {}", line(size));
        }
        text.push_str("  }\n");
    }
}

/// Returns a string literal of C; `None` for a path that would need escapes.
fn literal(path: &str) -> Option<String> {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '"' | '\\' | '?');
    path.chars().all(is_plain).then(|| format!("\"{path}\""))
}

/// Returns parts (bytes, offset) that cover a size, in order: as many as possible of the widest part, and one part for
/// the rest, which may overlap the part before.
fn parts(size: u64, widest: u64) -> Vec<(u64, u64)> {
    let mut widths = [16, 8, 4, 2, 1].into_iter();
    let Some(width) = widths.find(|width| *width <= size.min(widest)) else {
        return Vec::new();
    };
    let mut parts: Vec<(u64, u64)> = (0..size / width)
        .map(|index| (width, index * width))
        .collect();
    let rest = size % width;
    if rest > 0 {
        let width = rest.next_power_of_two();
        parts.push((width, size - width));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_every_byte_in_order_and_no_other() {
        for (size, widest) in (0..=64).flat_map(|size| [(size, 8), (size, 16)]) {
            let parts = parts(size, widest);
            let mut covered = 0;
            for &(bytes, at) in &parts {
                assert!(at <= covered && at + bytes <= size, "{size}: {parts:?}");
                assert!(at + bytes > covered && bytes <= widest && bytes.is_power_of_two());
                covered = at + bytes;
            }
            assert_eq!(covered, size, "{parts:?}");
        }
        assert_eq!(parts(20, 16), [(16, 0), (4, 16)]);
        assert_eq!(parts(7, 8), [(4, 0), (4, 3)]);
    }

    #[test]
    fn units_get_their_own_sizes_and_odd_names_none() {
        let chosen = |unit: &str, operation, sizes: &[u64]| Chosen {
            unit: unit.into(),
            operation,
            sizes: sizes.to_vec(),
            calls: 90,
            of: 100,
        };
        let all = headers(&[
            chosen("src/a.c", Operation::Copy, &[8, 24]),
            chosen("b.cc", Operation::Compare, &[12]),
            chosen("odd\"name.c", Operation::Set, &[5]),
        ]);
        let text = &all[0].text;
        let lines = |part: &str| text.matches(part).count();
        // memcpy, memmove and the checking form of each function.
        assert_eq!(lines("HONE_UNIT(\"src/a.c\")"), 4);
        assert_eq!(lines("return __builtin_memcpy(to, from, 24);"), 2);
        assert_eq!(
            lines("if (24 <= room && HONE_FITS(from, 24) && size == 24)"),
            2
        );
        assert_eq!(
            moved(24),
            "{ HONE_LOAD(16, 0) HONE_LOAD(8, 16) HONE_STORE(16, 0) HONE_STORE(8, 16) return to; }"
        );
        assert!(text.contains("size == 12) { HONE_COMPARE(8, 0) HONE_COMPARE(4, 8) return 0; }"));
        assert!(!text.contains("odd"));
        assert_eq!(headers(&[]).len(), all.len());
    }
}

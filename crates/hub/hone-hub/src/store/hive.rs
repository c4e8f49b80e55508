//! Folders of tables as Hive names them, `day=2026-01-31/service=shop`: engines that take a file's columns from its path, and not from the
//! Delta log, read the same as others.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

use super::tables::{DAY, SERVICE};

/// What stands for no value.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";
/// Bytes of a value in a folder's name: file systems allow 255 for all of it.
const VALUE_BYTES_MAX: usize = 200;
/// Bytes of the hash that tells cut values apart.
const HASH_BYTES: usize = 8;
/// What is escaped in a value, and in a path of which the values are escaped already.
const IN_VALUES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');
const IN_PATHS: &AsciiSet = &IN_VALUES.remove(b'/').remove(b'=');

/// Returns the folder of a day of a service, below that of its table.
pub(crate) fn folder(day: &str, service: &str) -> String {
    format!("{DAY}={}/{SERVICE}={}", value(day), value(service))
}

/// Returns the path of a file as the Delta log has it: an address, in which the folders' own escapes are escaped once more.
pub(crate) fn in_log(path: &str) -> String {
    utf8_percent_encode(path, IN_PATHS).to_string()
}

fn value(text: &str) -> String {
    if text.is_empty() {
        return NULL.to_owned();
    }
    let name = utf8_percent_encode(text, IN_VALUES).to_string();
    if name.len() <= VALUE_BYTES_MAX && text != NULL {
        return name;
    }
    // Too long, or what stands for no value: the Delta log alone has the whole of it.
    let kept = name.len().min(VALUE_BYTES_MAX);
    let last_escape = name[..kept].rfind('%').filter(|at| at + 3 > kept);
    let kept = &name[..last_escape.unwrap_or(kept)];
    let hash = hex::encode(&Sha256::digest(text)[..HASH_BYTES]);
    format!("{kept}...{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_the_day_and_the_service() {
        for (service, named) in [
            ("shop", "shop"),
            ("", NULL),
            ("a/b=c %", "a%2Fb%3Dc%20%25"),
            ("größe", "gr%C3%B6%C3%9Fe"),
            ("..", ".."),
        ] {
            let expected = format!("day=2026-01-31/service={named}");
            assert_eq!(folder("2026-01-31", service), expected);
        }
        assert_eq!(
            in_log("day=1/service=a%20b/c.parquet"),
            "day=1/service=a%2520b/c.parquet"
        );
    }

    #[test]
    fn services_with_long_names_have_folders_of_their_own() {
        let names = [
            "x".repeat(300),
            format!("{}y", "x".repeat(299)),
            "ö".repeat(100),
            NULL.to_owned(),
        ];
        let folders = names.map(|name| folder("d", &name));
        for (at, one) in folders.iter().enumerate() {
            assert!(one.split('/').all(|part| part.len() < 255), "{one}");
            assert!(!folders[..at].contains(one), "{one}");
            // No escape is cut.
            let escapes = one.split('%').skip(1);
            assert!(
                escapes
                    .map(|rest| &rest[..2])
                    .all(|hex| u8::from_str_radix(hex, 16).is_ok())
            );
        }
    }
}

//! Time in checksums, hashes and compression without the CPU's instructions for them.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, NamedFrame, Where};

const FUNCTIONS: &[&str] = &[
    "crc32",
    "crc32_z",
    "crc32_little",
    "crc32_big",
    "crc32_combine*",
    "adler32",
    "adler32_z",
    "deflate",
    "deflate_fast",
    "deflate_slow",
    "deflate_stored",
    "longest_match",
    "fill_window",
    "compress_block",
    "inflate",
    "inflate_fast",
    "inflate_table",
    "SHA256_Transform",
    "sha256_transform",
    "SHA1_Transform",
    "sha1_transform",
    "MD5_Transform",
    "md5_transform",
    "AES_encrypt",
    "AES_decrypt",
];

pub(super) const RULE: Rule = Rule {
    name: "checksums",
    title: "Much time goes into slow checksums or compression",
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: 3.0,
    factor_max: 30.0,
    assumption: "with code that uses the CPU's own instructions",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Link zlib-ng (its zlib-compat build) or ISA-L in place of zlib; hash by OpenSSL's or BoringSSL's assembly code.",
    not_when: "The library is zlib-ng or another fork that kept the names.",
    look,
};

/// True for the file of the original zlib. Distributions strip the names of zlib's inner functions, so the name of the
/// file decides. Forks name their files otherwise (libz.so.1.3.1.zlib-ng).
fn is_old_zlib(binary: &str) -> bool {
    let file_name = binary.rsplit('/').next().unwrap_or_default();
    let version = file_name.strip_prefix("libz.so.1.");
    version.is_some_and(|version| {
        version
            .bytes()
            .all(|one| one.is_ascii_digit() || one == b'.')
    })
}

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let is_slow = |frame: &NamedFrame<'_>| frame.is_one_of(FUNCTIONS) || is_old_zlib(frame.binary);
    rule.of_group(&inspected.group(Where::Running, is_slow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zlib_is_known_by_its_file() {
        assert!(is_old_zlib("/usr/lib/x86_64-linux-gnu/libz.so.1.2.13"));
        assert!(is_old_zlib("/lib/libz.so.1.3.1"));
        assert!(is_old_zlib("libz.so.1.3.1"), "as a hub knows it");
        for other in [
            "/usr/lib/libz.so.1.3.1.zlib-ng",
            "/usr/lib/libzstd.so.1.5.4",
            "/usr/bin/libz",
        ] {
            assert!(!is_old_zlib(other), "{other}");
        }
    }
}

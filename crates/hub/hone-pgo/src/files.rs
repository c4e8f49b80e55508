//! Files of a published profile, below the directory of all profiles.
//!
//! ```text
//! SERVICE/FORM.json              manifest: which profile is in use
//! SERVICE/FORM-SHA256.ENDING     profile, named by its content: 16 digits of its sum
//! SERVICE/FORM-SHA256.sig        signature of the manifest: 64 bytes
//! ```
//!
//! A profile's name changes with its content, so that no build system takes an old one from its cache. The manifest is written
//! last and replaced as a whole: what it names is there.

use crate::form::Form;
use crate::manifest::Manifest;
use crate::sign::SecretKey;

/// Hexadecimal digits of the sum in names.
const DIGITS: usize = 16;

/// A file to be written whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Path below the directory of profiles.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Returns the path of the manifest that is in use.
pub fn manifest_path(service: &str, form: Form) -> String {
    format!("{}/{}.json", directory(service), form.name())
}

/// Returns the path of a manifest's profile.
pub fn profile_path(manifest: &Manifest) -> String {
    path(manifest, manifest.form.ending())
}

/// Returns the path of a manifest's signature.
pub fn signature_path(manifest: &Manifest) -> String {
    path(manifest, "sig")
}

/// Returns the files of a profile in the order in which they are written.
pub(crate) fn files(manifest: &Manifest, profile: &[u8], key: Option<&SecretKey>) -> Vec<File> {
    let bytes = manifest.write();
    let signature = key.map(|key| File {
        path: signature_path(manifest),
        bytes: key.sign(&bytes).to_vec(),
    });
    let profile = File {
        path: profile_path(manifest),
        bytes: profile.to_vec(),
    };
    let manifest = File {
        path: manifest_path(&manifest.service, manifest.form),
        bytes,
    };
    [Some(profile), signature, Some(manifest)]
        .into_iter()
        .flatten()
        .collect()
}

fn path(manifest: &Manifest, ending: &str) -> String {
    let digits = manifest.sha256.get(..DIGITS).unwrap_or(&manifest.sha256);
    let directory = directory(&manifest.service);
    format!("{directory}/{}-{digits}.{ending}", manifest.form.name())
}

/// Returns the service's name as a directory: other characters than letters, digits, `-`, `_` and inner dots become `%` and two
/// hexadecimal digits for each byte.
fn directory(service: &str) -> String {
    let mut name = String::new();
    for (at, byte) in service.bytes().enumerate() {
        let is_plain =
            byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || byte == b'.' && at > 0;
        if is_plain {
            name.push(char::from(byte));
        } else {
            name += &format!("%{byte:02x}");
        }
    }
    if name.is_empty() {
        "%".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_become_directories_and_nothing_else() {
        let names = ["checkout", "shop/checkout", "..", ".hidden", "a.b", "", "é"].map(directory);
        let expected = [
            "checkout",
            "shop%2fcheckout",
            "%2e.",
            "%2ehidden",
            "a.b",
            "%",
            "%c3%a9",
        ];
        assert_eq!(names, expected);
    }
}

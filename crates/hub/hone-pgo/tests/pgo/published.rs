//! Files of a published profile, written whole, and their signature.

use std::fs;
use std::path::Path;
use std::process::Command;

use hone_pgo::{
    File, Form, Former, Manifest, PublicKey, SecretKey, SignError, manifest_path, profile_path,
    sha256, signature_path,
};

use crate::common::{Asked, Recording, SERVICE};

const KEY: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
    -----END PRIVATE KEY-----\n";

/// Writes files as a command does.
fn write(directory: &Path, files: &[File]) {
    for file in files {
        let path = directory.join(&file.path);
        fs::create_dir_all(path.parent().expect("the service's directory")).unwrap();
        hone_files::files::write_whole(&path, &file.bytes).unwrap();
    }
}

#[test]
fn a_profile_is_found_and_verified_by_its_manifest() {
    let recording = Recording::new();
    let made = recording.text(&recording.batches(&recording.fleet(3)));
    let key = SecretKey::from_pem(KEY).unwrap();
    let files = made.files(Some(&key));
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &files);
    let read = |path: String| fs::read(directory.path().join(path)).expect("a file");
    let bytes = read(manifest_path(SERVICE, Form::AutofdoText));
    let manifest = Manifest::read(&bytes).unwrap();
    assert_eq!(manifest, made.manifest);
    let signature = read(signature_path(&manifest));
    let public = key.public();
    assert_eq!(public.verify(&bytes, &signature), Ok(()));
    let profile = read(profile_path(&manifest));
    assert_eq!(sha256(&profile), manifest.sha256);
    assert!(profile_path(&manifest).contains(&manifest.sha256[..16]));
    assert!(Former::read(&bytes, profile).is_ok());
    // Whoever changes the manifest to another profile has no key for it.
    let mut other = manifest.clone();
    other.sha256 = sha256(b"another profile");
    assert_eq!(
        public.verify(&other.write(), &signature),
        Err(SignError::Wrong)
    );
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths.last(),
        Some(&"zip/autofdo-text.json"),
        "the manifest is written last: {paths:?}"
    );
    assert_eq!(paths.len(), 3);
}

#[test]
fn openssl_makes_the_keys_and_verifies_the_signature() {
    let directory = tempfile::tempdir().unwrap();
    let openssl = |arguments: &[&str]| {
        let output = Command::new("openssl")
            .args(arguments)
            .current_dir(directory.path())
            .output();
        output.map(|output| output.status.success())
    };
    if openssl(&["version"]).is_err() {
        println!("skipped: openssl is not installed");
        return;
    }
    assert!(openssl(&["genpkey", "-algorithm", "ed25519", "-out", "key"]).unwrap());
    assert!(openssl(&["pkey", "-in", "key", "-pubout", "-out", "public"]).unwrap());
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let secret = SecretKey::from_pem(&read("key")).expect("a key of OpenSSL");
    assert_eq!(PublicKey::from_pem(&read("public")), Ok(secret.public()));
    let manifest = b"{\"format\": \"hone-pgo-1\"}\n";
    fs::write(directory.path().join("manifest"), manifest).unwrap();
    fs::write(directory.path().join("signature"), secret.sign(manifest)).unwrap();
    let verify = [
        "pkeyutl",
        "-verify",
        "-pubin",
        "-inkey",
        "public",
        "-rawin",
        "-in",
        "manifest",
        "-sigfile",
        "signature",
    ];
    assert!(openssl(&verify).unwrap());
    fs::write(directory.path().join("manifest"), b"{}").unwrap();
    assert!(!openssl(&verify).unwrap());
}

//! Certificates that openssl makes.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A certificate for 127.0.0.1 that vouches for itself, and its key, both PEM; they are in `NAME.pem` and `NAME.key` too.
/// `None`, with a line, where there is no openssl.
pub fn certificate(directory: &Path, name: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let config = "[req]\nprompt=no\ndistinguished_name=name\nx509_extensions=v3\n[name]\nCN=test\n\
                  [v3]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n";
    fs::write(directory.join("openssl.cnf"), config).expect("openssl's settings");
    let files = [format!("{name}.pem"), format!("{name}.key")];
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes"])
        .args(["-days", "2", "-config", "openssl.cnf"])
        .args(["-out", &files[0], "-keyout", &files[1]])
        .current_dir(directory)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("skipped: openssl makes no certificate here");
        return None;
    }
    let [certificate, key] = files.map(|file| fs::read(directory.join(file)).expect("PEM"));
    Some((certificate, key))
}

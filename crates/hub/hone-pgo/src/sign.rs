//! Signatures of manifests: Ed25519 ([RFC 8032](https://www.rfc-editor.org/rfc/rfc8032)) over the manifest's bytes.
//!
//! Keys are PEM as OpenSSL writes and reads them ([RFC 8410](https://www.rfc-editor.org/rfc/rfc8410)):
//! `openssl genpkey -algorithm ed25519` makes a secret key, `openssl pkey -pubout` its public key, and
//! `openssl pkeyutl -verify -rawin` verifies without Hone.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 64;
const KEY_BYTES: usize = 32;
/// What stands before the key in its encoding: version, algorithm, and the lengths around.
const SECRET_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const PUBLIC_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];
const SECRET_TITLE: &str = "PRIVATE KEY";
const PUBLIC_TITLE: &str = "PUBLIC KEY";

/// Reason why a key or a signature is no good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The text is no key of this kind.
    #[error("it is no {kind} key of Ed25519 in PEM")]
    NotAKey {
        /// Kind of the key: secret or public.
        kind: &'static str,
    },
    /// The signature is not that of the holder of the key, or the manifest was changed.
    #[error("the signature does not belong to this manifest and key")]
    Wrong,
}

/// Key that signs. Nothing shows it.
pub struct SecretKey(Ed25519KeyPair);

/// Key that verifies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey([u8; KEY_BYTES]);

impl SecretKey {
    /// Reads a key in PEM.
    pub fn from_pem(text: &str) -> Result<Self, SignError> {
        let wrong = SignError::NotAKey { kind: "secret" };
        let seed = key_of(text, SECRET_TITLE, &SECRET_PREFIX).ok_or(wrong)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| wrong)?;
        Ok(Self(pair))
    }

    /// Returns the public key of the same pair.
    pub fn public(&self) -> PublicKey {
        let mut key = [0; KEY_BYTES];
        key.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(key)
    }

    /// Signs the bytes of a manifest. The same bytes have the same signature.
    pub fn sign(&self, manifest: &[u8]) -> [u8; SIGNATURE_BYTES] {
        let mut signature = [0; SIGNATURE_BYTES];
        signature.copy_from_slice(self.0.sign(manifest).as_ref());
        signature
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey")
    }
}

impl PublicKey {
    /// Reads a key in PEM.
    pub fn from_pem(text: &str) -> Result<Self, SignError> {
        let key = key_of(text, PUBLIC_TITLE, &PUBLIC_PREFIX);
        key.map(Self).ok_or(SignError::NotAKey { kind: "public" })
    }

    /// Writes the key in PEM.
    pub fn to_pem(&self) -> String {
        let key = STANDARD.encode([&PUBLIC_PREFIX[..], &self.0].concat());
        format!("-----BEGIN {PUBLIC_TITLE}-----\n{key}\n-----END {PUBLIC_TITLE}-----\n")
    }

    /// Returns an error unless the holder of the secret key signed exactly these bytes.
    pub fn verify(&self, manifest: &[u8], signature: &[u8]) -> Result<(), SignError> {
        let key = UnparsedPublicKey::new(&ED25519, self.0);
        key.verify(manifest, signature)
            .map_err(|_| SignError::Wrong)
    }
}

/// Returns the key between the lines of PEM.
fn key_of(text: &str, title: &str, prefix: &[u8]) -> Option<[u8; KEY_BYTES]> {
    let body = text
        .trim()
        .strip_prefix(&format!("-----BEGIN {title}-----"))?;
    let body = body.strip_suffix(&format!("-----END {title}-----"))?;
    let body: String = body.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(body).ok()?;
    bytes.strip_prefix(prefix)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of RFC 8410, section 10.3.
    const SECRET: &str = "-----BEGIN PRIVATE KEY-----\n\
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
        -----END PRIVATE KEY-----\n";
    /// Its public key, section 10.1.
    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
        MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
        -----END PUBLIC KEY-----\n";

    #[test]
    fn keys_are_those_of_rfc_8410() {
        let secret = SecretKey::from_pem(SECRET).unwrap();
        assert_eq!(secret.public().to_pem(), PUBLIC);
        assert_eq!(PublicKey::from_pem(PUBLIC).unwrap(), secret.public());
        assert_eq!(format!("{secret:?}"), "SecretKey");
    }

    #[test]
    fn a_signature_is_of_these_bytes_and_this_key_alone() {
        let secret = SecretKey::from_pem(SECRET).unwrap();
        let signature = secret.sign(b"a manifest");
        let public = secret.public();
        assert_eq!(public.verify(b"a manifest", &signature), Ok(()));
        assert_eq!(
            public.verify(b"A manifest", &signature),
            Err(SignError::Wrong)
        );
        assert_eq!(
            public.verify(b"a manifest", &signature[1..]),
            Err(SignError::Wrong)
        );
        for at in 0..signature.len() {
            let mut changed = signature;
            changed[at] ^= 1;
            assert_eq!(
                public.verify(b"a manifest", &changed),
                Err(SignError::Wrong),
                "{at}"
            );
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in [
            "",
            "nonsense",
            PUBLIC,
            &SECRET.replace("MC4C", "MC4D"),
            &SECRET.replace("VhC", ""),
        ] {
            let wrong = SignError::NotAKey { kind: "secret" };
            assert_eq!(SecretKey::from_pem(text).unwrap_err(), wrong, "{text}");
        }
        assert!(PublicKey::from_pem(SECRET).is_err());
    }
}

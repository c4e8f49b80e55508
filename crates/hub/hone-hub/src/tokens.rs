//! Tokens: who may do what.
//!
//! A token is 256 random bits, so its SHA-256 hash can be kept as it is: nobody finds the token of a hash. Nothing here
//! tells a token but the [`Secret`] that its maker gets once.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::store::{StoreError, check_tenant};

/// First letters of every token, by which tools that look for leaked secrets know one.
const PREFIX: &str = "hone-hub-";
/// Letters of a hash by which a token is named.
const ID_LETTERS: usize = 12;

/// What a token is good for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Sending batches.
    Ingest,
    /// Asking questions.
    Read,
    /// Sending symbols.
    Symbols,
    /// Compiler profiles: whoever may write these steers compilers.
    Pgo,
    /// Saying of regressions that they are known.
    Acknowledge,
    /// Figures of the whole hub.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 6] = [
        Self::Ingest,
        Self::Read,
        Self::Symbols,
        Self::Pgo,
        Self::Acknowledge,
        Self::Admin,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Read => "read",
            Self::Symbols => "symbols",
            Self::Pgo => "pgo",
            Self::Acknowledge => "acknowledge",
            Self::Admin => "admin",
        }
    }

    /// Returns the scope of a name; `None` if there is none of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// What a token allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// Who has the token, for people; may be empty.
    pub name: String,
    /// Tenant whose data the token is for.
    pub tenant: String,
    /// What the token is good for.
    pub scopes: Vec<Scope>,
    /// The only services of which batches may be sent; empty for all.
    pub services: Vec<String>,
}

impl Grant {
    /// True if the token is good for this.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Returns the first of these services of which the token may not send batches.
    pub fn forbidden<'a>(&self, services: &'a [String]) -> Option<&'a str> {
        let is_forbidden = |service: &&String| !self.services.contains(service);
        let mut forbidden = services.iter().filter(is_forbidden);
        let first = forbidden.next().filter(|_| !self.services.is_empty());
        first.map(String::as_str)
    }
}

/// A token as its owner has it. Its text is told by [`fmt::Display`] alone.
pub struct Secret(String);

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A token as the hub keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// SHA-256 hash of the secret, in hexadecimal.
    hash: String,
    /// What the token allows.
    pub grant: Grant,
}

impl Token {
    /// Returns the name under which the token is listed and revoked: the beginning of its hash.
    pub fn id(&self) -> &str {
        &self.hash[..ID_LETTERS]
    }
}

/// Reason why tokens cannot be read, made or revoked.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokensError {
    /// The text is not that of a file of tokens.
    Syntax(String),
    /// The hash of a token is not one.
    Hash,
    /// Two tokens have one hash.
    Double,
    /// The name of a tenant is not allowed.
    Tenant(StoreError),
    /// A token is good for nothing.
    NoScope,
    /// A token is limited to services, and is not for sending batches.
    ServicesWithoutIngest,
    /// There is no token of that id or name.
    Unknown(String),
    /// There are several tokens of that name.
    Several(String),
}

impl fmt::Display for TokensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(what) => write!(f, "this is not a file of tokens: {what}"),
            Self::Hash => {
                f.write_str("a hash is not one of SHA-256: let `hone-hub token new` write tokens")
            }
            Self::Double => f.write_str("a token is there twice: remove one"),
            Self::Tenant(error) => error.fmt(f),
            Self::NoScope => f.write_str(
                "a token needs a scope: some of ingest, read, symbols, pgo and admin, such as ingest,read",
            ),
            Self::ServicesWithoutIngest => f.write_str(
                "services limit what a token may send: add the scope ingest, or leave the services out",
            ),
            Self::Unknown(which) => write!(
                f,
                "there is no token {which:?}: `hone-hub token list` shows ids and names"
            ),
            Self::Several(name) => write!(
                f,
                "several tokens have the name {name:?}: give the id, which `hone-hub token list` shows"
            ),
        }
    }
}

impl std::error::Error for TokensError {}

/// All tokens of a hub.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    tokens: Vec<Token>,
}

/// The file of tokens as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
}

/// A token in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    hash: String,
    #[serde(default)]
    name: String,
    tenant: String,
    scopes: Vec<Scope>,
    #[serde(default)]
    services: Vec<String>,
}

impl Tokens {
    /// Reads the text of a file (TOML).
    pub fn parse(text: &str) -> Result<Self, TokensError> {
        let read: File = toml::from_str(text)
            .map_err(|error| TokensError::Syntax(error.message().to_owned()))?;
        let mut tokens = Self::default();
        for entry in read.token {
            if !is_hash(&entry.hash) {
                return Err(TokensError::Hash);
            }
            if tokens.tokens.iter().any(|known| known.hash == entry.hash) {
                return Err(TokensError::Double);
            }
            let grant = Grant {
                name: entry.name,
                tenant: entry.tenant,
                scopes: entry.scopes,
                services: entry.services,
            };
            check_grant(&grant)?;
            tokens.tokens.push(Token {
                hash: entry.hash,
                grant,
            });
        }
        Ok(tokens)
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> Result<String, TokensError> {
        let entry = |token: &Token| Entry {
            hash: token.hash.clone(),
            name: token.grant.name.clone(),
            tenant: token.grant.tenant.clone(),
            scopes: token.grant.scopes.clone(),
            services: token.grant.services.clone(),
        };
        let file = File {
            token: self.tokens.iter().map(entry).collect(),
        };
        let text =
            toml::to_string(&file).map_err(|error| TokensError::Syntax(error.to_string()))?;
        Ok(format!(
            "# Tokens of a hub: hashes, and what each allows. `hone-hub token` writes this file.\n\n{text}"
        ))
    }

    /// Makes a token, and adds it.
    pub fn add(&mut self, grant: Grant) -> Result<Secret, TokensError> {
        check_grant(&grant)?;
        let secret = format!("{PREFIX}{}", hex::encode(rand::random::<[u8; 32]>()));
        self.tokens.push(Token {
            hash: hash_of(&secret),
            grant,
        });
        Ok(Secret(secret))
    }

    /// Returns the token of a secret.
    pub fn find(&self, secret: &str) -> Option<&Token> {
        let hash = hash_of(secret);
        self.tokens.iter().find(|token| token.hash == hash)
    }

    /// Removes the token of an id, or of a name that only one has.
    pub fn revoke(&mut self, which: &str) -> Result<Token, TokensError> {
        let by_id = self.tokens.iter().position(|token| token.id() == which);
        let is_named = |token: &Token| !which.is_empty() && token.grant.name == which;
        let named = self.tokens.iter().filter(|token| is_named(token)).count();
        let at = match (by_id, named) {
            (Some(at), _) => Some(at),
            (None, 0 | 1) => self.tokens.iter().position(is_named),
            (None, _) => return Err(TokensError::Several(which.to_owned())),
        };
        let at = at.ok_or_else(|| TokensError::Unknown(which.to_owned()))?;
        Ok(self.tokens.remove(at))
    }

    /// Returns all tokens, in the order in which they were made.
    pub fn all(&self) -> &[Token] {
        &self.tokens
    }
}

fn is_hash(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    text.len() == 64 && text.chars().all(is_digit)
}

fn hash_of(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

fn check_grant(grant: &Grant) -> Result<(), TokensError> {
    check_tenant(&grant.tenant).map_err(TokensError::Tenant)?;
    if grant.scopes.is_empty() {
        return Err(TokensError::NoScope);
    }
    if !grant.services.is_empty() && !grant.has(Scope::Ingest) {
        return Err(TokensError::ServicesWithoutIngest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(name: &str) -> Grant {
        Grant {
            name: name.to_owned(),
            tenant: "acme".to_owned(),
            scopes: vec![Scope::Ingest, Scope::Read],
            services: vec!["checkout".to_owned()],
        }
    }

    #[test]
    fn a_token_is_found_by_its_secret_after_it_was_written_and_read() {
        let mut tokens = Tokens::default();
        let secret = tokens.add(grant("ci")).unwrap().to_string();
        let other = tokens.add(grant("hosts")).unwrap().to_string();
        let text = tokens.to_text().unwrap();
        assert!(!text.contains(&secret) && !text.contains(&secret[PREFIX.len()..]));
        let read = Tokens::parse(&text).unwrap();
        assert_eq!(read, tokens);
        assert_eq!(read.find(&secret).unwrap().grant, grant("ci"));
        assert_eq!(read.find(&other).unwrap().grant.name, "hosts");
        assert_eq!(read.find(&secret[..secret.len() - 1]), None);
        assert_eq!(read.find(""), None);
        assert_eq!(read.find(read.all()[0].id()), None);
    }

    #[test]
    fn a_revoked_token_is_not_found_any_more() {
        let mut tokens = Tokens::default();
        let secrets = ["a", "b", "b"].map(|name| tokens.add(grant(name)).unwrap().to_string());
        assert!(matches!(tokens.revoke("b"), Err(TokensError::Several(_))));
        assert!(matches!(tokens.revoke("c"), Err(TokensError::Unknown(_))));
        assert!(matches!(tokens.revoke(""), Err(TokensError::Unknown(_))));
        tokens.revoke("a").unwrap();
        let id = tokens.all()[1].id().to_owned();
        tokens.revoke(&id).unwrap();
        let is_found = secrets.map(|secret| tokens.find(&secret).is_some());
        assert_eq!(is_found, [false, true, false]);
    }

    #[test]
    fn a_token_for_some_services_allows_no_others() {
        let services = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let limited = grant("ci");
        assert_eq!(limited.forbidden(&services(&["checkout"])), None);
        assert_eq!(limited.forbidden(&services(&["", "checkout"])), Some(""));
        assert_eq!(
            limited.forbidden(&services(&["checkout", "web"])),
            Some("web")
        );
        let free = Grant {
            services: Vec::new(),
            ..limited
        };
        assert_eq!(free.forbidden(&services(&["", "web"])), None);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let mut tokens = Tokens::default();
        let no_scope = Grant {
            scopes: Vec::new(),
            ..grant("")
        };
        assert!(matches!(tokens.add(no_scope), Err(TokensError::NoScope)));
        let tenant = Grant {
            tenant: "../acme".to_owned(),
            ..grant("")
        };
        assert!(matches!(tokens.add(tenant), Err(TokensError::Tenant(_))));
        let useless = Grant {
            scopes: vec![Scope::Read],
            ..grant("")
        };
        let refused = tokens.add(useless);
        assert!(matches!(refused, Err(TokensError::ServicesWithoutIngest)));
        assert_eq!(tokens.all(), []);

        tokens.add(grant("")).unwrap();
        let text = tokens.to_text().unwrap();
        let hash = tokens.all()[0].hash.clone();
        for (text, is_refused) in [
            (text.replace(&hash, &hash[1..]), true),
            (text.replace(&hash, &hash.to_uppercase()), true),
            (text.replace("\"read\"", "\"write\""), true),
            (text.replace("name", "nickname"), true),
            (format!("{text}\n{text}"), true),
            (String::new(), false),
            (text, false),
        ] {
            assert_eq!(Tokens::parse(&text).is_err(), is_refused, "{text}");
        }
    }
}

/// Returns an address without user, password and query, any of which may be a secret.
pub fn without_secrets(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), address),
    };
    let (host, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}{host}{path}")
}

/// Returns a text without the secrets of an address that it may contain.
pub fn text_without_secrets(text: &str, address: &str) -> String {
    let text = text.replace(address, &without_secrets(address));
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    match host.split('/').next().unwrap_or_default().rsplit_once('@') {
        Some((user, _)) if !user.is_empty() => text.replace(&format!("{user}@"), ""),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn neither_user_nor_password_nor_token_is_shown() {
        for (address, shown) in [
            ("http://b:8428/api/v1/write", "http://b:8428/api/v1/write"),
            ("https://me:secret@b/write?token=secret", "https://b/write"),
            ("https://me:p@ss@[::1]:8428", "https://[::1]:8428"),
            ("https://b/a@b", "https://b/a@b"),
            ("me:secret@b:2003", "b:2003"),
            ("b:2003", "b:2003"),
            ("http://b?x=/secret@c", "http://b"),
        ] {
            assert_eq!(without_secrets(address), shown);
        }
    }
}

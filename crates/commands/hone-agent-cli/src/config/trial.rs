//! `hone-agent config --check`: tries whether the configured sockets, back ends and queues could be opened, without
//! opening anything that a running agent or its clients could notice.
//!
//! The result is valid for the user who runs the check: the service may have other rights.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use hone_agent::receive::{Address, Listen, SocketFile};
use rustix::fs::{Access, AtFlags, CWD};

use super::{Config, Profiles, Send};
use crate::endpoints;

/// A remark about a configured listener, back end or address.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Possibly intended, but worth knowing.
    Note(String),
    /// The agent would not start, or not do what is wanted.
    Wrong(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Note(what) => write!(f, "note: {what}"),
            Self::Wrong(what) => write!(f, "wrong: {what}"),
        }
    }
}

/// Tries everything that the agent would open.
pub(crate) fn try_all(config: &Config) -> Vec<Found> {
    let mut found = Vec::new();
    for listen in &config.listen {
        found.extend(listener(listen).map(|found| found.of(&format!("listener {}", listen.name))));
    }
    for send in &config.send {
        found.extend(back_end(send).map(|found| found.of(&format!("back end {}", send.name()))));
    }
    if config.send.is_empty() {
        let what = "there is no [[send]]: intervals are counted, and go nowhere";
        found.push(Found::Note(what.into()));
    }
    if let Some(profiles) = &config.profiles {
        found.extend(hub(profiles).map(|found| found.of("profiles")));
    }
    if let Some(listen) = config.http {
        let tried = bound(TcpListener::bind(listen), "http.listen", listen);
        found.extend(tried.map(|found| found.of(&format!("http {listen}"))));
    }
    found
}

impl Found {
    /// Prepends the name of the listener, back end or address.
    fn of(self, of: &str) -> Self {
        match self {
            Self::Note(what) => Self::Note(format!("{of}: {what}")),
            Self::Wrong(what) => Self::Wrong(format!("{of}: {what}")),
        }
    }
}

fn wrong(what: impl Into<String>) -> Option<Found> {
    Some(Found::Wrong(what.into()))
}

fn note(what: impl Into<String>) -> Option<Found> {
    Some(Found::Note(what.into()))
}

fn listener(listen: &Listen) -> Option<Found> {
    match &listen.address {
        Address::UnixDatagram(file) | Address::UnixStream(file) => socket_file(file),
        Address::Udp(address) => bound(UdpSocket::bind(address), "listen.address", *address),
        Address::Tcp(address) => bound(TcpListener::bind(address), "listen.address", *address),
    }
}

/// Judges the result of binding an address for a moment. The trial does not disturb a process that already has the
/// address.
fn bound<S>(tried: io::Result<S>, key: &str, address: SocketAddr) -> Option<Found> {
    let error = tried.err()?;
    match error.kind() {
        io::ErrorKind::AddrInUse => note(format!(
            "somebody listens there already; good if that is the agent that is to be reloaded or replaced, \
             otherwise set {key} to another port"
        )),
        io::ErrorKind::AddrNotAvailable => wrong(format!(
            "{} is not an address of this machine; set {key} to one that `ip address` shows, or 0.0.0.0",
            address.ip()
        )),
        io::ErrorKind::PermissionDenied => wrong(format!(
            "{error}; set {key} to a port above 1023, or give the agent CAP_NET_BIND_SERVICE"
        )),
        _ => wrong(format!("{error}; set {key} to another address")),
    }
}

fn socket_file(file: &SocketFile) -> Option<Found> {
    /// Longest path that the kernel takes for a socket, without the zero byte that ends the path.
    const PATH_BYTES_MAX: usize = 107;
    let (path, shown) = (&file.path, file.path.display());
    if path.as_os_str().len() > PATH_BYTES_MAX {
        return wrong(format!(
            "a socket's path has at most {PATH_BYTES_MAX} bytes; choose a shorter one"
        ));
    }
    match path.symlink_metadata() {
        Ok(facts) if facts.file_type().is_socket() => note(format!(
            "{shown} is there: good if it is of the agent that is to be reloaded, or of systemd which passes it; \
             if nobody listens there it is replaced"
        )),
        Ok(_) => wrong(format!(
            "{shown} is not a socket; remove it, or choose another path"
        )),
        Err(_) => {
            let parent = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let complaint = complaint_of_directory(parent.unwrap_or(Path::new(".")))?;
            wrong(format!(
                "{complaint} (the packaged hone-agent.socket makes /run/hone-agent)"
            ))
        }
    }
}

/// Returns what prevents files from being created in a directory.
fn complaint_of_directory(directory: &Path) -> Option<String> {
    let shown = directory.display();
    match directory.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(format!(
            "the directory {shown} is not there; make it: mkdir -p {shown}"
        )),
        Err(error) => Some(format!("{shown}: {error}")),
        Ok(facts) if !facts.is_dir() => Some(format!("{shown} is not a directory")),
        Ok(_) if !is_writable(directory) => Some(format!(
            "this user may not write to {shown}; change its owner or its mode"
        )),
        Ok(_) => None,
    }
}

fn is_writable(directory: &Path) -> bool {
    let rights = Access::WRITE_OK | Access::EXEC_OK;
    rustix::fs::accessat(CWD, directory, rights, AtFlags::EACCESS).is_ok()
}

fn back_end(send: &Send) -> Option<Found> {
    // Building the endpoint checks the address, the headers, and TLS.
    if let Err(error) = endpoints::endpoint(send) {
        return wrong(format!("{error:#}"));
    }
    let tls = send.tls.as_ref().map(|tls| tls.0.clone());
    if send.address.starts_with("https:")
        && let Err(error) = tls.unwrap_or_default().check()
    {
        return wrong(format!(
            "TLS: {error}; install the authorities that this machine is to trust (Debian: ca-certificates)"
        ));
    }
    if let Some(directory) = &send.queue_directory
        && let Some(complaint) = complaint_of_queue(directory)
    {
        return wrong(complaint);
    }
    let (host, port) = match place(send) {
        Some(place) => place,
        None => return wrong("its address has no host and port, as in metrics.example:2003"),
    };
    match (host.as_str(), port)
        .to_socket_addrs()
        .map(|mut all| all.next())
    {
        Ok(Some(_)) => None,
        Ok(None) => wrong(format!("{host} has no address; is the name right?")),
        Err(error) => wrong(format!(
            "{host} cannot be found: {error}; is the name right, and does this machine have its name server?"
        )),
    }
}

/// Tries what the collector of profiles opens, but for the hub, which may be away.
fn hub(profiles: &Profiles) -> Option<Found> {
    let options = &profiles.options;
    if let Some(token) = &options.token
        && let Err(error) = token.read()
    {
        return wrong(format!(
            "{token:?}: {error}; let token_file name a file that the agent may read, with a token of hone-hub token new"
        ));
    }
    complaint_of_queue(&options.folder).and_then(wrong)
}

/// Returns what prevents a queue's directory from being created or used. The agent creates the directory and its
/// missing parents at its start, so the nearest existing parent has to be writable.
fn complaint_of_queue(directory: &Path) -> Option<String> {
    match directory.exists() {
        true => complaint_of_directory(directory),
        false => {
            let mut above = directory.ancestors().skip(1);
            let nearest = above.find(|above| above.exists() || above.as_os_str().is_empty());
            let nearest = nearest.filter(|nearest| !nearest.as_os_str().is_empty());
            complaint_of_directory(nearest.unwrap_or(Path::new(".")))
        }
    }
}

/// Returns host and port of the back end.
fn place(send: &Send) -> Option<(String, u16)> {
    if !send.is_http() {
        let (host, port) = send.address.rsplit_once(':')?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        return Some((host.to_owned(), port.parse().ok()?));
    }
    let address: ureq::http::Uri = send.address.parse().ok()?;
    let usual = if address.scheme_str() == Some("https") {
        443
    } else {
        80
    };
    let host = address
        .host()?
        .trim_start_matches('[')
        .trim_end_matches(']');
    Some((host.to_owned(), address.port_u16().unwrap_or(usual)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(config: &str) -> String {
        let mut config = Config::parse(config).unwrap();
        config.http = None;
        let lines: Vec<_> = try_all(&config).iter().map(Found::to_string).collect();
        lines.join("\n")
    }

    fn with_back_end(lines: &str) -> String {
        said(&format!("listen = []\n[[send]]\n{lines}"))
    }

    #[test]
    fn what_could_not_be_opened_is_named_with_what_to_do() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().display();
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        let there = UdpSocket::bind("127.0.0.1:0").unwrap();
        let listen = |address: &str| said(&format!("[[listen]]\naddress = \"{address}\"\n"));
        for (address, complaint) in [
            (format!("unixgram:{path}/no/a.sock"), "mkdir -p"),
            (format!("unixgram:{path}/file"), "is not a socket"),
            (format!("unix:{path}/file/a.sock"), "not a directory"),
            (format!("unix:{path}/{}", "x".repeat(120)), "shorter"),
            (
                "udp:192.0.2.1:8125".to_owned(),
                "not an address of this machine",
            ),
            (
                format!("udp:{}", there.local_addr().unwrap()),
                "note: listener udp:127.0.0.1",
            ),
        ] {
            let said = listen(&address);
            assert!(said.contains(complaint), "{address}: {said}");
        }
        let said = listen(&format!("unixgram:{path}/a.sock"));
        assert!(!said.contains("wrong"), "{said}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn profiles_without_token_or_folder_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().display();
        let with = |lines: &str| {
            said(&format!(
                "listen = []\n[profiles]\nhub = \"http://127.0.0.1:1\"\nfolder = \"{path}/p\"\n{lines}"
            ))
        };
        let token = format!("token_file = \"{path}/token\"");
        assert!(
            with(&token).contains("wrong: profiles: "),
            "{}",
            with(&token)
        );
        std::fs::write(directory.path().join("token"), "secret\n").unwrap();
        assert!(!with(&token).contains("wrong"), "{}", with(&token));
        std::fs::write(directory.path().join("p"), "a file").unwrap();
        assert!(
            with(&token).contains("is not a directory"),
            "{}",
            with(&token)
        );
    }

    #[test]
    fn a_back_end_that_cannot_be_is_named_without_its_password() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        for (lines, complaint) in [
            (
                "format = \"graphite\"\naddress = \"127.0.0.1\"".to_owned(),
                "no host and port",
            ),
            (
                "format = \"remote-write\"\naddress = \"ftp://me:secret@127.0.0.1/\"".to_owned(),
                "http://",
            ),
            (
                format!(
                    "format = \"relay\"\naddress = \"127.0.0.1:1\"\nqueue_directory = \"{}/q\"",
                    file.display()
                ),
                "directory",
            ),
        ] {
            let said = with_back_end(&lines);
            assert!(said.contains("wrong: back end"), "{said}");
            assert!(said.contains(complaint), "{said}");
            assert!(!said.contains("secret"), "{said}");
        }
        let good = format!(
            "format = \"remote-write\"\naddress = \"https://me:secret@127.0.0.1/\"\nqueue_directory = \"{}/q/r\"",
            directory.path().display()
        );
        assert_eq!(with_back_end(&good), "");
        assert!(!directory.path().join("q").exists());
    }
}

//! The file of a Unix socket: who listens on it, who may write to it, and its removal together with the listener.

use super::error::ReceiveError;
use super::listen::{Listen, SocketFile};
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::{SocketAddrUnix, SocketType};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// A socket's file. It is removed with this value, unless another file has taken its place.
#[derive(Debug)]
pub(super) struct OwnFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl Drop for OwnFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|now| now == self.identity) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let facts = fs::symlink_metadata(path)?;
    Ok((facts.dev(), facts.ino()))
}

/// Binds a socket to its file, replacing a file left by a process that is gone. The file never has more rights than
/// configured: the mode of the socket is set before the socket has a name.
pub(super) fn bind(
    socket: BorrowedFd<'_>,
    kind: SocketType,
    file: &SocketFile,
    listen: &Listen,
) -> Result<OwnFile, ReceiveError> {
    let failed = |step| move |source: io::Error| listen.system(step, source);
    let address = SocketAddrUnix::new(&file.path)
        .map_err(|errno| listen.system("use its path", errno.into()))?;
    make_way(&file.path, &address, kind, listen)?;
    rustix::fs::fchmod(socket, Mode::from_raw_mode(file.mode))
        .map_err(|errno| listen.system("set the mode of its socket", errno.into()))?;
    rustix::net::bind(socket, &address).map_err(|errno| listen.not_bound(errno))?;
    let own = OwnFile {
        path: file.path.clone(),
        identity: identity(&file.path).map_err(failed("look at its socket"))?,
    };
    // The umask may have removed rights from the mode.
    own.change_rights(file, listen)?;
    Ok(own)
}

impl OwnFile {
    /// Gives the file the configured owner and mode.
    pub(super) fn change_rights(
        &self,
        wanted: &SocketFile,
        listen: &Listen,
    ) -> Result<(), ReceiveError> {
        let failed = |step| move |source: io::Error| listen.system(step, source);
        if wanted.owner.is_some() || wanted.group.is_some() {
            chown(&self.path, wanted.owner, wanted.group)
                .map_err(failed("set the owner of its socket"))?;
        }
        fs::set_permissions(&self.path, fs::Permissions::from_mode(wanted.mode))
            .map_err(failed("set the mode of its socket"))
    }
}

/// Removes the socket file of a process that is gone.
fn make_way(
    path: &Path,
    address: &SocketAddrUnix,
    kind: SocketType,
    listen: &Listen,
) -> Result<(), ReceiveError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(listen.system("look at its path", error)),
        Ok(facts) if !facts.file_type().is_socket() => {
            return Err(ReceiveError::NoSocket {
                listener: listen.name.clone(),
                path: path.to_owned(),
            });
        }
        Ok(_) => {}
    }
    match call(address, kind) {
        Err(Errno::CONNREFUSED) => fs::remove_file(path)
            .map_err(|error| listen.system("remove the socket left there", error)),
        // A process listens, even if the socket is of another kind or has no room for one more connection.
        Ok(()) | Err(Errno::PROTOTYPE | Errno::AGAIN) => Err(ReceiveError::InUse {
            listener: listen.name.clone(),
            address: path.display().to_string(),
        }),
        Err(errno) => Err(listen.system("find out who listens there", errno.into())),
    }
}

/// Connects to a socket, to see whether anybody listens.
fn call(address: &SocketAddrUnix, kind: SocketType) -> Result<(), Errno> {
    let flags = rustix::net::SocketFlags::CLOEXEC | rustix::net::SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(rustix::net::AddressFamily::UNIX, kind, flags, None)?;
    rustix::net::connect(socket.as_fd(), address)
}

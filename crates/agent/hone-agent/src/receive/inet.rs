//! Steps of opening a socket that datagram and stream sockets share.

use super::error::ReceiveError;
use super::listen::Listen;
use rustix::net::{AddressFamily, SocketFlags, sockopt};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

/// Sharing of a socket's address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shared {
    /// Shared with no other socket.
    No,
    /// Shared with the other sockets of its listener; the kernel distributes packets among them.
    WithOthers,
    /// Shared with connections of a listener that has ended, so that they do not keep the next listener from the address.
    WithThePast,
}

/// Opens a socket of the listener's kind.
pub(super) fn socket(
    listen: &Listen,
    family: AddressFamily,
    flags: SocketFlags,
) -> Result<OwnedFd, ReceiveError> {
    let flags = flags | SocketFlags::CLOEXEC;
    rustix::net::socket_with(family, listen.address.kind(), flags, None)
        .map_err(|errno| listen.system("open a socket", errno.into()))
}

/// Opens a socket and binds it to an address.
pub(super) fn bound(
    listen: &Listen,
    address: SocketAddr,
    flags: SocketFlags,
    shared: Shared,
) -> Result<OwnedFd, ReceiveError> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let socket = socket(listen, family, flags)?;
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&socket, true)
            .map_err(|errno| listen.system("limit its socket to IPv6", errno.into()))?;
    }
    match shared {
        Shared::No => Ok(()),
        Shared::WithOthers => sockopt::set_socket_reuseport(&socket, true),
        Shared::WithThePast => sockopt::set_socket_reuseaddr(&socket, true),
    }
    .map_err(|errno| listen.system("share its address", errno.into()))?;
    rustix::net::bind(&socket, &address).map_err(|errno| listen.not_bound(errno))?;
    Ok(socket)
}

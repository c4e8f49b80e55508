//! From the socket to the worker.

use std::io::ErrorKind;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

use anyhow::{Context, Result};
use hone_agent::protocol::merge::{Batch, Put};
use rustix::io::Errno;
use rustix::net::RecvFlags;

use crate::{TICK, is_over};

const PACKET_BYTES_MAX: usize = 8192;
/// As many as a parcel of hone-agent holds.
const BATCH_BYTES_MAX: usize = 32 * 1024;

pub fn open(path: &Path) -> Result<UnixDatagram> {
    let socket =
        UnixDatagram::bind(path).with_context(|| format!("cannot listen at {}", path.display()))?;
    socket.set_read_timeout(Some(TICK))?;
    Ok(socket)
}

/// Receives until the end, and until nothing is left.
pub fn run(
    socket: &UnixDatagram,
    merges: bool,
    to: &SyncSender<Vec<u8>>,
    end: &AtomicBool,
) -> Result<()> {
    let mut packet = vec![0; PACKET_BYTES_MAX];
    let mut batch = Batch::new(BATCH_BYTES_MAX, usize::MAX);
    loop {
        let length = match socket.recv(&mut packet) {
            Ok(length) => length,
            Err(error)
                if [ErrorKind::WouldBlock, ErrorKind::Interrupted].contains(&error.kind()) =>
            {
                if is_over(end) {
                    return Ok(());
                }
                continue;
            }
            Err(error) => return Err(error).context("cannot receive"),
        };
        if merges {
            gather(socket, &mut packet, length, &mut batch, to)?;
        } else {
            to.send(packet[..length].to_vec())?;
        }
    }
}

/// Merges what is there.
fn gather(
    socket: &UnixDatagram,
    packet: &mut [u8],
    first: usize,
    batch: &mut Batch,
    to: &SyncSender<Vec<u8>>,
) -> Result<()> {
    let mut length = first;
    loop {
        let mut put = batch.put(&packet[..length]);
        if put == Put::Full {
            hand_over(batch, to)?;
            put = batch.put(&packet[..length]);
        }
        if put == Put::Alone {
            to.send(packet[..length].to_vec())?;
        }
        length = match rustix::net::recv(socket, &mut *packet, RecvFlags::DONTWAIT) {
            Ok((length, _)) => length,
            Err(Errno::AGAIN | Errno::INTR) => return hand_over(batch, to),
            Err(errno) => return Err(errno).context("cannot receive"),
        };
    }
}

fn hand_over(batch: &mut Batch, to: &SyncSender<Vec<u8>>) -> Result<()> {
    if !batch.is_empty() {
        to.send(batch.packet().to_vec())?;
        batch.clear();
    }
    Ok(())
}

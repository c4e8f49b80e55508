//! Open files that go over a connection between processes.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// Files that are sent together: a program, and its debug information.
const FILES_MAX: usize = 2;

/// Sends files, with one byte, since nothing else would carry them.
pub(super) fn send(stream: impl AsFd, files: &[File]) -> io::Result<()> {
    let files: Vec<BorrowedFd<'_>> = files.iter().map(AsFd::as_fd).collect();
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&files)) {
        return Err(io::Error::other("too many files for one message"));
    }
    sendmsg(
        stream,
        &[IoSlice::new(b"f")],
        &mut control,
        SendFlags::NOSIGNAL,
    )?;
    Ok(())
}

/// Receives files that were sent together.
pub(super) fn receive(stream: impl AsFd) -> io::Result<Vec<File>> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut bytes = [IoSliceMut::new(&mut byte)];
    recvmsg(stream, &mut bytes, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received.map(File::from));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn files_arrive_in_order_before_what_follows() {
        let (mut here, mut there) = UnixStream::pair().unwrap();
        let files = ["code", "debug"].map(|text| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.rewind().unwrap();
            file
        });
        send(&here, &files).unwrap();
        here.write_all(b"rest").unwrap();
        drop(here);
        let received = receive(&there).unwrap();
        let texts: Vec<String> = received
            .iter()
            .map(|mut file| {
                let mut text = String::new();
                file.read_to_string(&mut text).unwrap();
                text
            })
            .collect();
        assert_eq!(texts, ["code", "debug"]);
        let mut rest = String::new();
        there.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "rest");
        assert!(receive(&there).unwrap().is_empty());
    }
}

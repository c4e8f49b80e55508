//! Bodies of answers: whole in memory, or part by part as a thread reads them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc;

/// Parts that wait to be sent.
const PARTS_MAX: usize = 2;

/// A body.
pub(crate) enum Content {
    Whole(Full<Bytes>),
    Parts(Parts),
}

/// A body that comes part by part.
pub(crate) struct Parts {
    left_bytes: u64,
    parts: mpsc::Receiver<io::Result<Bytes>>,
}

impl Content {
    /// Returns a body of so many bytes, and where its parts go in. Whoever waits there is told when nobody wants them.
    pub(super) fn in_parts(bytes: u64) -> (Self, mpsc::Sender<io::Result<Bytes>>) {
        let (sender, parts) = mpsc::channel(PARTS_MAX);
        let parts = Parts {
            left_bytes: bytes,
            parts,
        };
        (Self::Parts(parts), sender)
    }
}

impl From<Bytes> for Content {
    fn from(bytes: Bytes) -> Self {
        Self::Whole(bytes.into())
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Whole(whole) => {
                let frame = ready!(Pin::new(whole).poll_frame(context));
                Poll::Ready(frame.map(|frame| frame.map_err(|never| match never {})))
            }
            Self::Parts(parts) => {
                let part = ready!(parts.parts.poll_recv(context));
                Poll::Ready(part.map(|part| {
                    let part = part?;
                    parts.left_bytes = parts.left_bytes.saturating_sub(part.len() as u64);
                    Ok(Frame::data(part))
                }))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(whole) => whole.is_end_stream(),
            Self::Parts(parts) => parts.left_bytes == 0,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(whole) => whole.size_hint(),
            Self::Parts(parts) => SizeHint::with_exact(parts.left_bytes),
        }
    }
}

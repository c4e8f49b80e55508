//! What became of what a listener received.
//!
//! Of every listener, as soon as nothing is under way:
//!
//! ```text
//! packets = handled + truncated + dropped
//! ```
//!
//! What was sent and is not in `packets` was dropped by the kernel (`kernel_drops`, datagrams), or belongs to a frame that
//! never was whole (`frames_too_long`, `frames_broken_off`: the connection is closed, its client knows), or is a line that
//! was too long (`lines_too_long`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! counts {
    ($($(#[doc = $text:literal])+ $name:ident),+ $(,)?) => {
        /// What became of packets, in numbers that only grow.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Received {
            $($(#[doc = $text])+ pub $name: u64,)+
        }

        /// What became of the packets of a listener. All threads add to it.
        #[derive(Debug, Default)]
        pub struct ReceiveCounts {
            $($name: AtomicU64,)+
        }

        impl ReceiveCounts {
            /// The numbers now.
            pub fn now(&self) -> Received {
                Received { $($name: self.$name.load(Relaxed),)+ }
            }

            /// Adds what a thread has counted.
            pub(super) fn add(&self, counted: &Received) {
                $(if counted.$name != 0 {
                    self.$name.fetch_add(counted.$name, Relaxed);
                })+
            }
        }
    };
}

counts! {
    /// Datagrams, and whole frames of connections.
    packets,
    /// Their bytes, without the length prefixes of frames.
    bytes,
    /// Packets that were handled, by themselves or merged with others.
    handled,
    /// Datagrams longer than the buffer, dropped: the end of a line may be missing, which could make another value of it.
    truncated,
    /// Packets dropped since no parcel was free for as long as a receiver may wait: the workers do not keep up.
    dropped,
    /// The points of the SDK and lines of StatsD in these.
    dropped_points,
    /// Datagrams that the kernel dropped since the receive buffer was full: the receivers do not keep up.
    kernel_drops,
    /// Parcels handed to workers.
    parcels,
    /// Connections accepted.
    connections,
    /// Connections closed at once since there were as many as may be.
    connections_refused,
    /// Connections closed since nothing came for as long as one may be silent.
    connections_idle,
    /// Connections closed since what came was no TLS, or its client was not trusted.
    connections_insecure,
    /// Frames that said to be longer than a frame may be. Their connections are closed.
    frames_too_long,
    /// Lines of streams that were longer than a packet may be, dropped. Their connections go on.
    lines_too_long,
    /// Frames that are none of another agent's, where these are wanted. Their connections are closed.
    frames_foreign,
    /// Connections closed since the frames that have begun on all of them take as much memory as they may.
    connections_without_room,
    /// Frames and lines whose connections were closed before their end.
    frames_broken_off,
    /// Calls for packets or connections that failed.
    errors,
}

impl ReceiveCounts {
    /// Adds packets that a worker has handled.
    pub(super) fn handled(&self, packets: u64) {
        self.handled.fetch_add(packets, Relaxed);
    }
}

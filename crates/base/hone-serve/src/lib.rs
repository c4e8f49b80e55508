//! Places of connections to a server: clients that are slow make room for others.
//!
//! A server has so many places, and a few more in which clients say what they want while no place is free. Who asks for health there is
//! answered, and others wait for their turn. Who has a place and sends its request keeps it. When no place is free, a client that is slow
//! loses its own: of the peer that has most slow ones, the one that is furthest behind. So neither unfinished heads nor unfinished bodies keep
//! others out, a peer that opens many connections hurts itself first, and a proxy, from whose address all clients come, is not limited to a
//! share.
//!
//! - [`Places::take`] waits for a place, and [`Place::serve`] serves the connection until it ends or loses its place.
//! - A connection waits for its client from its begin on, until [`Place::is_answered`] was called; later while a [`Waiting`] is there, by
//!   which whatever reads a body within [`Place::serve`] says so.

#![forbid(unsafe_code)]

mod table;

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::sleep;

use table::{Number, Room, Table, Turn};

/// Longest wait for a turn, and time between looks for one: others become slow without an event.
const TURN_TIME: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Places of a server.
#[derive(Debug)]
pub struct Places {
    table: Mutex<Table>,
    /// Told when a place becomes free.
    freed: Notify,
}

/// The place of a connection, given back with this value.
#[derive(Clone, Debug)]
pub struct Place(Arc<Taken>);

#[derive(Debug)]
struct Taken {
    places: Arc<Places>,
    number: Number,
    lost: Arc<Notify>,
}

tokio::task_local! {
    static PLACE: Place;
}

impl Places {
    /// Returns so many places, and so many more for clients to say what they want.
    pub fn new(places: usize, beside: usize) -> Arc<Self> {
        Arc::new(Self {
            table: Mutex::new(Table::new(places, beside)),
            freed: Notify::new(),
        })
    }

    /// Waits for a place for a client, or for one beside these: there is one at once, unless health is being asked for in all of those.
    pub async fn take(self: &Arc<Self>, peer: IpAddr) -> Place {
        loop {
            let freed = self.freed.notified();
            let now = Instant::now();
            let room = self.lock().take(peer, now);
            match room {
                Room::Place(number, lost) => {
                    let places = Arc::clone(self);
                    return Place(Arc::new(Taken {
                        places,
                        number,
                        lost,
                    }));
                }
                Room::None => freed.await,
            }
        }
    }

    /// Waits until all places are free.
    pub async fn are_free(&self) {
        loop {
            let freed = self.freed.notified();
            if self.lock().is_empty() {
                return;
            }
            freed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits for the turn of a request that is not about health; false if too many others wait, or if it takes too long.
    pub async fn has_turn(&self) -> bool {
        let end = Instant::now() + TURN_TIME;
        loop {
            let now = Instant::now();
            let turn = self.0.places.lock().turn(self.0.number, now);
            match turn {
                Turn::Now => return true,
                Turn::Never => return false,
                Turn::Later if now >= end => return false,
                Turn::Later => sleep(LOOK_EVERY).await,
            }
        }
    }

    /// Serves the connection until that ends, or another client gets the place; then returns `None`.
    pub async fn serve<F: Future>(&self, serving: F) -> Option<F::Output> {
        let mut serving = pin!(PLACE.scope(self.clone(), serving));
        let mut lost = pin!(self.0.lost.notified());
        poll_fn(|context| match serving.as_mut().poll(context) {
            Poll::Ready(served) => Poll::Ready(Some(served)),
            Poll::Pending => lost.as_mut().poll(context).map(|()| None),
        })
        .await
    }

    /// Says that the head of the request is there, and is being answered.
    pub fn is_answered(&self) {
        self.0.places.lock().is_answered(self.0.number);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.places.lock().free(self.number);
        self.places.freed.notify_one();
    }
}

/// A time in which a connection waits for its client.
#[derive(Debug)]
pub struct Waiting(Option<Place>);

/// Begins to wait for the client of the connection that is served here.
pub fn waiting() -> Waiting {
    let place = PLACE.try_with(Place::clone).ok();
    if let Some(Place(taken)) = &place {
        taken.places.lock().waits(taken.number, Instant::now());
    }
    Waiting(place)
}

impl Waiting {
    /// Says that so many bytes have come.
    pub fn got(&self, bytes: usize) {
        if let Some(Place(taken)) = &self.0 {
            taken.places.lock().got(taken.number, bytes);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(place) = &self.0 {
            place.is_answered();
        }
    }
}

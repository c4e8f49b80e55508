//! The listeners: start, changes while clients send, and end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use hone_agent::aggregator::{Aggregator, Worker};
use hone_agent::receive::{
    self, Address, Listen, Opened, Passed, ReceiveCounts, Received, Receiver, Work,
};

use super::reload::Changes;
use crate::config::Config;
use crate::log;

/// The listeners of the agent.
pub(super) struct Listening {
    receiver: Option<Receiver<Worker>>,
    work: Work,
    /// Counters of every listener since the agent's start, by the listener's name.
    counts: BTreeMap<String, Arc<ReceiveCounts>>,
}

/// Changes of the listeners by a reload. All steps that may be refused have been done.
pub(super) struct Plan {
    /// New settings of each open listener; `None` for listeners that are closed.
    stay: Vec<Option<Listen>>,
    opened: Vec<Opened>,
    /// True if threads have to be stopped for the change.
    is_other: bool,
    pub(super) changes: Changes,
}

impl Listening {
    /// Opens all configured listeners and begins to receive.
    pub(super) fn start(config: &Config, aggregator: &mut Aggregator) -> Result<Self> {
        let mut passed = Passed::from_environment()?;
        let opened = receive::open(&config.listen, &mut passed)
            .context("cannot listen (`hone-agent config --check FILE` tells what to do)")?;
        all_were_taken(&passed)?;
        say_listeners(&opened);
        let mut listening = Self {
            receiver: None,
            work: config.work,
            counts: BTreeMap::new(),
        };
        listening.receive(opened, aggregator)?;
        Ok(listening)
    }

    fn receive(&mut self, opened: Vec<Opened>, aggregator: &mut Aggregator) -> Result<()> {
        for opened in &opened {
            let name = opened.listen().name.clone();
            self.counts.insert(name, Arc::clone(opened.counts()));
        }
        let receiver = Receiver::start(opened, self.work, |_| aggregator.worker())?;
        self.receiver = Some(receiver);
        Ok(())
    }

    /// Returns the counters of each listener, also of closed ones.
    pub(super) fn counts(&self) -> BTreeMap<String, Received> {
        let counts = self.counts.iter();
        counts
            .map(|(name, counts)| (name.clone(), counts.now()))
            .collect()
    }

    /// Returns true if a thread has ended that nobody asked to.
    pub(super) fn has_lost_a_thread(&self) -> bool {
        let receiver = self.receiver.as_ref();
        receiver.is_some_and(Receiver::has_lost_a_thread)
    }

    /// Receives what clients have sent, then ends. The workers are parked with the aggregator.
    pub(super) fn stop(&mut self, aggregator: &mut Aggregator) {
        if let Some(receiver) = self.receiver.take() {
            aggregator.park(receiver.stop());
        }
    }

    fn opened(&self) -> &[Opened] {
        self.receiver
            .as_ref()
            .map_or(&[], |receiver| receiver.opened())
    }

    /// Opens the listeners that are new in a configuration, and plans the changes of the others.
    pub(super) fn plan(&self, config: &Config) -> Result<Plan> {
        let mut changes = Changes::default();
        let mut wanted: Vec<Option<&Listen>> = config.listen.iter().map(Some).collect();
        let there = self.opened().iter().map(Opened::listen);
        let stay: Vec<_> = there
            .map(|old| kept(old, &mut wanted, &mut changes))
            .collect();
        let new: Vec<Listen> = wanted.into_iter().flatten().cloned().collect();
        let opened = self.open(&new)?;
        let all = stay.iter().flatten().chain(&new);
        let mut names = BTreeSet::new();
        for listen in all {
            if !names.insert(&listen.name) {
                bail!(
                    "two [[listen]] would be called {}, since a name stays with its address until a restart",
                    listen.name
                );
            }
        }
        for opened in &opened {
            changes.done(format!("listener {} opened", opened.listen().name));
        }
        let is_other = self.work != config.work || !changes.is_nothing();
        if self.work.workers != config.work.workers {
            changes.done(format!("{} workers", config.work.workers));
        }
        if self.work.merge_wait != config.work.merge_wait {
            changes.done(format!(
                "packets wait {} ms for others",
                config.work.merge_wait.as_millis()
            ));
        }
        Ok(Plan {
            stay,
            opened,
            is_other,
            changes,
        })
    }

    fn open(&self, new: &[Listen]) -> Result<Vec<Opened>> {
        let mut opened = receive::open(new, &mut Passed::none()).context(
            "a listener that takes the address of another one needs two reloads: first without both",
        )?;
        for opened in &mut opened {
            if let Some(before) = self.counts.get(&opened.listen().name) {
                opened.count_on(Arc::clone(before));
            }
        }
        Ok(opened)
    }

    /// Carries out a plan. Sockets that are kept stay open all the while; sockets that are closed are emptied first.
    /// `change` is called while no worker is busy if `must_pause` is set or the plan needs a pause, or else at once.
    ///
    /// # Errors
    /// If no threads can be started: then nothing is received any more.
    pub(super) fn change(
        &mut self,
        plan: Plan,
        config: &Config,
        aggregator: &mut Aggregator,
        must_pause: bool,
        change: impl FnOnce(&mut Aggregator),
    ) -> Result<()> {
        if !plan.is_other && !must_pause {
            change(aggregator);
            return Ok(());
        }
        say_listeners(&plan.opened);
        let (there, workers) = match self.receiver.take() {
            Some(receiver) => receiver.pause(),
            None => Default::default(),
        };
        aggregator.park(workers);
        let (mut open, mut gone) = (Vec::new(), Vec::new());
        for (mut opened, stays) in there.into_iter().zip(plan.stay) {
            match stays {
                Some(listen) => {
                    if let Err(error) = opened.change(listen) {
                        log::say(format!("reload: {error}"));
                    }
                    open.push(opened);
                }
                None => gone.push(opened),
            }
        }
        // In these cases sockets get other workers than before.
        let has_moves = !gone.is_empty() || self.work.workers != config.work.workers;
        if !gone.is_empty() {
            let emptied = Receiver::start(gone, self.work, |_| aggregator.worker())?;
            aggregator.park(emptied.stop());
        }
        change(aggregator);
        if has_moves {
            aggregator.forget_who_held();
        }
        self.work = config.work;
        open.extend(plan.opened);
        self.receive(open, aggregator)
    }
}

/// Takes a listener's new settings out of `wanted`; returns `None` if the listener is to be closed. A listener is
/// identified by its address, and by its name where several have the same address.
fn kept(old: &Listen, wanted: &mut [Option<&Listen>], changes: &mut Changes) -> Option<Listen> {
    let is_same = |new: &Listen| new.address == old.address && new.name == old.name;
    let place = wanted
        .iter()
        .position(|new| new.is_some_and(is_same))
        .or_else(|| {
            let is_there = |new: &Listen| is_same_place(&new.address, &old.address);
            wanted.iter().position(|new| new.is_some_and(is_there))
        });
    let Some(mut new) = place.and_then(|place| wanted[place].take()).cloned() else {
        changes.done(format!("listener {} closed", old.name));
        return None;
    };
    if new.name != old.name {
        changes.later(format!("listen.name of {}", old.address));
        new.name.clone_from(&old.name);
    }
    if new.shards != old.shards {
        changes.later(format!("listen.shards of {}", old.name));
        new.shards = old.shards;
    }
    if new != *old {
        changes.done(format!("listener {} changed", old.name));
    }
    Some(new)
}

/// Returns true if a socket of one address can serve for the other. Port 0 never counts as the same, since the system
/// chooses a port for each socket.
fn is_same_place(a: &Address, b: &Address) -> bool {
    match (a, b) {
        (Address::Udp(a), Address::Udp(b)) | (Address::Tcp(a), Address::Tcp(b)) => {
            a == b && a.port() != 0
        }
        (Address::UnixDatagram(a), Address::UnixDatagram(b))
        | (Address::UnixStream(a), Address::UnixStream(b)) => a.path == b.path,
        _ => false,
    }
}

fn say_listeners(opened: &[Opened]) {
    for opened in opened {
        let listen = opened.listen();
        let local = opened.local_address();
        let local = local.map_or(String::new(), |address| format!(" ({address})"));
        let got = opened.receive_buffer_bytes().into_iter().min().unwrap_or(0);
        log::say(format!(
            "listening at {}{local}, receive buffer {got} bytes",
            listen.address
        ));
        if listen
            .receive_buffer_bytes
            .is_some_and(|wanted| got < wanted)
        {
            log::say("the system gives no larger buffer; raise net.core.rmem_max (sysctl)");
        }
    }
}

/// Refuses passed sockets that no listener took: such a socket would take what clients send and lose it.
fn all_were_taken(passed: &Passed) -> Result<()> {
    match passed.left().next() {
        None => Ok(()),
        Some(name) => Err(anyhow!(
            "the service manager passes a socket named '{name}', and no listener has this name; \
             set `name` in [[listen]] to what FileDescriptorName= says"
        )),
    }
}

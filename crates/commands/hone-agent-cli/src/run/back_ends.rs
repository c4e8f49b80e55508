//! The back ends: start, changes while intervals wait to be sent, and end.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_agent::account::Account;
use hone_agent::aggregate::{Interval, Point};
use hone_agent::flush::To;
use hone_agent::send::{
    Endpoint, Outcome, Outlet, send_to_all, tell_all_what_ended, text_without_secrets,
};
use hone_agent::wire::Pieces;
use hone_agent::wire::names::Rules;
use hone_agent::wire::relay::Origin;

use super::interval::now_ms;
use super::reload::Changes;
use crate::config::{Config, Send};
use crate::{endpoints, log};

/// Longest time to send what is queued when the agent ends or a back end is closed.
pub(super) const PATIENCE_AT_END: Duration = Duration::from_secs(10);

/// The back ends of the agent.
pub(super) struct Sending {
    sends: Vec<Send>,
    /// Outlets, in the order of `sends`.
    outlets: Vec<Outlet>,
    /// Threads of closed back ends that still send what their queues hold.
    leaving: Vec<JoinHandle<(String, Outcome)>>,
    /// Outcome of each back end that is gone, by its name.
    gone: BTreeMap<String, Outcome>,
    origin: Origin,
    started_ms: i64,
}

/// Changes of the back ends by a reload. All steps that may be refused have been done.
pub(super) struct Plan {
    /// Steps, in the order of the configuration.
    steps: Vec<(Send, Step)>,
    pub(super) changes: Changes,
}

enum Step {
    Open(Outlet),
    /// Keeps the back end at this index, with another endpoint if there is one.
    Keep(usize, Option<Box<dyn Endpoint>>),
}

impl Sending {
    pub(super) fn start(config: &Config) -> Result<Self> {
        let started_ms = now_ms();
        let outlets = config
            .send
            .iter()
            .map(|send| endpoints::outlet(&config.labels, send, started_ms));
        Ok(Self {
            outlets: outlets.collect::<Result<_>>()?,
            sends: config.send.clone(),
            leaving: Vec::new(),
            gone: BTreeMap::new(),
            origin: Origin {
                // The standard library seeds its maps at random.
                source: RandomState::new().hash_one(started_ms) >> 1,
                sequence: 0,
            },
            started_ms,
        })
    }

    /// Begins an interval that is to be sent.
    pub(super) fn begin(end_ms: i64, length_ms: u32) -> Pieces {
        Pieces::new(end_ms, length_ms, endpoints::POINTS_MAX)
    }

    /// Adds a point to the interval, and sends the points so far once they fill a body.
    pub(super) fn add(&mut self, interval: &mut Pieces, point: Point) {
        if let Some(piece) = interval.add(point) {
            send_to_all(&mut self.outlets, &piece, &mut self.origin);
        }
    }

    /// Sends the rest of the interval, and sends to each back end the points meant for back ends with its rules.
    pub(super) fn end(&mut self, interval: Pieces, apart: Vec<(To, Point)>) {
        let last = interval.last();
        send_to_all(&mut self.outlets, &last, &mut self.origin);
        let mut apart_of: Vec<Pieces> = Vec::new();
        let rules = self.rules();
        apart_of.resize_with(rules.len(), || Self::begin(last.end_ms, last.length_ms));
        for (to, point) in apart {
            for number in (0..rules.len()).filter(|number| to.has(*number)) {
                if let Some(piece) = apart_of[number].add(point.clone()) {
                    self.send_by(&rules[number], &piece);
                }
            }
        }
        for (rules, pieces) in rules.iter().zip(apart_of) {
            self.send_by(rules, &pieces.last());
        }
        tell_all_what_ended(&mut self.outlets, &last, &mut self.origin);
    }

    fn send_by(&mut self, rules: &Rules, piece: &Interval) {
        let outlets = self.outlets.iter_mut();
        let outlets = outlets.filter(|outlet| outlet.rules() == *rules);
        send_to_all(outlets, piece, &mut self.origin);
    }

    /// Returns the different rules by which back ends tell series apart.
    pub(super) fn rules(&self) -> Vec<Rules> {
        let mut all: Vec<Rules> = Vec::new();
        for rules in self.outlets.iter().map(Outlet::rules) {
            if !all.contains(&rules) {
                all.push(rules);
            }
        }
        all
    }

    /// Puts the outcomes of all back ends into the account.
    pub(super) fn note(&mut self, account: &mut Account) {
        let (left, leaving) = std::mem::take(&mut self.leaving)
            .into_iter()
            .partition(JoinHandle::is_finished);
        self.leaving = leaving;
        self.note_gone(left, account);
        for (send, outlet) in self.sends.iter().zip(&self.outlets) {
            let name = send.name();
            let outcome = self.in_all(&name, without_secrets(&send.address, outlet.outcome()));
            let before = account.endpoints.get(&name);
            let fell_back_before = before.map_or(0, |before| before.fell_back);
            if outcome.fell_back > 0 && fell_back_before == 0 {
                log::say(format!(
                    "sending to {name}: it refuses {}, and takes remote write 1.0, which it gets until the agent starts \
                     again or its [[send]] changes; set its `format` to \"remote-write\"",
                    send.format.name()
                ));
            }
            let trouble = before.and_then(|before| before.queue_trouble.as_ref());
            if outcome.queue_trouble.as_ref() != trouble {
                let said = outcome.queue_trouble.as_deref();
                let said = said.unwrap_or("what comes is written to its queue on disk again");
                log::say_often("queues", format!("sending to {name}: {said}"));
            }
            note_one(&name, outcome, account);
        }
    }

    /// Adds the outcome of an earlier back end with the same name.
    fn in_all(&self, name: &str, outcome: Outcome) -> Outcome {
        match self.gone.get(name) {
            Some(before) => outcome.after(before),
            None => outcome,
        }
    }

    fn note_gone(&mut self, left: Vec<JoinHandle<(String, Outcome)>>, account: &mut Account) {
        // A panic of the thread was printed when it happened.
        for (name, outcome) in left.into_iter().filter_map(|thread| thread.join().ok()) {
            let total = self.in_all(&name, outcome);
            account.endpoints.insert(name.clone(), total.clone());
            self.gone.insert(name, total);
        }
    }

    /// Opens the back ends that are new in a configuration, and plans the changes of the others.
    pub(super) fn plan(&self, config: &Config) -> Result<Plan> {
        let mut changes = Changes::default();
        let mut steps = Vec::new();
        for send in &config.send {
            let place = self.sends.iter().position(|old| old.name() == send.name());
            let (send, step) = match place {
                Some(place) => self.keep(place, send, &mut changes)?,
                None => {
                    changes.done(format!("back end {} opened", send.name()));
                    let outlet = endpoints::outlet(&config.labels, send, self.started_ms)?;
                    (send.clone(), Step::Open(outlet))
                }
            };
            steps.push((send, step));
        }
        for old in &self.sends {
            if config.send.iter().all(|send| send.name() != old.name()) {
                changes.done(format!("back end {} closed", old.name()));
            }
        }
        Ok(Plan { steps, changes })
    }

    fn keep(&self, place: usize, send: &Send, changes: &mut Changes) -> Result<(Send, Step)> {
        let (old, name) = (&self.sends[place], send.name());
        if send.format != old.format || send.queue_directory != old.queue_directory {
            bail!(
                "send.format and send.queue_directory of {name} cannot change, since what waits for it is \
                 written for the old one; give it another `name`, or restart the agent"
            );
        }
        let mut send = send.clone();
        for key in send.keep_from(old) {
            changes.later(format!("{key} of {name}"));
        }
        if send == *old {
            return Ok((send, Step::Keep(place, None)));
        }
        changes.done(format!("back end {name} changed"));
        let endpoint = endpoints::endpoint(&send).with_context(|| format!("send to {name}"))?;
        Ok((send, Step::Keep(place, Some(endpoint))))
    }

    /// Carries out a plan. Queues of kept back ends stay; closed back ends get a while to send what their queues hold.
    pub(super) fn change(&mut self, plan: Plan, config: &Config) {
        let mut old: Vec<Option<Outlet>> = self.outlets.drain(..).map(Some).collect();
        let old_sends = std::mem::take(&mut self.sends);
        for (send, step) in plan.steps {
            let outlet = match step {
                Step::Open(outlet) => Some(outlet),
                Step::Keep(place, endpoint) => {
                    let mut outlet = old[place].take();
                    if let Some(outlet) = &mut outlet {
                        outlet.label(config.labels.clone());
                        endpoint.into_iter().for_each(|other| outlet.change(other));
                    }
                    outlet
                }
            };
            self.outlets.extend(outlet);
            self.sends.push(send);
        }
        for (send, outlet) in old_sends.into_iter().zip(old) {
            if let Some(outlet) = outlet {
                self.leave(send, outlet);
            }
        }
    }

    fn leave(&mut self, send: Send, outlet: Outlet) {
        let thread = thread::spawn(move || {
            let outcome = outlet.stop(PATIENCE_AT_END);
            (send.name(), without_secrets(&send.address, outcome))
        });
        self.leaving.push(thread);
    }

    /// Sends what is queued, for a while, at all back ends at the same time.
    pub(super) fn stop(mut self, account: &mut Account) {
        let outlets = std::mem::take(&mut self.outlets);
        let sends = std::mem::take(&mut self.sends);
        for (send, outlet) in sends.into_iter().zip(outlets) {
            self.leave(send, outlet);
        }
        let leaving = std::mem::take(&mut self.leaving);
        self.note_gone(leaving, account);
    }
}

/// Puts the outcome of an endpoint into the account, and logs its error if the error is new.
pub(super) fn note_one(name: &str, outcome: Outcome, account: &mut Account) {
    let before = account.endpoints.get(name);
    let said = before.and_then(|before| before.last_error.as_ref());
    if let Some(error) = &outcome.last_error
        && said != Some(error)
    {
        log::say_often("sending", format!("sending to {name}: {error}"));
    }
    account.endpoints.insert(name.to_owned(), outcome);
}

/// Removes the secrets of an address from the outcome's error.
pub(super) fn without_secrets(address: &str, mut outcome: Outcome) -> Outcome {
    let error = outcome.last_error.take();
    outcome.last_error = error.map(|error| text_without_secrets(&error, address));
    outcome
}

//! `hone-agent run`: the agent from the configuration to the last flush.

mod back_ends;
pub(crate) mod events;
mod interval;
mod listeners;
mod profiles;
mod reload;
mod shared;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use hone_agent::account::{Account, Own};
use hone_agent::aggregate::Point;
use hone_agent::aggregator::{Aggregator, Flushed};
use hone_agent::flush::To;
use hone_agent::notices::Notices;
use hone_agent::origins::ContainerTag;
use hone_agent::send::Outcome;
use hone_agent::services::Services;
use hone_agent::store::Tally;
use hone_agent::wire::names::Rules;
use hone_agent::wire::{Pieces, scrape};

use crate::config::Config;
use crate::notify::Notify;
use crate::state::State;
use crate::top::figures::Top;
use crate::{endpoints, http, log};
use back_ends::{PATIENCE_AT_END, Sending};
use events::{Event, Events, watch_signals};
use interval::{Interval, now_ms};
use listeners::Listening;
use profiles::Profiling;

/// Longest wait of the loop at a time, since the clock may be set meanwhile.
const WAIT_MAX: Duration = Duration::from_millis(500);

/// Number of shared names that `hone-agent top` gets.
const SHARED_MAX: usize = 50;

/// An agent at work.
struct Agent {
    file: PathBuf,
    config: Config,
    notify: Notify,
    events: Events,
    state: Arc<State>,
    sending: Sending,
    listening: Listening,
    aggregator: Aggregator,
    /// Webhook for events and service checks, if there is one.
    notices: Option<Arc<Notices>>,
    /// Watcher of the CPU time that services take, if that is reported.
    services: Option<Services>,
    profiling: Profiling,
    account: Account,
    interval: Interval,
}

/// Runs the agent until a signal ends it.
pub(crate) fn run(file: &Path) -> Result<()> {
    let mut agent = Agent::start(file)?;
    let went = agent.work();
    let ended = agent.end();
    went.and(ended)
}

impl Agent {
    fn start(file: &Path) -> Result<Self> {
        let config = Config::read(file)?;
        let (events, received) = channel();
        watch_signals(events.clone())?;
        let mut aggregator = Aggregator::new(config.flush.clone(), config.limits);
        aggregator.start(now_ms());
        aggregator.rewrite(config.rewrite.clone());
        if let Some(services) = &config.services {
            aggregator.tag_work(services);
        }
        if let Some(key) = &config.container_tag {
            aggregator.tag_containers(ContainerTag::new(key));
        }
        let notices = endpoints::notices(&config)?;
        if let Some(notices) = &notices {
            aggregator.pass_on(Arc::clone(notices));
        }
        let caps = Arc::clone(aggregator.caps());
        let state = Arc::new(State::new(&config, caps, events));
        answer(&config, &state);
        let sending = Sending::start(&config)?;
        aggregator.tell_apart(rules(&sending, &state));
        let listening = Listening::start(&config, &mut aggregator)?;
        let services = config.services.clone().map(Services::watch);
        let profiling = Profiling::start(config.profiles.as_ref());
        let interval = Interval::begin(config.interval_s, now_ms(), Instant::now());
        let mut agent = Self {
            // The working directory of a service that reloads may differ from the one in which the path was given.
            file: std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
            config,
            notify: Notify::from_environment(),
            events: received,
            state,
            sending,
            listening,
            aggregator,
            notices,
            services,
            profiling,
            account: Account::default(),
            interval,
        };
        agent.tell_bounds();
        agent.note();
        agent.tell(Top::default());
        agent.state.set_ready(true);
        agent.notify.ready();
        Ok(agent)
    }

    /// Works until the agent is asked to end.
    fn work(&mut self) -> Result<()> {
        loop {
            match self.wait()? {
                Some(Event::End) => return Ok(()),
                Some(Event::Reload(asked)) => {
                    let outcome = self.reload()?;
                    if let Some(asked) = asked {
                        // The client that asked may have gone.
                        let _ = asked.send(outcome);
                    }
                }
                None => self.end_interval(),
            }
            if self.listening.has_lost_a_thread() {
                return Err(anyhow!("a thread that receives has ended"));
            }
        }
    }

    /// Waits for the end of the interval; returns earlier with an event.
    fn wait(&mut self) -> Result<Option<Event>> {
        loop {
            self.notify.alive();
            let left = self.interval.left(now_ms());
            if left.is_zero() {
                return Ok(None);
            }
            let wait = left.min(WAIT_MAX).min(self.notify.patience());
            match self.events.recv_timeout(wait) {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(anyhow!("nobody watches for signals any more"));
                }
            }
        }
    }

    fn end_interval(&mut self) {
        let (end_ms, length_ms) = self.interval.next(now_ms(), Instant::now());
        let began = Instant::now();
        self.tell_bounds();
        let mut interval = Sending::begin(end_ms, length_ms);
        let mut scrape = self.state.scrape();
        let flushed = self.aggregator.flush(end_ms, length_ms, |point| {
            if let Some(scrape) = &mut scrape {
                scrape.add(&point);
            }
            self.sending.add(&mut interval, point);
        });
        drop(scrape);
        self.finish(interval, flushed, length_ms);
        let took_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.account.flushes += 1;
        self.account.flush_us = self.account.flush_us.saturating_add(took_us);
        log::tick();
    }

    fn tell_bounds(&self) {
        let (begins_s, ends_s) = self.interval.bounds_s();
        self.aggregator.begin(begins_s, ends_s);
    }

    /// Counts an interval, reports it, and sends the rest of it together with the CPU time of services.
    fn finish(&mut self, mut interval: Pieces, mut flushed: Flushed, length_ms: u32) {
        let before = self.account.listeners.clone();
        self.note();
        if flushed.late > 0 {
            log::say_often(
                "late",
                format!(
                    "{} workers were late; their values go to the next interval",
                    flushed.late
                ),
            );
        }
        let Tally { failures, lost, .. } = flushed.finished.tally;
        if failures > 0 {
            log::say_often(
                "failures",
                format!(
                    "{failures} packets made a worker fail, see above: a fault of hone-agent; please report it. What it \
                     had stored of the interval is lost with each, {lost} values"
                ),
            );
        }
        shared::say(&flushed.finished.collided);
        let mut top = Top::of(&flushed, length_ms, &before, &self.account.listeners);
        top.to_hub = self.profiling.to_hub();
        top.shared = shared::shown(self.aggregator.shared(SHARED_MAX));
        self.account.add(&flushed);
        let mut apart = std::mem::take(&mut flushed.finished.apart);
        let services: Vec<_> = self.services.iter_mut().flat_map(Services::look).collect();
        let mut of_services = Vec::new();
        self.aggregator
            .own(services, |to, point| of_services.push((to, point)));
        self.scrape(of_services.iter().chain(&apart));
        let mut hand_on = |to, point| match to {
            To::ALL => self.sending.add(&mut interval, point),
            to => apart.push((to, point)),
        };
        of_services
            .into_iter()
            .for_each(|(to, point)| hand_on(to, point));
        self.aggregator.own(self.account.points(), hand_on);
        self.aggregator.end_own();
        self.tell(top);
        self.sending.end(interval, apart);
        // An error of a queue is reported at once.
        self.sending.note(&mut self.account);
    }

    /// Adds the rest of an interval for scrapers: the points that are meant for scrapers or for everybody.
    fn scrape<'a>(&self, points: impl Iterator<Item = &'a (To, Point)>) {
        let rules = rules(&self.sending, &self.state);
        let own = rules.iter().position(|rules| *rules == scrape::rules());
        if let (Some(number), Some(mut scrape)) = (own, self.state.scrape()) {
            let of_it = points.filter(|(to, _)| to.has(number));
            of_it.for_each(|(_, point)| scrape.add(point));
            scrape.end(&self.config.flush);
        }
    }

    fn note(&mut self) {
        self.account.series = self.aggregator.series();
        self.account.own = Own::now();
        self.account.others = self.profiling.figures();
        self.account.listeners = self.listening.counts();
        self.sending.note(&mut self.account);
        let notices = self.notices.as_ref();
        if let Some(outcome) = notices.and_then(|notices| notices.outcome()) {
            note_notices(&self.config, outcome, &mut self.account);
        }
    }

    fn tell(&self, top: Top) {
        let exposition = self.account.exposition();
        self.state.ended(self.config.interval_s, exposition, top);
    }

    /// Stops the listeners, then receives and sends what clients have sent.
    fn end(mut self) -> Result<()> {
        self.state.set_ready(false);
        self.notify.stopping();
        self.profiling.ask_to_end();
        log::say("ending; what clients have sent is still received and sent");
        self.listening.stop(&mut self.aggregator);
        let length_ms = self.interval.took_ms(Instant::now());
        let end_ms = now_ms();
        let mut interval = Sending::begin(end_ms, length_ms);
        let add = |point| self.sending.add(&mut interval, point);
        let flushed = self.aggregator.last(Vec::new(), end_ms, length_ms, add);
        self.finish(interval, flushed, length_ms);
        self.sending.stop(&mut self.account);
        let notices = self.notices.take();
        if let Some(outcome) = notices.and_then(|notices| notices.stop(PATIENCE_AT_END)) {
            note_notices(&self.config, outcome, &mut self.account);
        }
        self.profiling.end(PATIENCE_AT_END);
        self.account.others = self.profiling.figures();
        eprint!("{}", self.account);
        let discrepancies = self.account.discrepancies();
        for discrepancy in &discrepancies {
            log::say(format!("the account does not add up: {discrepancy}"));
        }
        match discrepancies.is_empty() {
            true => Ok(()),
            false => Err(anyhow!(
                "a fault of hone-agent; please report it with the account above"
            )),
        }
    }
}

/// Returns the rules by which back ends and scrapers tell series apart.
fn rules(sending: &Sending, state: &State) -> Vec<Rules> {
    let mut rules = sending.rules();
    if state.can_be_scraped() && !rules.contains(&scrape::rules()) {
        rules.push(scrape::rules());
    }
    rules
}

/// Puts the outcome of events and service checks into the account, without secrets in its error.
fn note_notices(config: &Config, outcome: Outcome, account: &mut Account) {
    let address = config.events.as_ref();
    let address = address.map_or("", |events| &events.webhook.address);
    let outcome = back_ends::without_secrets(address, outcome);
    back_ends::note_one(endpoints::NOTICES, outcome, account);
}

/// Starts the HTTP server. If that fails, the agent goes on without: to receive what clients send is more important.
fn answer(config: &Config, state: &Arc<State>) {
    let Some(listen) = config.http else {
        return;
    };
    match http::serve(listen, Arc::clone(state)) {
        Ok(address) => log::say(format!("answering HTTP at http://{address}/")),
        Err(error) => log::say(format!(
            "no HTTP at {listen}: {error}; set `listen` in [http] to another address, or to \"off\""
        )),
    }
}

//! A reload: the configuration is read again while clients send.
//!
//! All steps that may be refused come first: the file is read and checked, and new listeners and back ends are opened.
//! If a step is refused, nothing has changed. Then the plan is carried out.

use anyhow::Result;

use super::Agent;
use super::events::Reloaded;
use super::interval::now_ms;
use crate::config::Config;
use crate::log;

/// Changes by a reload.
#[derive(Default)]
pub(super) struct Changes {
    done: Vec<String>,
    later: Vec<String>,
}

impl Changes {
    /// Notes a change.
    pub(super) fn done(&mut self, what: String) {
        self.done.push(what);
    }

    /// Notes a setting that only a restart can change.
    pub(super) fn later(&mut self, what: String) {
        self.later.push(what);
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.done.is_empty()
    }

    fn extend(&mut self, other: &mut Self) {
        self.done.append(&mut other.done);
        self.later.append(&mut other.later);
    }

    /// Returns the message for people.
    fn said(&self) -> String {
        let mut said = match self.is_nothing() {
            true => "reloaded: nothing is different".to_owned(),
            false => format!("reloaded: {}", self.done.join(", ")),
        };
        if !self.later.is_empty() {
            said = format!("{said}; needs a restart: {}", self.later.join(", "));
        }
        said
    }
}

impl Agent {
    /// Reads the configuration again, and returns the outcome.
    ///
    /// # Errors
    /// If the agent cannot go on at all.
    pub(super) fn reload(&mut self) -> Result<Reloaded> {
        self.notify.reloading();
        let outcome = match self.prepared() {
            Ok(prepared) => Reloaded::Done(self.changed(prepared)?),
            Err(error) => {
                Reloaded::Refused(format!("reload refused, all stays as it was: {error:#}"))
            }
        };
        let (Reloaded::Done(said) | Reloaded::Refused(said)) = &outcome;
        log::say_often("reload", said);
        self.notify.ready();
        Ok(outcome)
    }

    /// Does all steps that may be refused.
    fn prepared(&self) -> Result<Prepared> {
        let config = Config::read(&self.file)?;
        let sending = self.sending.plan(&config)?;
        let listening = self.listening.plan(&config)?;
        Ok(Prepared {
            config,
            sending,
            listening,
        })
    }

    fn changed(&mut self, prepared: Prepared) -> Result<String> {
        let Prepared {
            mut config,
            mut sending,
            mut listening,
        } = prepared;
        let mut changes = Changes::default();
        changes.extend(&mut listening.changes);
        changes.extend(&mut sending.changes);
        let has_limits = config.limits != self.config.limits;
        for (is_other, what) in [
            (has_limits, "limits"),
            (
                config.flush.quantiles != self.config.flush.quantiles,
                "quantiles",
            ),
            (config.interval_s != self.config.interval_s, "the interval"),
            (config.labels != self.config.labels, "labels"),
            (config.rewrite != self.config.rewrite, "rules of rewriting"),
        ] {
            if is_other {
                changes.done(what.to_owned());
            }
        }
        let expiry = |config: &Config| {
            let flush = &config.flush;
            let of = flush.expire_after_of.clone();
            (flush.expires_after, flush.distributions_expire_after, of)
        };
        if expiry(&config) != expiry(&self.config) {
            changes.done("expiry".to_owned());
        }
        if config.http != self.config.http {
            changes.later("http.listen".to_owned());
            config.http = self.config.http;
        }
        if config.metrics != self.config.metrics {
            changes.later("http.metrics".to_owned());
            config.metrics = self.config.metrics;
        }
        if config.events != self.config.events {
            changes.later("events".to_owned());
            config.events = self.config.events.clone();
        }
        if config.container_tag != self.config.container_tag {
            changes.later("aggregate.container_tag".to_owned());
            config.container_tag = self.config.container_tag.clone();
        }
        if config.services != self.config.services {
            changes.later("services".to_owned());
            config.services = self.config.services.clone();
        }
        if config.profiles != self.config.profiles {
            changes.done("profiles".to_owned());
            self.profiling.change(config.profiles.as_ref());
        }
        self.sending.change(sending, &config);
        if let Some(notices) = &self.notices {
            notices.label(config.labels.clone());
        }
        self.aggregator
            .tell_apart(super::rules(&self.sending, &self.state));
        if config.interval_s != self.config.interval_s {
            self.interval.change(config.interval_s, now_ms());
            self.tell_bounds();
        }
        if config.rewrite != self.config.rewrite {
            self.aggregator.rewrite(config.rewrite.clone());
        }
        let (flush, limits) = (config.flush.clone(), config.limits);
        self.listening.change(
            listening,
            &config,
            &mut self.aggregator,
            has_limits,
            |aggregator| aggregator.change(flush, limits),
        )?;
        self.config = config;
        Ok(changes.said())
    }
}

/// A configuration whose parts are all ready to be used.
struct Prepared {
    config: Config,
    sending: super::back_ends::Plan,
    listening: super::listeners::Plan,
}

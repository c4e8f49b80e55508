//! Looks for regressions, and who is told of what they find. A hub that does not look tells what jobs have found.
//!
//! A finding is posted to the webhook at least once: it waits in the store until a post of it was answered with success, and each round of
//! upkeep tries again. A receiver tells copies by their id.

use std::collections::BTreeSet;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use hone_fetch::http::client;
use hone_hub::regressions::{Regressions, State};
use hone_regressions::{Cause, Evidence, Standing, Status};
use hyper::StatusCode;
use serde_json::{Value, json};
use ureq::Agent;

use crate::log;
use crate::run::{Hub, now_s};
use crate::settings::{Every, Regressions as Settings};
use crate::upkeep::{attempt, is_over};

/// Time for a post with its answer.
const POST_TIME: Duration = Duration::from_secs(10);
/// Posts of a round that fail before the others wait for the next one: a webhook that does not answer must not hold up compaction.
const FAILED_MAX: usize = 2;
/// Part of the rows of a question that a step may have.
pub(crate) const ROWS_PART: usize = 2;
const DAY_S: u64 = 86_400;
/// Hours that a fleet's builds can be compared over: minutes are kept for a week.
const PROVED_H_MAX: u64 = 168;

/// What is kept while tenants are looked at.
#[derive(Default)]
struct Round {
    /// Posts that failed in this round.
    failed: usize,
    /// Tenants with too many services, which were told in a round before.
    told: BTreeSet<String>,
}

/// What looks.
pub(crate) struct Watch {
    settings: Settings,
    agent: Agent,
}

impl Watch {
    /// Begins. No proxy is used, and no redirection followed: findings go to where the settings say.
    pub(crate) fn new(settings: Settings) -> Self {
        let config = client()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(POST_TIME))
            .build();
        Self {
            settings,
            agent: config.into(),
        }
    }

    /// Looks until the hub ends.
    pub(crate) fn work(&self, hub: &Hub, every: Every, is_ending: &Receiver<()>) {
        let mut round = Round::default();
        loop {
            let tenants = attempt(hub, "list tenants", |hub| hub.store.tenants());
            round.failed = 0;
            for tenant in tenants.unwrap_or_default() {
                if is_over(is_ending, Duration::ZERO) {
                    return;
                }
                self.look(hub, &tenant, &mut round, is_ending);
            }
            if is_over(is_ending, every.compact) {
                return;
            }
        }
    }

    /// Looks at the services of a tenant whose looks are due, and posts what waits, unless too many posts have failed.
    fn look(&self, hub: &Hub, tenant: &str, round: &mut Round, is_ending: &Receiver<()>) {
        let rows_max = (hub.limits.question_rows / ROWS_PART).max(1);
        let Some(regressions) = attempt(hub, &format!("look at {tenant}"), |_| {
            let thresholds = self.settings.thresholds;
            let symbols = Some(&hub.symbols.library);
            Regressions::of(&hub.store, tenant, symbols, thresholds, rows_max)
        }) else {
            return;
        };
        if !self.settings.looks {
            let states = attempt(hub, &format!("read what was found of {tenant}"), |_| {
                regressions.states(&[])
            });
            for state in states.unwrap_or_default() {
                self.tell(hub, tenant, &regressions, &state, round, is_ending);
            }
            return;
        }
        let services = attempt(hub, &format!("list the services of {tenant}"), |_| {
            regressions.services(now_s())
        });
        let (services, left_out) = services.unwrap_or_default();
        if left_out == 0 {
            round.told.remove(tenant);
        } else if round.told.insert(tenant.to_owned()) {
            let looked = services.len();
            log::say(format!(
                "{left_out} services of the tenant {tenant} are not looked at for regressions: the {looked} with most bytes are"
            ));
        }
        for service in services {
            if is_over(is_ending, Duration::ZERO) {
                return;
            }
            let name = &service.name;
            let what = format!("look for regressions of {name} of {tenant}");
            let Some((looks, state)) =
                attempt(hub, &what, |_| regressions.look_at(&service, now_s()))
            else {
                continue;
            };
            log_new(hub, looks, &state);
            self.tell(hub, tenant, &regressions, &state, round, is_ending);
        }
    }

    /// Counts what stands of a service, and posts what waits, unless too many posts have failed.
    fn tell(
        &self,
        hub: &Hub,
        tenant: &str,
        regressions: &Regressions<'_>,
        state: &State,
        round: &mut Round,
        is_ending: &Receiver<()>,
    ) {
        let standing = state
            .standings
            .told()
            .filter(|told| told.status == Status::Stands && told.acknowledged.is_none());
        hub.figures
            .stand(tenant, &state.service, standing.count() as u64);
        if round.failed < FAILED_MAX && !self.deliver(hub, tenant, regressions, state, is_ending) {
            round.failed += 1;
        }
    }

    /// Posts what waits; false if that failed, or the hub ends before all is posted.
    fn deliver(
        &self,
        hub: &Hub,
        tenant: &str,
        regressions: &Regressions<'_>,
        state: &State,
        is_ending: &Receiver<()>,
    ) -> bool {
        let waiting = state.to_deliver();
        if waiting.is_empty() && state.waiting.is_empty() {
            return true;
        }
        let mut done: Vec<String> = Vec::new();
        let mut is_good = true;
        if let Some(address) = &self.settings.webhook {
            for told in waiting {
                is_good = !is_over(is_ending, Duration::ZERO)
                    && self.post(hub, address, &message(tenant, &state.service, told));
                if !is_good {
                    break;
                }
                done.push(told.id.clone());
            }
        }
        if is_good {
            // Also those that are forgotten meanwhile, and all where there is no webhook.
            done.clone_from(&state.waiting);
        }
        let what = format!("note what was told of {}", state.service);
        if !done.is_empty() {
            attempt(hub, &what, |_| regressions.delivered(&state.service, &done));
        }
        is_good
    }

    fn post(&self, hub: &Hub, address: &str, message: &Value) -> bool {
        let request = self
            .agent
            .post(address)
            .header("content-type", "application/json");
        let (status, why) = match request.send(message.to_string().as_bytes()) {
            Ok(answer) if answer.status().is_success() => (StatusCode::OK, String::new()),
            Ok(answer) => (
                StatusCode::BAD_GATEWAY,
                format!("it answered {}", answer.status()),
            ),
            Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()),
        };
        hub.figures.webhooks.count(status);
        if !why.is_empty() {
            log::say_often(
                "webhook",
                format!("a finding was not taken by the webhook: {why}; it is sent again later"),
            );
        }
        why.is_empty()
    }
}

/// Counts looks, and says in the log what the last one has found.
fn log_new(hub: &Hub, looks: u64, state: &State) {
    hub.figures.looks.add(looks);
    if looks == 0 {
        return;
    }
    let new = state.to_deliver();
    let new = new
        .iter()
        .filter(|told| told.last_s == state.standings.at_s);
    for told in new {
        hub.figures.regressions.add(1);
        log::say(format!("regression: {}: {}", state.service, in_words(told)));
    }
}

/// What is posted.
fn message(tenant: &str, service: &str, told: &Standing) -> Value {
    json!({
        "kind": "regression",
        "tenant": tenant,
        "service": service,
        "text": format!("{service}: {}", in_words(told)),
        "prove": proof(service, told),
        "regression": told,
    })
}

/// Returns the command that tells by all of the service's CPU time whether the build is dearer; `None` if there are no two builds.
pub(crate) fn proof(service: &str, told: &Standing) -> Option<String> {
    let finding = &told.finding;
    let Cause::NewBuild(new) = &finding.cause else {
        return None;
    };
    let old = finding.old_build.as_ref()?;
    // Builds that do not run side by side are compared over a day before as well.
    let before_s = match finding.evidence {
        Evidence::SideBySide { .. } => 0,
        Evidence::OverTime { .. } => DAY_S,
    };
    let since_s = told.last_s.saturating_sub(finding.since_s) + before_s;
    let hours = since_s.div_ceil(3600).clamp(1, PROVED_H_MAX);
    let from = format!("hub:{service}");
    let from = shlex::try_quote(&from).ok()?;
    Some(format!(
        "hone bench --fleet {old} {new} --from {from} --since {hours}h"
    ))
}

/// Says a finding in a sentence.
pub(crate) fn in_words(told: &Standing) -> String {
    let finding = &told.finding;
    let percent = |share: f64| format!("{:.3} %", 100.0 * share);
    let cause = match &finding.cause {
        Cause::NewBuild(build) => format!("since build {build}"),
        Cause::OverTime => "without a new build".to_owned(),
    };
    let callers = match finding.callers.len() {
        0 => String::new(),
        count => format!("; {count} of its callers take more by this alone"),
    };
    let words = format!(
        "{} takes {} of the service, {} before, {cause}: {:.2} ± {:.2} cores more, over {} hosts{callers}",
        finding.function,
        percent(finding.after),
        percent(finding.before),
        finding.cores.value,
        finding.cores.standard_error,
        finding.units,
    );
    // One line, whatever a function is called.
    words.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use hone_regressions::{Finding, Interval, Measure, Unit};

    use super::*;

    const LAST_S: u64 = 1_800_000_000;

    fn told(evidence: Evidence, cause: Cause) -> Standing {
        let change = Interval {
            value: 0.01,
            low: 0.008,
            high: 0.012,
            standard_error: 0.001,
        };
        Standing {
            id: "parse@1".into(),
            status: Status::Stands,
            first_s: LAST_S,
            last_s: LAST_S,
            looks: 2,
            finding: Finding {
                function: "parse".into(),
                measure: Measure::Own,
                evidence,
                cause,
                old_build: Some("aa01".into()),
                since_s: LAST_S - 12 * 3600,
                before: 0.04,
                after: 0.05,
                change,
                cores: change,
                p: 0.0,
                q: 0.0,
                unit: Unit::Host,
                units: 6,
                parts: Vec::new(),
                callers: vec!["main".into(), "serve".into()],
            },
            acknowledged: None,
        }
    }

    #[test]
    fn what_is_posted_has_the_command_that_proves_it() {
        let (old, new) = ("aa01".to_owned(), "bb02".to_owned());
        let cause = Cause::NewBuild(new.clone());
        let beside = told(Evidence::SideBySide { old, new }, cause.clone());
        let posted = message("default", "shop", &beside);
        assert_eq!(
            posted["prove"],
            "hone bench --fleet aa01 bb02 --from hub:shop --since 12h"
        );
        let text = posted["text"].as_str().unwrap();
        assert!(
            text.ends_with("; 2 of its callers take more by this alone"),
            "{text}"
        );
        let over_time = told(Evidence::OverTime { days: 7 }, cause);
        assert_eq!(
            proof("the shop's", &over_time).unwrap(),
            "hone bench --fleet aa01 bb02 --from \"hub:the shop's\" --since 36h"
        );
        let without_build = told(Evidence::OverTime { days: 7 }, Cause::OverTime);
        assert_eq!(proof("shop", &without_build), None);
        assert_eq!(
            message("default", "shop", &without_build)["prove"],
            Value::Null
        );
    }
}

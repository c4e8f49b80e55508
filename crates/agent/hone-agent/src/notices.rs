//! Events and service checks on their way to a webhook: as JSON, through a bounded queue and a thread of its own.
//!
//! Events and checks are rare, so the thread that reads them also writes them as JSON. A full queue drops its oldest;
//! the outcome is counted as for any endpoint.

use crate::compress::Compression;
use crate::protocol::statsd::{Notice, Passed, What, notice};
use crate::send::queue::{MemoryQueue, Queue};
use crate::send::{HttpError, Outcome, Parcel, Retry, Sender, Webhook, WebhookOptions};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, io};

/// Sender of events and service checks to a webhook.
pub struct Notices {
    /// Sender to the webhook; `None` once it has ended.
    sender: Mutex<Option<Sender>>,
    labels: Mutex<Vec<(String, String)>>,
}

/// Reasons why the webhook cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum NoticesError {
    /// The address or a header is not valid.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The system starts no thread.
    #[error("no thread can be had: {0}")]
    Thread(#[from] io::Error),
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}

impl Notices {
    /// Starts the thread. The queue holds at most `queue_bytes`; `labels` are the agent's labels.
    ///
    /// # Errors
    /// See [`NoticesError`].
    pub fn start(
        options: &WebhookOptions,
        queue_bytes: u64,
        labels: Vec<(String, String)>,
        retry: Retry,
    ) -> Result<Self, NoticesError> {
        let endpoint = Box::new(Webhook::new(options)?);
        let queue = Queue::Memory(MemoryQueue::new(queue_bytes));
        let sender = Sender::start("events", endpoint, queue, retry)?;
        Ok(Self {
            sender: Mutex::new(Some(sender)),
            labels: Mutex::new(labels),
        })
    }

    /// Replaces the labels, from the next event or check on.
    pub fn label(&self, labels: Vec<(String, String)>) {
        *self.labels() = labels;
    }

    fn sender(&self) -> MutexGuard<'_, Option<Sender>> {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn labels(&self) -> MutexGuard<'_, Vec<(String, String)>> {
        self.labels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on a line that is an event or a service check.
    pub fn pass(&self, line: &[u8]) -> Passed {
        let Some(notice) = notice(line) else {
            return Passed::Malformed;
        };
        let body = written(&notice, &self.labels(), SystemTime::now()).to_string();
        let sender = self.sender();
        let Some(sender) = &*sender else {
            return Passed::Nowhere;
        };
        sender.send(Parcel {
            body: Arc::from(body.into_bytes()),
            compression: Compression::None,
            points: 1,
            samples: 0,
            histograms: 0,
        });
        Passed::On
    }

    /// Returns the outcome, in which each event or check is one point; `None` once the sender has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        Some(self.sender().as_ref()?.outcome())
    }

    /// Sends what is queued, for at most the given time, and ends. `None` if the sender has ended before.
    pub fn stop(&self, patience: Duration) -> Option<Outcome> {
        // The lock is released first, so that nobody waits for it meanwhile.
        let sender = self.sender().take()?;
        Some(sender.stop(patience))
    }
}

fn written(notice: &Notice<'_>, labels: &[(String, String)], now: SystemTime) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    let text = |bytes: &[u8]| Value::from(String::from_utf8_lossy(bytes));
    let lines = |bytes: &[u8]| Value::from(String::from_utf8_lossy(bytes).replace("\\n", "\n"));
    let now_s = now
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let mut optional: Vec<(&str, Option<&[u8]>)> =
        vec![("host", notice.host), ("container", notice.container)];
    match notice.what {
        What::Event {
            title,
            text,
            key,
            priority,
            source,
            alert,
        } => {
            put("kind", json!("event"));
            put("title", lines(title));
            put("text", lines(text));
            optional.extend([
                ("aggregation_key", key),
                ("priority", priority),
                ("source", source),
                ("alert", alert),
            ]);
        }
        What::Check {
            name,
            status,
            message,
        } => {
            let words = ["ok", "warning", "critical"];
            put("kind", json!("service_check"));
            put("name", text(name));
            put(
                "status",
                json!(words.get(usize::from(status)).unwrap_or(&"unknown")),
            );
            message.map(|message| put("message", lines(message)));
        }
    }
    put("time_s", json!(notice.time_s.unwrap_or(now_s)));
    let tags = notice.tags.split(|byte| *byte == b',');
    let tags = tags.map(|tag| tag.strip_prefix(b"#").unwrap_or(tag));
    put(
        "tags",
        tags.filter(|tag| !tag.is_empty()).map(text).collect(),
    );
    for (name, value) in optional {
        value.map(|value| put(name, text(value)));
    }
    let labels = labels
        .iter()
        .map(|(key, value)| (key.clone(), json!(value)));
    put("labels", Value::Object(labels.collect()));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &[u8]) -> Value {
        let labels = [("host".to_owned(), "here".to_owned())];
        let now = UNIX_EPOCH + Duration::from_secs(7);
        written(&notice(line).unwrap(), &labels, now)
    }

    #[test]
    fn what_is_posted_says_what_came() {
        let event = b"_e{2,5}:hi|a\\n\xffb|d:12|h:web|k:x|p:low|s:ci|t:error|#env:prod,#one|c:ci-7";
        let expected = json!({
            "kind": "event", "title": "hi", "text": "a\n\u{fffd}b", "time_s": 12, "host": "web", "aggregation_key": "x",
            "priority": "low", "source": "ci", "alert": "error", "tags": ["env:prod", "one"], "container": "ci-7",
            "labels": { "host": "here" },
        });
        assert_eq!(of(event), expected);
        let expected = json!({
            "kind": "service_check", "name": "redis", "status": "unknown", "message": "no\nanswer", "time_s": 7,
            "tags": [], "labels": { "host": "here" },
        });
        assert_eq!(of(b"_sc|redis|3|m:no\\nanswer"), expected);
    }
}

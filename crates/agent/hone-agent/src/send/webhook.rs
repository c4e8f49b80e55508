//! A webhook: one POST of JSON for each parcel.
//!
//! | answer | what follows |
//! |---|---|
//! | 2xx | delivered |
//! | 429, 5xx, no answer in time, no connection | tried again, up to the configured number of attempts |
//! | anything else | lost |

use super::http::HttpError;
use super::post::{Poster, unsuccessful};
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::tls::Tls;
use std::time::Duration;

/// Options of a webhook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WebhookOptions {
    /// Address, with `http://` or `https://`.
    pub address: String,
    /// More headers, such as `Authorization`.
    pub headers: Vec<(String, String)>,
    /// Longest time of one attempt, from connecting to the answer.
    pub timeout: Duration,
    /// Limit on attempts for one parcel.
    pub attempts: u32,
}

/// Endpoint for a webhook.
pub struct Webhook {
    poster: Poster,
    attempts: u32,
    /// Failed attempts for the present parcel.
    failures: u32,
}

impl Webhook {
    /// Makes an endpoint, which connects when the first parcel is sent. No proxy is used, and no redirection followed.
    ///
    /// # Errors
    /// If the address or a header is not valid.
    pub fn new(options: &WebhookOptions) -> Result<Self, HttpError> {
        let WebhookOptions {
            address,
            headers,
            timeout,
            attempts,
        } = options;
        Ok(Self {
            poster: Poster::new(address, headers, &[], &Tls::default(), *timeout)?,
            attempts: *attempts,
            failures: 0,
        })
    }

    fn attempt(&self, parcel: &Parcel) -> Delivery {
        let json = [("Content-Type", "application/json")];
        match self.poster.post(&json, &parcel.body) {
            Ok(answer) if answer.status().is_success() => Delivery::Delivered,
            Ok(answer) => unsuccessful(answer),
            Err(error) => Delivery::later(error),
        }
    }
}

impl Endpoint for Webhook {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let delivery = self.attempt(parcel);
        let Delivery::Later { why, .. } = &delivery else {
            self.failures = 0;
            return delivery;
        };
        self.failures += 1;
        if self.failures < self.attempts {
            return delivery;
        }
        self.failures = 0;
        Delivery::Never {
            reason: Reason::Refused,
            why: format!("given up after {} attempts: {why}", self.attempts),
        }
    }
}

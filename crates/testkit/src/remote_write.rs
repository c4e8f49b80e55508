//! Requests of Prometheus' remote write 1.0, after its published definition.

use prost::Message;

/// What is sent.
#[derive(Clone, PartialEq, Message)]
pub struct WriteRequest {
    /// Series with samples.
    #[prost(message, repeated, tag = "1")]
    pub timeseries: Vec<TimeSeries>,
}

/// A series with samples.
#[derive(Clone, PartialEq, Message)]
pub struct TimeSeries {
    /// What tells it apart.
    #[prost(message, repeated, tag = "1")]
    pub labels: Vec<Label>,
    /// Its samples.
    #[prost(message, repeated, tag = "2")]
    pub samples: Vec<Sample>,
}

/// A label of a series.
#[derive(Clone, PartialEq, Message)]
pub struct Label {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its value.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// A sample. The start is of remote write 2.0, which has samples of the same form.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Sample {
    /// Its value.
    #[prost(double, tag = "1")]
    pub value: f64,
    /// Its time in milliseconds.
    #[prost(int64, tag = "2")]
    pub timestamp: i64,
    /// Since when it counts, in milliseconds.
    #[prost(int64, tag = "3")]
    pub start_timestamp: i64,
}

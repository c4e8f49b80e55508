//! An interval that is sent piece by piece comes to what it would be as a whole, its end included.

use std::sync::{Arc, Mutex};

use hone_agent::aggregate::Interval;
use hone_agent::compress::Compression;
use hone_agent::send::queue::{MemoryQueue, Queue};
use hone_agent::send::{Delivery, Endpoint, Outlet, Parcel, Sender};
use hone_agent::send::{send_to_all, tell_all_what_ended};
use hone_agent::wire::relay::Origin;
use hone_agent::wire::{Format, Pieces, plain};
use prost::Message;
use testkit::remote_write::WriteRequest;

use super::fixture::{PATIENCE, at_once, interval, outlet};

/// Labels and the bits of the value of every sample, in the order in which they came.
type Samples = Vec<(String, u64)>;

/// Takes everything.
#[derive(Clone, Default)]
struct BackEnd(Arc<Mutex<Samples>>);

impl Endpoint for BackEnd {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let request = WriteRequest::decode(&parcel.body[..]).unwrap();
        let mut samples = self.0.lock().unwrap();
        for series in request.timeseries {
            let labels = series.labels.iter();
            let labels: Vec<_> = labels
                .map(|label| format!("{}={}", label.name, label.value))
                .collect();
            let values = series.samples.iter().map(|sample| sample.value.to_bits());
            samples.extend(values.map(|value| (labels.join(","), value)));
        }
        Delivery::Delivered
    }
}

/// What two back ends that want the same get of these intervals, sent so many points at a time.
fn sent(intervals: &[Interval], points_max: usize) -> Samples {
    let back_ends: [BackEnd; 2] = Default::default();
    let start = |back_end: &BackEnd| {
        let queue = Queue::Memory(MemoryQueue::new(1 << 20));
        let sender = Sender::start("test", Box::new(back_end.clone()), queue, at_once());
        outlet(Format::RemoteWrite1, Compression::None, sender.unwrap())
    };
    let mut outlets: Vec<Outlet> = back_ends.iter().map(start).collect();
    let mut origin = Origin::default();
    for interval in intervals {
        let mut pieces = Pieces::new(interval.end_ms, interval.length_ms, points_max);
        for point in interval.points.iter().cloned() {
            if let Some(piece) = pieces.add(point) {
                send_to_all(&mut outlets, &piece, &mut origin);
            }
        }
        let last = pieces.last();
        send_to_all(&mut outlets, &last, &mut origin);
        tell_all_what_ended(&mut outlets, &last, &mut origin);
    }
    for outlet in outlets {
        let outcome = outlet.stop(PATIENCE);
        assert_eq!(outcome.delivered, outcome.accepted, "{outcome:?}");
    }
    let [one, other] = back_ends.map(|back_end| back_end.0.lock().unwrap().clone());
    assert_eq!(one, other);
    one
}

#[test]
fn pieces_of_any_size_come_to_the_same() {
    let first = interval();
    let mut second = interval();
    second.points.retain(|point| {
        let metric = point.series.metric();
        metric != "requests" && metric != "duration"
    });
    let intervals = [first, second, Interval::default()];
    let whole = sent(&intervals, usize::MAX);
    for points_max in 1..=7 {
        assert_eq!(sent(&intervals, points_max), whole, "{points_max}");
    }
    // The counter ends with the second interval, the gauge with the third; timers just do not come.
    let stale = |value: u64| value == plain::STALE.to_bits();
    let ended = whole.iter().filter(|(_, value)| stale(*value));
    let ended: Vec<_> = ended.map(|(labels, _)| labels).collect();
    assert_eq!(ended.len(), 2, "{ended:?}");
    assert!(ended[0].contains("__name__=requests"), "{ended:?}");
    assert!(ended[1].contains("__name__=queue_length"), "{ended:?}");
}

//! From a packet to samples: by copying, as a msgpack library is commonly used, or in place.

use hone_agent::protocol::sdk;
use hone_agent::sample::{Kind, Values};
use rmpv::ValueRef;

use crate::store::Store;

/// The objects of a packet, then a vector of strings for each point, then what they mean.
pub fn copying(mut packet: &[u8], store: &mut Store) {
    let Ok(object) = rmpv::decode::read_value_ref(&mut packet) else {
        store.malformed += 1;
        return;
    };
    let points = points(&object);
    store.malformed += u64::from(points.is_empty());
    for point in &points {
        match meaning(point) {
            Some((kind, value)) => store.take(kind, &point[1], value, &point[3]),
            None => store.malformed += 1,
        }
    }
}

fn points(object: &ValueRef<'_>) -> Vec<Vec<String>> {
    let ValueRef::Array(elements) = object else {
        return Vec::new();
    };
    if matches!(elements.first(), Some(ValueRef::String(_))) {
        return vec![strings(elements)];
    }
    let points = elements.iter().filter_map(|element| match element {
        ValueRef::Array(parts) => Some(strings(parts)),
        _ => None,
    });
    points.collect()
}

fn strings(parts: &[ValueRef<'_>]) -> Vec<String> {
    let strings = parts.iter().filter_map(|part| match part {
        ValueRef::String(text) => text.as_str().map(str::to_owned),
        _ => None,
    });
    strings.collect()
}

fn meaning(point: &[String]) -> Option<(Kind, f64)> {
    let kind = match point.first()?.as_str() {
        "counter" => Kind::Counter,
        "gauge" => Kind::Gauge,
        "timer" => Kind::Timer,
        _ => return None,
    };
    if point.len() < 4 {
        return None;
    }
    Some((kind, point[2].parse().ok()?))
}

/// hone-agent's own parser.
pub fn in_place(packet: &[u8], store: &mut Store) {
    let parsed = sdk::parse(packet, &mut |sample| {
        let text = |bytes| str::from_utf8(bytes).unwrap_or_default();
        if let Values::Numbers(&[value]) = sample.values {
            store.take(
                sample.series.kind,
                text(sample.series.metric),
                value,
                text(sample.series.tags),
            );
        }
    });
    store.malformed += parsed.malformed;
}

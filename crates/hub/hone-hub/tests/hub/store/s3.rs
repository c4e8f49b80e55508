//! A bucket of a real server: moto's, where Python has it.

use std::time::Duration;

use hone_hub::store::objects::{Objects, Part};
use hone_hub::store::s3::{Bucket, S3};
use hone_hub::store::{Location, Store};
use testkit::BucketServer;

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, options, sums_in, sums_of};

/// The bucket of a server.
pub(crate) fn bucket(server: &BucketServer) -> Bucket {
    let (id, secret) = BucketServer::KEYS;
    Bucket {
        name: BucketServer::BUCKET.to_owned(),
        prefix: "profiles".to_owned(),
        endpoint: Some(server.endpoint()),
        region: Some(BucketServer::REGION.to_owned()),
        keys: Some((id.to_owned(), secret.to_owned())),
    }
}

fn sent(host: u8, number: u64) -> Sent {
    Sent {
        host,
        number,
        minute: 10,
    }
}

#[test]
#[ignore = "further end to end"]
fn replicas_share_a_bucket() {
    let Some(server) = BucketServer::start() else {
        return;
    };
    let open = || {
        let mut options = options();
        options.gather = Some(Duration::from_millis(20));
        Store::open(Location::Bucket(bucket(&server)), options).unwrap()
    };
    let (first, second) = (open(), open());
    std::thread::scope(|scope| {
        for (host, store) in [(0, &first), (1, &second), (2, &first), (3, &second)] {
            scope.spawn(move || {
                for number in 0..5 {
                    let batch = sent(host, number).received();
                    store.append(TENANT, &batch, MIDNIGHT_S + 600).unwrap();
                }
            });
        }
    });
    let all = || (0..4).flat_map(|host| (0..5).map(move |number| sent(host, number)));
    let expected = sums_of(all(), Detail::Whole);
    assert_eq!(sums_in(&second, Detail::Whole), expected);
    std::thread::scope(|scope| {
        for store in [&first, &second] {
            scope.spawn(|| store.compact(MIDNIGHT_S + 7200).unwrap());
        }
    });
    for store in [&first, &second, &open()] {
        assert_eq!(sums_in(store, Detail::Whole), expected);
    }
    let late_s = MIDNIGHT_S + 2 * 86_400;
    second.compact(late_s).unwrap();
    first.retain(late_s).unwrap();
    let expected = sums_of(all(), Detail::Days);
    assert_eq!(sums_in(&first, Detail::Days), expected);
}

#[test]
fn objects_of_a_bucket_are_put_under_conditions() {
    let Some(server) = BucketServer::start() else {
        return;
    };
    let objects = S3::open(&bucket(&server)).unwrap();
    assert!(objects.get("a/one").unwrap().is_none());
    assert!(objects.put_if_absent("a/one", b"1").unwrap());
    assert!(!objects.put_if_absent("a/one", b"2").unwrap());
    let version = objects.get_versioned("a/one").unwrap().unwrap().version;
    assert!(objects.replace("a/one", b"3", &version).unwrap());
    assert!(!objects.replace("a/one", b"4", &version).unwrap());
    assert!(!objects.replace("a/none", b"4", &version).unwrap());
    assert_eq!(objects.get("a/one").unwrap().unwrap(), b"3");
    objects.put("a/b/two", b"22").unwrap();
    objects.put("b/three", b"0123456789").unwrap();
    let part = |range| objects.get_range("b/three", range).unwrap();
    assert_eq!(part(3..6).as_deref(), Some(&b"345"[..]));
    assert_eq!(part(8..20).as_deref(), Some(&b"89"[..]));
    assert_eq!(part(10..12).as_deref(), Some(&b""[..]));
    assert_eq!(part(20..30).as_deref(), Some(&b""[..]));
    assert_eq!(objects.get_range("b/four", 0..1).unwrap(), None);
    let parts = [("b/three", 2..4), ("b/four", 0..1), ("b/three", 0..1)];
    let parts = parts.map(|(name, range)| Part { name, range });
    let read = objects.get_ranges(&parts).unwrap();
    assert_eq!(read, [Some(b"23".to_vec()), None, Some(b"0".to_vec())]);
    let listed = objects.list("a/").unwrap();
    let names: Vec<_> = listed
        .iter()
        .map(|object| (object.name.as_str(), object.bytes))
        .collect();
    assert_eq!(names, [("a/b/two", 2), ("a/one", 1)]);
    objects.delete("a/one").unwrap();
    objects.delete("a/one").unwrap();
    assert!(objects.get("a/one").unwrap().is_none());
}

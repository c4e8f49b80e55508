//! Folders: who may open them, and what lies in them.

use hone_hub::store::folder::Folder;
use hone_hub::store::objects::{Objects, Version};
use hone_hub::store::{Location, Store, StoreError};

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, options, sums_in, sums_of};

#[test]
fn a_folder_is_open_in_one_hub_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let location = || Location::Folder(folder.path().to_owned());
    let first = Store::open(location(), options()).unwrap();
    let second = Store::open(location(), options());
    assert!(matches!(second, Err(StoreError::Locked { .. })));
    drop(first);
    Store::open(location(), options()).unwrap();
}

#[test]
fn a_folder_of_a_later_version_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hub.json"), r#"{"format":2}"#).unwrap();
    let opened = Store::open(Location::Folder(folder.path().to_owned()), options());
    assert!(matches!(opened, Err(StoreError::Newer { format: 2, .. })));
}

#[test]
fn files_are_written_whole_replaced_by_version_and_listed_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let objects = Folder::open(folder.path()).unwrap();
    assert!(objects.put_if_absent("a/b/one", b"1").unwrap());
    assert!(!objects.put_if_absent("a/b/one", b"2").unwrap());
    objects.put("a/two", b"22").unwrap();
    objects.put("a/b/three", b"0123456789").unwrap();
    let part = |range| objects.get_range("a/b/three", range).unwrap();
    assert_eq!(part(3..6).as_deref(), Some(&b"345"[..]));
    assert_eq!(part(8..20).as_deref(), Some(&b"89"[..]));
    assert_eq!(part(20..30).as_deref(), Some(&b""[..]));
    assert_eq!(objects.get_range("a/b/four", 0..1).unwrap(), None);
    objects.delete("a/b/three").unwrap();
    let version = objects.get_versioned("a/b/one").unwrap().unwrap().version;
    assert!(
        !objects
            .replace("a/b/one", b"3", &Version("no".to_owned()))
            .unwrap()
    );
    assert!(objects.replace("a/b/one", b"3", &version).unwrap());
    assert!(!objects.replace("a/b/one", b"4", &version).unwrap());
    assert!(!objects.replace("a/none", b"4", &version).unwrap());
    let listed = objects.list("a/").unwrap();
    let names: Vec<_> = listed
        .iter()
        .map(|object| (object.name.as_str(), object.bytes))
        .collect();
    assert_eq!(names, [("a/b/one", 1), ("a/two", 2)]);
    objects.delete("a/two").unwrap();
    objects.delete("a/two").unwrap();
    assert!(objects.get("a/two").unwrap().is_none());
    assert_eq!(objects.list("none/").unwrap(), []);
    for name in ["../x", "/x", "a//b", "a/./b", ""] {
        objects.put(name, b"").unwrap_err();
    }
    let left = std::fs::read_dir(folder.path().join("tmp")).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn many_threads_append_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let location = || Location::Folder(folder.path().to_owned());
    let store = Store::open(location(), options()).unwrap();
    let sent = |host, number| Sent {
        host,
        number,
        minute: 10,
    };
    std::thread::scope(|scope| {
        for host in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..25 {
                    let batch = sent(host, number).received();
                    store.append(TENANT, &batch, MIDNIGHT_S + 600).unwrap();
                }
            });
        }
    });
    let all = (0..4).flat_map(|host| (0..25).map(move |number| sent(host, number)));
    let expected = sums_of(all, Detail::Whole);
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    drop(store);
    let store = Store::open(location(), options()).unwrap();
    assert_eq!(sums_in(&store, Detail::Whole), expected);
    let done = store.compact(MIDNIGHT_S + 7200).unwrap();
    assert_eq!((done.batches, done.segments), (100, 1));
    assert_eq!(sums_in(&store, Detail::Whole), expected);
}

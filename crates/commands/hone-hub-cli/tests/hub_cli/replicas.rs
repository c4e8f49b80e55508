//! Two hubs on one bucket.

use std::process::Command;

use hone_batch::Batch;
use tempfile::tempdir;
use testkit::BucketServer;

use crate::common::{ANY_PORT, Hub, run};
use crate::fleet::{batch, is_sum_of, send};

#[test]
fn two_hubs_on_one_bucket_answer_what_both_took() {
    let Some(server) = BucketServer::start() else {
        return;
    };
    let (id, secret) = BucketServer::KEYS;
    let settings = format!(
        "{ANY_PORT}[store]\nbucket = 's3://{}/profiles'\nregion = '{}'\nendpoint = '{}'\n[upkeep]\ncompact_s = 1\n",
        BucketServer::BUCKET,
        BucketServer::REGION,
        server.endpoint(),
    );
    let directories = [tempdir().unwrap(), tempdir().unwrap()];
    let hubs = directories.each_ref().map(|directory| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hone-hub"));
        command
            .env("AWS_ACCESS_KEY_ID", id)
            .env("AWS_SECRET_ACCESS_KEY", secret);
        Hub::start_as(command, directory.path(), &settings)
    });
    let batches: Vec<Batch> = (0..8)
        .map(|number| batch(&format!("host-{number}"), number, "shop"))
        .collect();
    std::thread::scope(|scope| {
        for (number, batch) in batches.iter().enumerate() {
            let hub = &hubs[number % 2];
            scope.spawn(|| send(hub, batch));
        }
    });
    // A copy that comes by the other hub.
    send(&hubs[1], &batches[0]);
    for hub in &hubs {
        is_sum_of(&hub.get("/v1/query?service=shop"), &batches);
        assert!(!hub.said().contains(secret));
    }

    let refused = run(
        directories[0].path(),
        &["token", "new", "--scopes", "read", "--bucket", "s3://fleet"],
    );
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("add --tokens FILE"), "{said}");
}

//! What `docs/agent/clients.md` shows.

use std::time::Duration;

use hone_agent_client::{Client, Config, Kind};

fn main() {
    let client = Client::start(Config {
        address: "unixgram:/run/hone-agent/agent.sock".into(),
        ..Config::default()
    })
    .expect("a socket and a thread");

    let orders = client.counter("orders", &[("shop", "eu")]);
    let bytes = client.rate("bytes.out", &[]);
    let queue = client.gauge("queue.length", &[]);
    let checkout = client.timer("checkout.ms", &[("shop", "eu")]);
    let size = client.histogram("order.size", &[]);
    let price = client.distribution("order.price", &[]);
    let users = client.set("users", &[]);

    for order in 0..100 {
        let _measured_until_here = checkout.start();
        orders.add(1);
        bytes.add(512);
        queue.set(100 - order);
        size.record(order % 7);
        price.record(9.99 + f64::from(order));
        users.insert(if order % 2 == 0 { "kim" } else { "alex" });
        // Tags that are only known now.
        let status = if order == 13 { "500" } else { "200" };
        client.record(Kind::Counter, "responses", 1, &[("status", status)]);
    }
    checkout.record(Duration::from_millis(12));

    client.close();
    let counts = client.counts();
    println!("given {}, sent {}", counts.given, counts.sent);
    for (reason, dropped) in counts.drops() {
        eprintln!("{dropped} samples dropped: {}", reason.word());
    }
}

//! The configuration changes while clients send.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::process::Signal;
use testkit::until;

use super::support::{Graphite, get, post, scraped, total};
use crate::common::{Agent, figure};

/// How many reloads there are, each with another configuration.
const RELOADS: usize = 20;
/// What one datagram holds.
const LINES: &[u8] = b"hits:2|c|#a:b\nlatency:5:6|ms\n";

/// The configuration after so many reloads: listeners and back ends come and go, workers and all that can change in place
/// changes.
fn config(reloads: usize, first: &str, second: &str) -> String {
    let mut config = format!(
        "[aggregate]\ninterval_s = 1\nworkers = {}\nquantiles = [0.{}]\n\
         [limits]\nseries = {}\n[labels]\nhost = \"here\"\n[http]\nlisten = \"127.0.0.1:0\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\npacket_bytes = {}\n\
         [[listen]]\naddress = \"unix:stream.sock\"\n\
         [[listen]]\naddress = \"udp:127.0.0.1:0\"\nname = \"udp\"\n\
         [[send]]\nformat = \"graphite\"\nname = \"first\"\naddress = \"{first}\"\n",
        [0, 2, 1][reloads % 3],
        5 + reloads % 4,
        1000 + reloads,
        8000 + reloads,
    );
    if reloads % 2 == 1 {
        config += "[[listen]]\naddress = \"unixgram:extra.sock\"\n";
        config += &format!(
            "[[send]]\nformat = \"graphite\"\nname = \"second\"\naddress = \"{second}\"\n"
        );
    }
    config
}

/// Sends until it is told to stop, and gives how often.
fn client(stop: &Arc<AtomicBool>, mut send: impl FnMut() + Send + 'static) -> JoinHandle<u64> {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let mut sent = 0;
        while !stop.load(Ordering::SeqCst) {
            send();
            sent += 1;
        }
        sent
    })
}

fn datagrams(stop: &Arc<AtomicBool>, directory: &Path) -> JoinHandle<u64> {
    let socket = UnixDatagram::unbound().unwrap();
    socket.connect(directory.join("agent.sock")).unwrap();
    client(stop, move || {
        socket.send(LINES).unwrap();
    })
}

/// One connection all the while, whose frames come in pieces.
fn frames(stop: &Arc<AtomicBool>, directory: &Path) -> JoinHandle<u64> {
    let mut stream = UnixStream::connect(directory.join("stream.sock")).unwrap();
    let mut frame = (LINES.len() as u32).to_le_bytes().to_vec();
    frame.extend(LINES);
    client(stop, move || {
        let (start, rest) = frame.split_at(7);
        stream.write_all(start).unwrap();
        stream.write_all(rest).unwrap();
    })
}

#[test]
fn nothing_that_was_sent_during_reloads_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (Graphite::start(), Graphite::start());
    let config = |reloads| config(reloads, &first.address, &second.address);
    let agent = Agent::start(directory.path(), &config(0));
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    until("it is ready", || {
        (get(http, "/readyz")?.0 == 200).then_some(())
    });
    let stop = Arc::new(AtomicBool::new(false));
    let clients = [
        datagrams(&stop, directory.path()),
        datagrams(&stop, directory.path()),
        frames(&stop, directory.path()),
    ];
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let extra = UnixDatagram::unbound().unwrap();
    let mut sent = 0;
    for reload in 1..=RELOADS {
        // As a whole, since a reload that a signal asked for may read the file meanwhile.
        let written = directory.path().join("agent.toml.new");
        fs::write(&written, config(reload)).unwrap();
        fs::rename(&written, directory.path().join("agent.toml")).unwrap();
        // As many as the smallest receive buffer holds, if nobody reads meanwhile.
        for _ in 0..50 {
            socket.send_to(LINES, udp).unwrap();
            sent += 1;
        }
        if reload % 5 == 0 {
            agent.signal(Signal::HUP);
        }
        let (status, said) = post(http, "/-/reload");
        assert_eq!(status, 200, "{said}");
        if reload % 2 == 1 {
            for _ in 0..30 {
                extra
                    .send_to(LINES, directory.path().join("extra.sock"))
                    .unwrap();
                sent += 1;
            }
        } else {
            assert!(!directory.path().join("extra.sock").exists());
        }
        if reload % 6 == 1 {
            // So that intervals end between reloads too.
            let ended = scraped(http, "hone_agent_values_total").unwrap();
            until("an interval ended", || {
                scraped(http, "hone_agent_values_total").filter(|&values| values > ended)
            });
        }
    }
    stop.store(true, Ordering::SeqCst);
    for client in clients {
        sent += client.join().unwrap();
    }
    let said = agent.end();
    // Where a machine is so busy that workers or receivers do not keep up, packets are dropped and counted.
    let dropped = total(&said, "hone.agent.packets.dropped ")
        + total(&said, "hone.agent.packets.dropped_by_kernel ");
    let sent = sent as f64 - dropped;
    assert_eq!(figure(&said, "hone.agent.values"), 3.0 * sent, "{said}");
    assert_eq!(figure(&said, "hone.agent.values.stored"), 3.0 * sent);
    for lost in [
        "malformed",
        "truncated",
        "broken_off",
        "points.lost",
        "refused",
        "errors",
    ] {
        assert!(!said.contains(lost), "{said}");
    }
    until("the back end has all", || {
        (first.sum("hits;a=b;host=here ") == 2.0 * sent).then_some(())
    });
    assert_eq!(first.sum("latency.count;host=here "), 2.0 * sent);
    until("the other back end has some", || {
        second.has("hits;a=b;host=here ").then_some(())
    });
}

#[test]
fn what_makes_no_sense_or_cannot_be_opened_is_refused_and_all_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = Graphite::start();
    let good = config(0, &back_end.address, "");
    let agent = Agent::start(directory.path(), &good);
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    let there = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("tcp:{}", there.local_addr().unwrap());
    for (bad, complaint) in [
        ("[aggregate]\ninterval_s = 0".to_owned(), "interval_s is 0"),
        (
            format!(
                "{good}[[listen]]\naddress = \"unix:new.sock\"\n[[listen]]\naddress = \"{taken}\""
            ),
            "already listens",
        ),
        (
            good.replace("format = \"graphite\"", "format = \"relay\""),
            "cannot change",
        ),
    ] {
        fs::write(directory.path().join("agent.toml"), bad).unwrap();
        let (status, said) = post(http, "/-/reload");
        assert_eq!(status, 400, "{said}");
        assert!(
            said.contains("refused") && said.contains(complaint),
            "{said}"
        );
        assert!(!directory.path().join("new.sock").exists());
    }
    agent.hears("reload refused");
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(b"hits:2|c", udp).unwrap();
    until("it still stores", || {
        scraped(http, "hone_agent_values_stored_total").filter(|&values| values == 1.0)
    });
    agent.end();
}

#[test]
fn what_needs_a_restart_is_said_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = Graphite::start();
    let before = config(0, &back_end.address, "");
    let agent = Agent::start(directory.path(), &before);
    let http = agent.http();
    let after = before
        .replace("\"127.0.0.1:0\"\n[[listen]]", "\"127.0.0.1:1\"\n[[listen]]")
        .replace("name = \"udp\"", "name = \"udp\"\nshards = 2")
        .replace("name = \"first\"", "name = \"first\"\nqueue_bytes = 1000")
        .replace("\"here\"", "\"there\"");
    fs::write(directory.path().join("agent.toml"), after).unwrap();
    let (status, said) = post(http, "/-/reload");
    assert_eq!(status, 200);
    assert!(said.contains("reloaded: labels"), "{said}");
    let (_, restart) = said.split_once("needs a restart: ").expect(&said);
    for what in [
        "http.listen",
        "listen.shards of udp",
        "send.queue_bytes of first",
    ] {
        assert!(restart.contains(what), "{said}");
    }
    until("the new label is sent", || {
        back_end.has("hone.agent.series;host=there ").then_some(())
    });
    agent.end();
}

/// What waits for a back end that is away is sent to its new address.
#[test]
fn a_queue_outlives_the_change_of_its_back_end() {
    let directory = tempfile::tempdir().unwrap();
    let away = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let before = config(0, &away.to_string(), "");
    let agent = Agent::start(directory.path(), &before);
    let (http, udp) = (agent.http(), agent.listens("udp:127.0.0.1:0"));
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.send_to(b"hits:2|c", udp).unwrap();
    until("its attempts failed", || {
        scraped(http, "hone_agent_retries_total{endpoint=\"first\"}")
            .filter(|&retries| retries > 0.0)
    });
    until("the value is told", || {
        scraped(http, "hone_agent_values_total").filter(|&values| values == 1.0)
    });
    let back_end = Graphite::start();
    fs::write(
        directory.path().join("agent.toml"),
        config(0, &back_end.address, ""),
    )
    .unwrap();
    let (status, said) = post(http, "/-/reload");
    assert_eq!(
        (status, said.as_str()),
        (200, "reloaded: back end first changed\n")
    );
    until("it came", || {
        (back_end.sum("hits;host=here ") == 2.0).then_some(())
    });
    let said = agent.end();
    assert!(!said.contains("lost"), "{said}");
}

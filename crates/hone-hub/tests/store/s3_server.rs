//! A server with the API of S3: moto's, where Python has it. It has one bucket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use hone_hub::store::s3::Bucket;

use super::python::python_with;

/// A server on a port of its own choice, which tells the port in its first line.
const SERVER: &str = "
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
print(port, flush=True)
sys.stdin.read()
";

/// The running server, which ends with this value.
pub(crate) struct Server {
    process: Child,
    port: u16,
}

impl Server {
    pub(crate) fn start() -> Option<Self> {
        let python = python_with("moto.server")?;
        let mut process = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let port = line.trim().parse().unwrap();
        let server = Self { process, port };
        server.make_bucket();
        Some(server)
    }

    fn make_bucket(&self) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = "PUT /fleet HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    pub(crate) fn bucket(&self) -> Bucket {
        Bucket {
            name: "fleet".to_owned(),
            prefix: "profiles".to_owned(),
            endpoint: Some(format!("http://127.0.0.1:{}", self.port)),
            region: Some("us-east-1".to_owned()),
            keys: Some(("id".to_owned(), "secret".to_owned())),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

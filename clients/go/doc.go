// Package agentclient sends a service's metrics to hone-agent: batched, never waiting for it, every sample accounted for.
//
//	handle -> shard (one of a few, by processor) -> outbox (bounded queue) -> socket
//	          encoded into its packet               when full, by a timer     or dropped and counted
//
// A series or value that the protocol cannot carry is dropped and counted; nothing is mended. All samples of a gauge go
// to the same shard, since otherwise an older value could arrive after a newer one. The twins in Rust and C++
// (clients/rust, clients/cpp) write the same bytes. What is promised is in docs/agent/clients.md.
package agentclient

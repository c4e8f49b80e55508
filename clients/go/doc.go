// Package agentclient sends a service's metrics to hone-agent. It sends them in batches, never waits for the agent, and counts every sample.
//
//	handle -> shard (one of a few, by processor) -> outbox (bounded queue) -> socket
//	          encoded into its packet               when full, by a timer     or dropped and counted
//
// A series or value that the protocol cannot carry is dropped and counted; the client corrects nothing. All samples of a gauge go to the same shard,
// since otherwise an older value could arrive after a newer one. The clients for Rust and C++ (clients/rust, clients/cpp) write the same bytes.
// docs/agent/clients.md describes the guarantees.
package agentclient

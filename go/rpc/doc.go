// Package rpc calls functions of other processes, and answers calls: over Thrift's wires and gRPC's, all of them on one port.
//
// A [Server] tells the wire of each connection by its first bytes. A [Client] finds the addresses of a service, shares few connections
// among many calls, and does what its policies say about calls that fail or take long. Generated code registers with the one and calls
// by the other.
//
// How it is built: one goroutine reads each connection and decodes what is short; handlers run on workers whose stacks have grown;
// what is sent at the same time is gathered into one write (docs/decisions/0049-goroutines-that-gather.md). Streams of Thrift and what bounds
// them are told in package rpc/internal/ttstream.
package rpc

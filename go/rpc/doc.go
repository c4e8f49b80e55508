// Package rpc calls functions of other processes, and answers calls: over Thrift's wires and gRPC's, all of them on one port.
//
// A [Server] recognises the wire of each connection by its first bytes. A [Client] finds the addresses of a service, shares few connections
// among many calls, and applies its policies to calls that fail or take long. Generated code registers services with a Server, and calls
// them by a Client.
//
// How it is built: one goroutine reads each connection and decodes short messages; handlers run on workers whose stacks have grown;
// messages that are sent at the same time are gathered into one write (docs/decisions/0049-goroutines-that-gather.md). Package
// rpc/internal/ttstream describes streams of Thrift and their bounds.
package rpc

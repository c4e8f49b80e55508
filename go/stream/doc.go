// Package stream has what services see of calls with several requests or responses, over gRPC and over Thrift: the interfaces that generated
// code gives to handlers and callers, and the metadata beside the messages. Package rpc brings the streams; generated code needs this
// package alone.
package stream

// Package stream has the types that services need for calls with several requests or responses, over gRPC and over Thrift: the interfaces that
// generated code gives to handlers and callers, and the metadata beside the messages. Generated code needs only this package; package rpc implements
// the streams.
package stream

// Package definitions loads functions of services from Thrift's and protobuf's definitions, and gives both the same interface for calls with JSON.
package definitions

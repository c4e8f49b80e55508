// Package definitions loads functions of services from Thrift's and protobuf's definitions, and makes both look alike to whoever calls them
// with JSON.
package definitions

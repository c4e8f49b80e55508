// Package kitex checks that what hone-thrift generates fits the versions that Kitex uses: Apache's module 0.13 and thriftgo. It is
// a module of its own, since that version of Apache's module is another than that of hone/go/compat.
//
// Neither side's code is committed. "go generate ./ours" makes ours, as go/run-tests does; the tests make thriftgo's themselves.
package kitex

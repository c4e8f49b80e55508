// Package kitex checks that the output of hone-thrift fits the versions that Kitex uses: Apache's module 0.13 and thriftgo. It is a module of its
// own, since hone/go/compat uses another version of Apache's module.
//
// Neither side's code is committed. "go generate ./ours" makes ours, as go/run-tests does; the tests make thriftgo's themselves.
package kitex

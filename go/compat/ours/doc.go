// Package ours holds the output of hone-thrift for the definitions of idl/testdata, with the methods that other libraries call. The packages below
// are not committed: "go generate ./ours" in go/compat makes them, as go/run-tests does.
package ours

//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -apache 0.14 -fast-codec -deep-equal ../../idl/testdata/shop.thrift ../../idl/testdata/recursive.thrift ../../idl/testdata/gowords.thrift ../../idl/testdata/order.thrift

// Package ours holds the output of hone-thrift for the definitions of idl/testdata, made for Kitex and for Apache's module 0.13. The packages below
// are not committed: "go generate ./ours" in go/compat/kitex makes them, as go/run-tests does.
package ours

//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -apache 0.13 -fast-codec ../../../idl/testdata/shop.thrift ../../../idl/testdata/recursive.thrift ../../../idl/testdata/gowords.thrift ../../../idl/testdata/order.thrift ../../../idl/testdata/talk.thrift

// Package kitex checks that what hone-thrift generates fits the versions that Kitex uses: Apache's module 0.13 and thriftgo. It is
// a module of its own, since that version of Apache's module is another than that of hone/go/compat.
//
// Directory ours is what hone-thrift makes of the definitions of idl/testdata. What thriftgo makes is not kept here: the test
// makes it.
package kitex

//go:generate go run hone/go/cmd/hone-thrift gen -r -o ours -apache 0.13 -fast-codec ../../idl/testdata/shop.thrift ../../idl/testdata/recursive.thrift ../../idl/testdata/gowords.thrift ../../idl/testdata/order.thrift

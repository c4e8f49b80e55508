package compat

// Directory apache is what Apache's compiler 0.17 makes of the definitions of idl/testdata, but of those whose names it cannot
// make Go of; ours is what hone-thrift makes of all of them, with the methods that others call.

//go:generate go run hone/go/cmd/hone-thrift gen -r -o ours -apache 0.14 -fast-codec -deep-equal ../idl/testdata/shop.thrift ../idl/testdata/recursive.thrift ../idl/testdata/gowords.thrift ../idl/testdata/order.thrift
//go:generate sh regenerate-apache.sh

// Package sample holds code that is generated from the definitions of idl/testdata, and from some of gen/testdata/odd, for tests. A test of package
// gen checks that it equals the present output of gen.
package sample

//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -prefix hone/go/internal/sample -setters -deep-equal -deep-copy -keep-unknown ../../idl/testdata/shop.thrift ../../idl/testdata/recursive.thrift ../../idl/testdata/gowords.thrift ../../idl/testdata/talk.thrift
//go:generate go run hone/go/cmd/hone-thrift gen -r -o . -prefix hone/go/internal/sample -setters -deep-equal -deep-copy -keep-unknown ../../gen/testdata/odd/forms.thrift ../../gen/testdata/odd/keys.thrift ../../gen/testdata/odd/many.thrift ../../gen/testdata/odd/named.thrift

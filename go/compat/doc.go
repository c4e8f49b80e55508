// Package compat holds tests of this module's codecs against other codecs. It is a module of its own, so that programs that use this module do not
// depend on the others.
//
// The tests need current code of hone-thrift, which is not committed: "go generate ./ours" makes it, as go/run-tests does.
package compat

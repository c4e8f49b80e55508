// Package compat holds tests of this module's codecs against others. It is a module of its own, so that theirs are no
// dependencies of programs that use this one.
//
// The tests need the code that hone-thrift makes today, which is not committed: "go generate ./ours" makes it, as go/run-tests does.
package compat

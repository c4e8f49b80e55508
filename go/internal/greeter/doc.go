// Package greeter has a service of protobuf with methods of all kinds, and the output of the plugins for it, for tests.
package greeter

//go:generate go -C ../../compat/proto run ./generate -root ../../internal/greeter -prefix hone/go/internal/greeter -o ../../internal/greeter greeter.proto

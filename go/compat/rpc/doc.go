// Package rpc holds tests of package hone/go/rpc against Apache's libraries for Go, Python and C++, in both directions.
package rpc

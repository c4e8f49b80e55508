// Package rpc holds tests of package hone/go/rpc against Kitex, in both directions.
package rpc

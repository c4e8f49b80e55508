// Package shop has the service Shop as Kitex's server and client know it, and calls each of its functions. For tests of package rpc.
package shop

// Package shop has the service Shop for Kitex's server and client, and calls each of its functions. It is for tests of package rpc.
package shop

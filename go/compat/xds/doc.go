// Package xds tests hone/go/xds with go-control-plane's server. It is a module of its own, so that hone/go/xds does not depend on the server.
package xds

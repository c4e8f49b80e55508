// Package proxy finds the proxy that the environment names, for clients of package rpc. It is a package of its own, so that clients
// without a proxy do not get its dependencies.
package proxy

import (
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

// FromEnvironment is the [hone/go/rpc.Proxy] that the variable HTTPS_PROXY names. It uses no proxy for hosts that NO_PROXY names
// and for this machine's own. It reads both variables as net/http and grpc-go do.
func FromEnvironment(address string) (*url.URL, error) {
	return httpproxy.FromEnvironment().ProxyFunc()(&url.URL{Scheme: "https", Host: address})
}

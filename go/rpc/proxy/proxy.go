// Package proxy finds the proxy that the environment names, for clients of package rpc. It is a package of its own, so that clients without a proxy do not have its
// dependencies.
package proxy

import (
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

// FromEnvironment is the [hone/go/rpc.Proxy] that the variable HTTPS_PROXY names, but for hosts that NO_PROXY names and this machine's own, as net/http and grpc-go read them.
func FromEnvironment(address string) (*url.URL, error) {
	return httpproxy.FromEnvironment().ProxyFunc()(&url.URL{Scheme: "https", Host: address})
}

package rpc

import (
	"fmt"
	"net"
	"strings"
)

// endpoint is an address that can be listened on or connected to.
type endpoint struct{ network, address string }

// parseEndpoint reads tcp://HOST:PORT, unix:///PATH, and what resolvers tell: HOST:PORT and unix:PATH.
func parseEndpoint(text string) (endpoint, error) {
	scheme, rest, hasScheme := strings.Cut(text, "://")
	if path, isUnix := strings.CutPrefix(text, "unix:"); isUnix && !hasScheme {
		scheme, rest = "unix", path
	} else if !hasScheme {
		scheme, rest = "tcp", text
	}
	switch scheme {
	case "tcp":
		if _, _, err := net.SplitHostPort(rest); err != nil {
			return endpoint{}, fmt.Errorf("address %q: %w; write tcp://HOST:PORT", text, err)
		}
	case "unix":
		if rest == "" {
			return endpoint{}, fmt.Errorf("address %q has no path; write unix:///run/NAME.sock", text)
		}
	default:
		return endpoint{}, fmt.Errorf("address %q: %s is not known; write tcp://HOST:PORT or unix:///PATH", text, scheme)
	}
	return endpoint{scheme, rest}, nil
}

// String is the address as it is written in configuration.
func (e endpoint) String() string { return e.network + "://" + e.address }

// forResolver is the address as resolvers tell it.
func (e endpoint) forResolver() string {
	if e.network == "unix" {
		return "unix:" + e.address
	}
	return e.address
}

// isEndpoint is whether a text is an address, and not the name of a service.
func isEndpoint(text string) bool {
	return strings.Contains(text, "://") || strings.Contains(text, ":")
}

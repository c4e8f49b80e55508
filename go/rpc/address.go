package rpc

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// endpoint is an address that can be listened on or connected to.
type endpoint struct{ network, address string }

// Networks of endpoints. A connection through shared memory begins at a Unix socket too.
const (
	tcpNetwork    = "tcp"
	unixNetwork   = "unix"
	sharedNetwork = "shm"
)

// parseEndpoint reads tcp://HOST:PORT, unix:///PATH, shm:///PATH, and the forms that resolvers report: HOST:PORT, unix:PATH and shm:PATH.
func parseEndpoint(text string) (endpoint, error) {
	scheme, rest, hasScheme := strings.Cut(text, "://")
	if !hasScheme {
		scheme, rest = tcpNetwork, text
		for _, network := range []string{unixNetwork, sharedNetwork} {
			if path, isThat := strings.CutPrefix(text, network+":"); isThat {
				scheme, rest = network, path
			}
		}
	}
	switch scheme {
	case tcpNetwork:
		if _, _, err := net.SplitHostPort(rest); err != nil {
			return endpoint{}, fmt.Errorf("address %q: %w; write tcp://HOST:PORT", text, err)
		}
	case unixNetwork, sharedNetwork:
		if rest == "" {
			return endpoint{}, fmt.Errorf("address %q has no path; write %s:///run/NAME.sock", text, scheme)
		}
	default:
		return endpoint{}, fmt.Errorf("address %q: %s is not known; write tcp://HOST:PORT, unix:///PATH or shm:///PATH", text, scheme)
	}
	return endpoint{scheme, rest}, nil
}

// String returns the address as it is written in configuration.
func (e endpoint) String() string { return e.network + "://" + e.address }

// hasPath reports whether the address is the path of a socket.
func (e endpoint) hasPath() bool { return e.network == unixNetwork || e.network == sharedNetwork }

// socket returns the endpoint at which a connection begins: a Unix socket in place of shared memory.
func (e endpoint) socket() endpoint {
	if e.network == sharedNetwork {
		e.network = unixNetwork
	}
	return e
}

// forResolver returns the address in the form that resolvers report.
func (e endpoint) forResolver() string {
	if e.hasPath() {
		return e.network + ":" + e.address
	}
	return e.address
}

// addressesOf splits a list of addresses at its commas. A path may have commas too: a comma ends the path only if another address follows.
func addressesOf(list string) []string {
	var addresses []string
	for part := range strings.SplitSeq(list, ",") {
		last := len(addresses) - 1
		if last >= 0 && hasPath(addresses[last]) && !beginsAddress(part) {
			addresses[last] += "," + part
			continue
		}
		addresses = append(addresses, part)
	}
	return addresses
}

func hasPath(address string) bool {
	at, err := parseEndpoint(address)
	return err == nil && at.hasPath()
}

// beginsAddress reports whether a text is an address, or begins as one. The port of HOST:PORT must be a number, since a path may have a colon.
func beginsAddress(text string) bool {
	for _, network := range []string{tcpNetwork, unixNetwork, sharedNetwork} {
		if strings.HasPrefix(text, network+":") {
			return true
		}
	}
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// isEndpoint reports whether a text is an address, and not the name of a service.
func isEndpoint(text string) bool {
	return strings.Contains(text, "://") || strings.Contains(text, ":")
}

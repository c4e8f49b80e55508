// Package connect calls functions at an address over one of the wires that it knows.
package connect

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"hone/go/call/definitions"
)

// Connection calls functions. Several goroutines may use it.
type Connection interface {
	// Invoke calls a method and waits for its answer; result is nil for one that has none.
	Invoke(ctx context.Context, method string, args, result definitions.Message) error
	Close() error
}

// Options say how to connect.
type Options struct {
	// Wire is one of [Wires].
	Wire string
	// Metadata goes with each call, as "key=value".
	Metadata []string
}

// wire is a way to carry calls.
type wire struct {
	name string
	of   definitions.Language
	// takesMetadata is whether calls may have some.
	takesMetadata bool
	// isShared is whether calls do not wait for each other on a connection.
	isShared bool
	connect  func(dial func(ctx context.Context) (net.Conn, error), o Options) Connection
}

// wires are those that there are. The first one of a language is that of those who say nothing.
var wires = []wire{
	{name: "framed", of: definitions.Thrift, connect: framed},
	{name: "buffered", of: definitions.Thrift, connect: buffered},
	{name: "compact", of: definitions.Thrift, connect: compact},
}

// Wires are the names of those for a language, the usual one first.
func Wires(of definitions.Language) []string {
	var names []string
	for _, w := range wires {
		if w.of == of {
			names = append(names, w.name)
		}
	}
	return names
}

// find gives the wire of options.
func (o Options) find(of definitions.Language) (*wire, error) {
	names := Wires(of)
	if len(names) == 0 {
		return nil, fmt.Errorf("no wire carries %s; use definitions of Thrift", of)
	}
	name := o.Wire
	if name == "" {
		name = names[0]
	}
	at := slices.IndexFunc(wires, func(w wire) bool { return w.name == name && w.of == of })
	if at < 0 {
		return nil, fmt.Errorf("no wire %q carries %s; write --wire %s", name, of, strings.Join(names, " or "))
	}
	if w := &wires[at]; len(o.Metadata) == 0 || w.takesMetadata {
		return w, nil
	}
	return nil, fmt.Errorf("the wire %s carries no metadata; leave out -H", name)
}

// IsShared is whether calls do not wait for each other on one connection.
//
// # Errors
//
// Those of a wire that does not exist, or does not carry what the options say.
func (o Options) IsShared(of definitions.Language) (bool, error) {
	w, err := o.find(of)
	return err == nil && w.isShared, err
}

// Dial connects to an address: "host:port", "tcp://host:port", "unix:///path", or a path with a slash.
//
// # Errors
//
// Those of the address or the network, and those of [Options.IsShared].
func Dial(ctx context.Context, address string, of definitions.Language, o Options) (Connection, error) {
	w, err := o.find(of)
	if err != nil {
		return nil, err
	}
	network, place, err := Place(address)
	if err != nil {
		return nil, err
	}
	dial := func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, network, place) }
	// An address that is wrong is told before any call.
	probe, err := dial(ctx)
	if err != nil {
		return nil, err
	}
	first := true
	return w.connect(func(ctx context.Context) (net.Conn, error) {
		if first {
			first = false
			return probe, nil
		}
		return dial(ctx)
	}, o), nil
}

// Place is the network and the place that an address names.
//
// # Errors
//
// An error of an address that names none.
func Place(address string) (network, place string, err error) {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	switch {
	case hasScheme && (scheme == "tcp" || scheme == "unix") && rest != "":
		return scheme, rest, nil
	case !hasScheme && strings.Contains(address, "/"):
		return "unix", strings.TrimPrefix(address, "unix:"), nil
	case !hasScheme && strings.Contains(address, ":"):
		return "tcp", address, nil
	}
	return "", "", fmt.Errorf("%q is no address; write host:port or unix:///path", address)
}

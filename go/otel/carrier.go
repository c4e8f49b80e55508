package otelrpc

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/propagation"

	"hone/go/rpc"
)

// carrier gives propagators access to the metadata of calls, for one hop: it reads the metadata of the call that the context belongs to, and adds
// pairs to calls that are made with the context. It implements [propagation.TextMapCarrier] and [propagation.ValuesGetter].
type carrier struct{ ctx context.Context }

var _ propagation.ValuesGetter = (*carrier)(nil)

// Get returns the last value of a name, or "" if there is none.
func (c *carrier) Get(name string) string { return rpc.Incoming(c.ctx).Get(strings.ToLower(name)) }

// Values returns all values of a name.
func (c *carrier) Values(name string) []string { return rpc.Incoming(c.ctx).All(strings.ToLower(name)) }

// Set adds a pair.
func (c *carrier) Set(name, value string) {
	c.ctx = rpc.WithMetadata(c.ctx, strings.ToLower(name), value)
}

// Keys returns the names of all incoming metadata.
func (c *carrier) Keys() []string {
	var names []string
	for _, pair := range rpc.Incoming(c.ctx) {
		names = append(names, pair.Name)
	}
	return names
}

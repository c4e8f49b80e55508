package otelrpc

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/propagation"

	"hone/go/rpc"
)

// carrier is the metadata of calls, for one hop, as propagators read and write it: that which came with the call that the context belongs
// to is read, and what is set is added to calls that are made with the context. It implements [propagation.TextMapCarrier] and
// [propagation.ValuesGetter].
type carrier struct{ ctx context.Context }

var _ propagation.ValuesGetter = (*carrier)(nil)

// Get gives the last value of a name; "" if there is none.
func (c *carrier) Get(name string) string { return rpc.Incoming(c.ctx).Get(strings.ToLower(name)) }

// Values gives all values of a name.
func (c *carrier) Values(name string) []string { return rpc.Incoming(c.ctx).All(strings.ToLower(name)) }

// Set adds a pair.
func (c *carrier) Set(name, value string) {
	c.ctx = rpc.WithMetadata(c.ctx, strings.ToLower(name), value)
}

// Keys gives the names that there are.
func (c *carrier) Keys() []string {
	var names []string
	for _, pair := range rpc.Incoming(c.ctx) {
		names = append(names, pair.Name)
	}
	return names
}

package shop

import (
	"context"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/transmeta"
	"github.com/cloudwego/kitex/transport"

	"hone/go/thrift"
)

// Wires are all ways in which Kitex's client writes calls of Thrift.
var Wires = map[string][]client.Option{
	"ttheader":        {client.WithTransportProtocol(transport.TTHeader)},
	"ttheader-framed": {client.WithTransportProtocol(transport.TTHeaderFramed)},
	"framed":          {client.WithTransportProtocol(transport.Framed)},
	"buffered":        {client.WithTransportProtocol(transport.PurePayload)},
	"mux":             {client.WithMuxConnection(2)},
	"short":           {client.WithShortConnection(), client.WithTransportProtocol(transport.TTHeader)},
}

// Caller calls by Kitex's client. It implements [thrift.Caller].
type Caller struct{ client client.Client }

// Unknown is a function that clients of [Dial] may call, but that the shop lacks.
const Unknown = "fly"

// Dial returns a Kitex client for the shop under the name of a service, at an address; "" is for a resolver among the options.
func Dial(service, address string, options ...client.Option) (Caller, error) {
	options = append([]client.Option{client.WithDestService("shop"),
		client.WithMetaHandler(transmeta.ClientTTHeaderHandler), client.WithMetaHandler(transmeta.MetainfoClientHandler)}, options...)
	if address != "" {
		options = append(options, client.WithHostPorts(address))
	}
	made, err := client.NewClient(Describe(service, NewHandler(), Unknown), options...)
	return Caller{made}, err
}

// Call implements [thrift.Caller].
func (c Caller) Call(ctx context.Context, method string, args thrift.Writer, result thrift.Reader) error {
	if result == nil {
		// A nil pointer in an interface would not be nil.
		return c.client.Call(ctx, method, args, nil)
	}
	return c.client.Call(ctx, method, args, result)
}

// Close closes the client's connections.
func (c Caller) Close() {
	if closer, ok := c.client.(interface{ Close() error }); ok {
		closer.Close()
	}
}

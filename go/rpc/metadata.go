package rpc

import (
	"context"
	"slices"
	"strings"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
	"hone/go/stream"
)

// Pair is a name and a value that go with a call, and Metadata is a list of pairs.
type (
	Pair     = stream.Pair
	Metadata = stream.Metadata
)

// outgoing is the metadata of calls that are made with a context.
type outgoing struct {
	// single goes to the called service alone, lasting also to all services that are called on its behalf.
	single, lasting Metadata
}

type outgoingKey struct{}

func outgoingOf(ctx context.Context) outgoing {
	set, _ := ctx.Value(outgoingKey{}).(outgoing)
	return set
}

// WithMetadata adds a pair to the calls that are made with the context, for the service that is called.
func WithMetadata(ctx context.Context, name, value string) context.Context {
	set := outgoingOf(ctx)
	set.single = append(slices.Clip(set.single), Pair{Name: name, Value: value})
	return context.WithValue(ctx, outgoingKey{}, set)
}

// WithPropagated adds a pair to the calls that are made with the context, for the service that is called and all that are called on its
// behalf.
func WithPropagated(ctx context.Context, name, value string) context.Context {
	set := outgoingOf(ctx)
	set.lasting = append(slices.Clip(set.lasting), Pair{Name: name, Value: value})
	return context.WithValue(ctx, outgoingKey{}, set)
}

// Incoming returns the metadata of the call that a handler's context belongs to, without propagated pairs.
func Incoming(ctx context.Context) Metadata {
	if call := CallOf(ctx); call != nil {
		return call.incoming().single
	}
	return nil
}

// Propagated returns the metadata that goes on to all calls that are made with the context.
func Propagated(ctx context.Context) Metadata { return outgoingOf(ctx).lasting }

// checkMetadata returns an error if a pair cannot be a field of HTTP/2.
func checkMetadata(field h2.Field) *Error {
	err := grpcwire.CheckName(field.Name)
	if err == nil && !grpcwire.IsBinary(field.Name) {
		err = grpcwire.CheckText(field.Name, field.Value)
	}
	if err != nil {
		return &Error{Code: InvalidArgument, Message: err.Error(), Cause: err}
	}
	return nil
}

// checkOutgoing returns an error if metadata cannot be sent over gRPC: a gateway that passes everything on has fields that belong to the
// connection. Propagated pairs come from other services, which this one cannot correct: the wire alone checks them.
func checkOutgoing(pairs Metadata) error {
	for _, pair := range pairs {
		if err := checkMetadata(h2.Field{Name: strings.ToLower(pair.Name), Value: pair.Value}); err != nil {
			return &Error{Code: InvalidArgument, Stage: Sending, Message: err.Message}
		}
	}
	return nil
}

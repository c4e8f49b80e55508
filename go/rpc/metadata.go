package rpc

import (
	"context"
	"slices"
)

// Pair is a name and a value that go with a call. Names are written in small letters, which some wires ask for.
type Pair struct{ Name, Value string }

// Metadata are pairs in the order in which they were given; a name may be there more than once.
type Metadata []Pair

// Get gives the last value of a name; "" if there is none.
func (m Metadata) Get(name string) string {
	for _, pair := range slices.Backward(m) {
		if pair.Name == name {
			return pair.Value
		}
	}
	return ""
}

// All gives the values of a name.
func (m Metadata) All(name string) []string {
	var values []string
	for _, pair := range m {
		if pair.Name == name {
			values = append(values, pair.Value)
		}
	}
	return values
}

// outgoing is the metadata of calls that are made with a context.
type outgoing struct {
	// single goes as far as the next service, lasting to all that these call.
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
	set.single = append(slices.Clip(set.single), Pair{name, value})
	return context.WithValue(ctx, outgoingKey{}, set)
}

// WithPropagated adds a pair to the calls that are made with the context, for the service that is called and all that are called on its
// behalf.
func WithPropagated(ctx context.Context, name, value string) context.Context {
	set := outgoingOf(ctx)
	set.lasting = append(slices.Clip(set.lasting), Pair{name, value})
	return context.WithValue(ctx, outgoingKey{}, set)
}

// Incoming is the metadata of the call that a handler's context belongs to, without what is propagated.
func Incoming(ctx context.Context) Metadata {
	if call := CallOf(ctx); call != nil {
		return call.incoming().single
	}
	return nil
}

// Propagated is the metadata that goes on to all calls that are made with the context.
func Propagated(ctx context.Context) Metadata { return outgoingOf(ctx).lasting }

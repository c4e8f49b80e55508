package rpc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/policy/retry"
)

// failing answers its first calls with an error; calls counts them.
type failing struct {
	greeter.UnimplementedGreeter
	failures, calls int
	err             error
}

func (f *failing) fail() error {
	if f.calls++; f.calls <= f.failures {
		return f.err
	}
	return nil
}

func (f *failing) Hello(context.Context, *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{}, f.fail()
}

// callFailing calls a function whose first calls fail, over gRPC or Thrift, and returns the number of times it was called.
func callFailing(t *testing.T, wire rpc.Wire, isIdempotent bool, failures int, err error) (int, error) {
	t.Helper()
	f := &failing{failures: failures, err: err}
	s := set(t, "unix", wire, func(server *rpc.Server, client *rpc.Client) {
		greeter.RegisterGreeter(server, f)
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			if call.Method == "alive" {
				if err := f.fail(); err != nil {
					return err
				}
			}
			return next(ctx)
		}}
		client.Policies.IsIdempotent = func(string, string) bool { return isIdempotent }
		client.Policies.Retry = retry.Policy{Base: time.Millisecond}
	})
	if wire == rpc.GRPC {
		_, err = greeter.NewGreeterClient(s.client).Hello(within(t, testPatience), new(greeter.HelloRequest))
	} else {
		_, err = s.shopper.Alive(within(t, testPatience))
	}
	return f.calls, err
}

var verdictWires = []rpc.Wire{rpc.GRPC, rpc.TTHeader}

func TestACallThatNoHandlerHasSeenIsRepeatedWhateverItDoes(t *testing.T) {
	for _, wire := range verdictWires {
		calls, err := callFailing(t, wire, false, 1, &rpc.Error{Code: rpc.ResourceExhausted, IsRefused: true, Message: "full"})
		if calls != 2 || err != nil {
			t.Error(wire, calls, err)
		}
		if calls, err := callFailing(t, wire, false, 1, rpc.Errorf(rpc.ResourceExhausted, "full")); calls != 1 || rpc.CodeOf(err) != rpc.ResourceExhausted {
			t.Error(wire, calls, err)
		}
	}
}

func TestAServerForbidsRepeatingACall(t *testing.T) {
	for _, wire := range verdictWires {
		for _, after := range []time.Duration{-1, time.Hour} {
			calls, err := callFailing(t, wire, true, 1, &rpc.Error{Code: rpc.Unavailable, RetryAfter: after})
			var told *rpc.Error
			if calls != 1 || !errors.As(err, &told) || told.Code != rpc.Unavailable || told.RetryAfter != -1 {
				t.Error(wire, after, calls, err)
			}
		}
	}
}

func TestAServerSaysWhenACallMayBeRepeated(t *testing.T) {
	for _, wire := range verdictWires {
		// All retries fail, so the client sees the last answer.
		calls, err := callFailing(t, wire, true, 9, &rpc.Error{Code: rpc.Unavailable, RetryAfter: 1500 * time.Microsecond})
		var told *rpc.Error
		if calls != 3 || !errors.As(err, &told) || told.RetryAfter != 2*time.Millisecond {
			t.Error(wire, calls, err)
		}
	}
}

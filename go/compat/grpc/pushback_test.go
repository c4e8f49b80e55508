package grpc

import (
	"context"
	"testing"
	"time"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"hone/go/rpc"
	"hone/go/rpc/policy/retry"
)

// retrying is a service config by which clients of grpc-go repeat unavailable calls.
const retrying = `{"methodConfig": [{"name": [{}], "retryPolicy": {
	"maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.01s", "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

// TestServersSayWhetherACallMayBeRepeated lets each client call a server of the other library that fails all calls.
func TestServersSayWhetherACallMayBeRepeated(t *testing.T) {
	for _, test := range []struct {
		after   time.Duration
		trailer metadata.MD
		want    int
	}{
		{0, nil, 3},
		{time.Millisecond, metadata.Pairs("grpc-retry-pushback-ms", "1"), 3},
		{-1, metadata.Pairs("grpc-retry-pushback-ms", "-1"), 1},
	} {
		calls := make(chan struct{}, 10)
		s := setting{
			ourServer: func(server *rpc.Server) {
				server.Interceptors = []rpc.Interceptor{func(context.Context, *rpc.Call, func(context.Context) error) error {
					calls <- struct{}{}
					return &rpc.Error{Code: rpc.Unavailable, RetryAfter: test.after}
				}}
			},
			ourClient: func(client *rpc.Client) {
				client.Policies.IsIdempotent = func(string, string) bool { return true }
				client.Policies.Retry = retry.Policy{Base: time.Millisecond}
			},
			theirServer: []grpcgo.ServerOption{grpcgo.UnaryInterceptor(func(ctx context.Context, _ any, _ *grpcgo.UnaryServerInfo, _ grpcgo.UnaryHandler) (any, error) {
				calls <- struct{}{}
				grpcgo.SetTrailer(ctx, test.trailer)
				return nil, status.Error(codes.Unavailable, "not now")
			})},
			theirClient: []grpcgo.DialOption{grpcgo.WithDefaultServiceConfig(retrying)},
		}
		eachDirection(t, s, func(t *testing.T, _ *world, c client) {
			_, _, _, err := c.hello(within(t, patience), "Ada")
			if told := c.told(err); told.code != rpc.Unavailable {
				t.Errorf("%+v", told)
			}
			for range test.want {
				<-calls
			}
			if len(calls) > 0 {
				t.Errorf("after %v: %d calls too many", test.after, len(calls))
			}
		})
	}
}

package rpc_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// fromMemory is a fallback that answers calls for which no server was available, if it knows the type of the response.
func fromMemory(_ context.Context, call *rpc.Call, failed error) error {
	if rpc.CodeOf(failed) != rpc.Unavailable {
		return failed
	}
	switch response := call.Response.(type) {
	case *api.ShopFindResult:
		response.Success = &api.Item{ID: 7}
	case *greeter.HelloReply:
		response.Text = "from memory"
	default:
		return errors.Join(failed, errors.New("nothing in memory"))
	}
	return nil
}

func TestAFallbackAnswersForACallThatFailedAndIsToldApartInMetrics(t *testing.T) {
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed, rpc.GRPC} {
		t.Run(wire.String(), func(t *testing.T) {
			f := setFleet(t, wire, rpc.Policies{Fallback: fromMemory}, 2, 2, refuses)
			calls := metrics.New()
			var seen *rpc.Call
			f.client.Interceptors = []rpc.Interceptor{calls.Intercept, func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
				seen = call
				return next(ctx)
			}}
			if wire == rpc.GRPC {
				if reply, err := greeter.NewGreeterClient(f.client).Hello(background, &greeter.HelloRequest{Name: "Ada"}); err != nil || reply.Text != "from memory" {
					t.Fatal(reply, err)
				}
			} else if item, err := api.NewShopClient(f.client).Find(background, 1, nil); err != nil || item.ID != 7 {
				t.Fatal(item, err)
			}
			if rpc.CodeOf(seen.FallbackFor) != rpc.Unavailable {
				t.Error(seen.FallbackFor)
			}
			page := httptest.NewRecorder()
			calls.ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
			if want := `code="Unavailable",fallback="true"} 1`; !strings.Contains(page.Body.String(), want) || strings.Contains(page.Body.String(), `code="OK"`) {
				t.Errorf("no %s in\n%s", want, page.Body)
			}
			f.set(healthy, hostNames(1, 2)...)
			for f.call(rpc.WithWaitForReady(within(t, testPatience), true)) != nil || seen.FallbackFor != nil {
			}
		})
	}
}

func TestAFallbackMayReturnAnErrorAndIsNotAskedWhereNobodyWaits(t *testing.T) {
	asked := 0
	policies := rpc.Policies{Fallback: func(ctx context.Context, call *rpc.Call, failed error) error {
		asked++
		return rpc.Errorf(rpc.NotFound, "in place of: %v", failed)
	}}
	s, e := setEcho(t, "unix", func(_ *rpc.Server, client *rpc.Client) { client.Policies = policies })
	// The fallback also works without an interceptor.
	if _, err := s.unary(background, "refuse"); rpc.CodeOf(err) != rpc.NotFound || !strings.Contains(err.Error(), "not today") || asked != 1 {
		t.Fatal(asked, err)
	}
	ctx, cancel := context.WithCancel(background)
	go func() {
		<-e.entered
		cancel()
	}()
	if _, err := s.unary(ctx, "wait"); rpc.CodeOf(err) != rpc.Canceled || asked != 1 {
		t.Fatal(asked, err)
	}
	if _, err := s.client.Open(background, "/test.Echo/None"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.unary(background, "fine"); got != "fine" || err != nil || asked != 1 {
		t.Fatal(got, asked, err)
	}
}

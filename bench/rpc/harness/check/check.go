// Package check has the test that each stack must pass.
package check

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"hone/bench/gauge"
	"hone/bench/rpc/harness"
)

// Answers checks that a stack's clients get right answers to all payloads from its server, over TCP and Unix sockets. The servers are left running,
// since those of some stacks end only with their process.
func Answers(t *testing.T, stack harness.Stack, variants ...string) {
	for _, variant := range variants {
		for _, network := range []string{"tcp", "unix"} {
			t.Run(variant+"/"+network, func(t *testing.T) {
				address := harness.Address{Network: network, Text: free(t, network)}
				go stack.Serve(variant, address)
				if err := gauge.AwaitListener(network, address.Text); err != nil {
					t.Fatal(err)
				}
				for _, payload := range stack.Payloads {
					answers(t, stack, variant, address, payload)
				}
			})
		}
	}
}

func answers(t *testing.T, stack harness.Stack, variant string, address harness.Address, payload harness.Payload) {
	t.Helper()
	calls, err := stack.Dial(variant, address, payload, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, call := range calls {
		if err := call(ctx); err != nil {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

// free returns an address that nothing uses.
func free(t *testing.T, network string) string {
	if network == "unix" {
		return filepath.Join(t.TempDir(), "s")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

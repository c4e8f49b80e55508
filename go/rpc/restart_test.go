package rpc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
)

// restartAt names the variable with the address at which TestMain serves, if this program is started as a server.
const restartAt = "RPC_TEST_RESTART_AT"

// roles are functions that this test's program runs in place of the tests if the environment variable of their key names a role.
var roles = map[string]func(role string){}

func TestMain(m *testing.M) {
	if address := os.Getenv(restartAt); address != "" {
		serveUntilRestarted(address)
		return
	}
	for variable, play := range roles {
		if role := os.Getenv(variable); role != "" {
			play(role)
		}
	}
	os.Exit(m.Run())
}

// serveUntilRestarted serves a shop that restarts its server when Order is called.
func serveUntilRestarted(address string) {
	server := rpc.NewServer()
	api.RegisterShop(server, &restarting{shop: newShop(), server: server})
	if err := server.Run(address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// restarting is a shop whose Order restarts the server, and returns the number of its process.
type restarting struct {
	*shop
	server *rpc.Server
	once   sync.Once
}

func (s *restarting) Order(_ context.Context, order *api.Order, _ int32) (int64, error) {
	if len(order.Items) > 0 {
		s.once.Do(func() { go s.server.Restart(background) })
	}
	return int64(os.Getpid()), nil
}

func TestARestartRefusesNoCall(t *testing.T) {
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	process, err := os.StartProcess(os.Args[0], []string{os.Args[0]}, &os.ProcAttr{Env: append(os.Environ(), restartAt+"="+address),
		Files: []*os.File{nil, nil, os.Stderr}})
	if err != nil {
		t.Fatal(err)
	}
	client := rpc.Dial(address)
	defer client.Close()
	shopper := api.NewShopClient(client)
	first := untilAnswered(t, shopper, int64(process.Pid))
	// Calls are made while the server restarts.
	var calls sync.WaitGroup
	var isOver atomic.Bool
	for range 8 {
		calls.Add(1)
		go func() {
			defer calls.Done()
			for !isOver.Load() {
				if _, err := shopper.Alive(background); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	if _, err := shopper.Order(background, &api.Order{Items: []int64{1}}, 1); err != nil {
		t.Fatal(err)
	}
	process.Wait()
	second, err := shopper.Order(background, &api.Order{}, 1)
	isOver.Store(true)
	calls.Wait()
	if err != nil || second == first {
		t.Fatal("the new process answers:", second, first, err)
	}
	if started, err := os.FindProcess(int(second)); err == nil {
		started.Kill()
	}
}

// untilAnswered calls a server that is being started until it answers, and returns the number of its process.
func untilAnswered(t *testing.T, shopper *api.ShopClient, want int64) int64 {
	t.Helper()
	for ctx := within(t, testPatience); ; {
		pid, err := shopper.Order(ctx, &api.Order{}, 1)
		if err == nil {
			if pid != want {
				t.Fatal(pid, want)
			}
			return pid
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

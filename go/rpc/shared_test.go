package rpc_test

import (
	"path/filepath"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/rpc/resolve"
	"hone/go/shm"
)

func TestClientsOfUnixSocketsGetSharedMemoryWhereBothSidesWantIt(t *testing.T) {
	for name, is := range map[string]struct {
		client, server bool
		want           shm.Stats
	}{
		"both":            {client: true, server: true, want: shm.Stats{Shared: 1, Open: 1}},
		"the client only": {client: true, want: shm.Stats{Plain: 1}},
		"the server only": {server: true, want: shm.Stats{}},
	} {
		t.Run(name, func(t *testing.T) {
			memory := &shm.Dialer{Patience: testPatience}
			s := set(t, "unix", rpc.TTHeader, func(server *rpc.Server, client *rpc.Client) {
				if is.server {
					server.SharedMemory = new(shm.Server)
				}
				if is.client {
					client.SharedMemory, client.ConnectTimeout = memory, testPatience
				}
			})
			if _, err := s.shopper.Find(background, 1, nil); err != nil {
				t.Fatal(err)
			}
			if got := memory.Stats(); got != is.want {
				t.Errorf("the client tells of %+v", got)
			}
		})
	}
}

func TestClientsOfShmAddressesCallServersThatHaveNoSharedMemory(t *testing.T) {
	s := set(t, "unix", rpc.TTHeader)
	memory := &shm.Dialer{Patience: testPatience}
	client := rpc.Dial("shm" + s.address[len("unix"):])
	client.SharedMemory, client.ConnectTimeout = memory, testPatience
	defer client.Close()
	if _, err := api.NewShopClient(client).Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := memory.Stats(); got != (shm.Stats{Plain: 1}) {
		t.Errorf("the client tells of %+v", got)
	}
}

func TestAnInstanceOnThisMachineIsCalledThroughSharedMemoryIfItTellsWhere(t *testing.T) {
	m := setMachines(t)
	path := filepath.Join(t.TempDir(), "shared")
	shared := startCounting(t, "shm://"+path)
	for i := range m.resolver["shop"] {
		m.resolver["shop"][i].Tags[resolve.SharedMemory] = path
	}
	memory := &shm.Dialer{Patience: testPatience}
	client, shopper := m.client(t, "a", func(client *rpc.Client) { client.SharedMemory, client.ConnectTimeout = memory, testPatience })
	if _, err := client.LocalShare(); err != nil {
		t.Fatal(err)
	}
	shared.calls.Store(0)
	for range 100 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	// The instance on the other machine has the same path in its tag, but the path means nothing on this machine.
	if here, there := shared.calls.Load(), m.instances[1].calls.Load(); here+there != 100 || here == 0 || m.instances[0].calls.Load() != 0 {
		t.Errorf("%d calls went through shared memory, %d to the other machine", here, there)
	}
	if got := memory.Stats(); got.Shared != 1 || got.Open != 1 {
		t.Errorf("the client tells of %+v", got)
	}
}

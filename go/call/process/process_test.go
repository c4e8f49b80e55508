package process

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestTheProcessBehindAnAddressIsFound(t *testing.T) {
	for network, place := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "socket")} {
		listener, err := net.Listen(network, place)
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		pids, err := Listening(network, listener.Addr().String())
		if err != nil || !slices.Equal(pids, []int{os.Getpid()}) {
			t.Errorf("%s: %v %v", network, pids, err)
		}
	}
}

func TestAnAddressWithoutAProcessIsAnError(t *testing.T) {
	for network, place := range map[string]string{"tcp": "127.0.0.1:1", "unix": filepath.Join(t.TempDir(), "socket")} {
		if pids, err := Listening(network, place); err == nil {
			t.Errorf("%s: %v", network, pids)
		}
	}
}

func TestListeningSocketsAreReadFromTheKernelsTable(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2382 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0000000000000000 100 0 0 10 0
   1: 0100007F:2382 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:2383 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 13 1 0000000000000000 100 0 0 10 0
`
	inodes := map[string]bool{}
	listeningIn([]byte(table), 9090, inodes)
	if len(inodes) != 1 || !inodes["socket:[11]"] {
		t.Error(inodes)
	}
}

func TestTimesOfAProcessAreReadBehindAnyName(t *testing.T) {
	ticks, err := ticksIn([]byte("7 (a) b (c)) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 100\n"))
	if err != nil || ticks != 300 {
		t.Error(ticks, err)
	}
	if _, err := ticksIn([]byte("7 (a) S")); err == nil {
		t.Error("a short line has times")
	}
	if _, err := Of(os.Getpid()); err != nil {
		t.Error(err)
	}
	if _, err := Of(-1); err == nil {
		t.Error("there is no such process")
	}
}

func TestWorkTakesCPUTimeOfThisProcess(t *testing.T) {
	before := Own()
	for deadline := before + time.Millisecond; Own() < deadline; {
	}
	if Own() <= before {
		t.Error("work takes no time")
	}
}

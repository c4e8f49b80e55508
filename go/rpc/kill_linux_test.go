package rpc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hone/go/internal/intruder"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/rpc"
	"hone/go/shm"
)

const (
	// killRole makes this test's program a server or a client that is to be killed, at the address in killAt.
	killRole = "RPC_TEST_KILL_ROLE"
	killAt   = "RPC_TEST_KILL_AT"
	// killCount names a variable with the number of processes of each kind to kill, killTimes one with a file for the times until calls worked again.
	killCount = "HONE_KILLS"
	killTimes = "HONE_KILL_TIMES"
)

func init() { roles[killRole] = toBeKilled }

// patterned is a shop that checks the contents of its requests, and answers with contents that can be checked.
type patterned struct {
	*shop
	wrong atomic.Int64
}

func (s *patterned) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	if asked.GetCaller() != string(pattern(id, 1)) {
		s.wrong.Add(1)
		return nil, rpc.Errorf(rpc.InvalidArgument, "another request came than was sent")
	}
	item := api.NewItem()
	item.ID, item.Raw = id, pattern(id, 2)
	return item, nil
}

// pattern returns a text of this length, each byte of which depends on its position.
func pattern(bytes api.ItemID, kind byte) []byte {
	made := make([]byte, bytes)
	for n := range made {
		made[n] = 'A' + byte(n/7+int(bytes)+int(kind))%26
	}
	return made
}

// killSizes are the sizes of requests and answers: some are longer than a ring.
var killSizes = []api.ItemID{0, 100, 4 << 10, 64<<10 - 7, 300 << 10}

// findChecked makes a call and checks its answer.
func findChecked(ctx context.Context, shopper *api.ShopClient, size api.ItemID) error {
	item, err := shopper.Find(ctx, size, &base.Context{Caller: string(pattern(size, 1))})
	if err == nil && (item.ID != size || string(item.Raw) != string(pattern(size, 2))) {
		return errWrong
	}
	return err
}

var errWrong = errors.New("another answer came than was sent")

// sharingServer makes a server whose rings are smaller than some messages.
func sharingServer() *rpc.Server {
	server := rpc.NewServer()
	server.SharedMemory = &shm.Server{Options: shm.Options{RingBytes: 64 << 10}}
	return server
}

// toBeKilled runs in a process that is to be killed: a server listens once it is told to, a client makes calls without an end.
func toBeKilled(role string) {
	// This process ends with the process that started it.
	go func() {
		told := bufio.NewReader(os.Stdin)
		told.ReadString('\n')
		if role == "server" {
			server := sharingServer()
			api.RegisterShop(server, &patterned{shop: newShop()})
			listener, err := rpc.Listen(os.Getenv(killAt))
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			go server.Serve(listener)
			fmt.Println("ready")
		}
		io.Copy(io.Discard, told)
		os.Exit(1)
	}()
	if role == "client" {
		client := rpc.Dial(os.Getenv(killAt))
		client.SharedMemory, client.ConnectTimeout = &shm.Dialer{Patience: testPatience}, testPatience
		shopper := api.NewShopClient(client)
		var said sync.Once
		for _, size := range killSizes {
			go func() {
				for {
					if err := findChecked(background, shopper, size); err != nil {
						fmt.Println(err)
						os.Exit(1)
					}
					said.Do(func() { fmt.Println("ready") })
				}
			}()
		}
	}
	select {}
}

// child is a process that is to be killed.
type child struct {
	*exec.Cmd
	stdin io.WriteCloser
	said  *bufio.Reader
}

func startChild(t *testing.T, role, address string) *child {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), killRole+"="+role, killAt+"="+address)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{command, stdin, bufio.NewReader(stdout)}
	t.Cleanup(c.kill)
	return c
}

// begin tells the child to begin, and waits until it has.
func (c *child) begin(t *testing.T) {
	t.Helper()
	io.WriteString(c.stdin, "\n")
	if said, err := c.said.ReadString('\n'); said != "ready\n" {
		t.Fatalf("the child says %q: %v", said, err)
	}
}

func (c *child) kill() {
	c.Process.Signal(syscall.SIGKILL)
	c.Wait()
}

func kills() int {
	count, err := strconv.Atoi(os.Getenv(killCount))
	if err != nil {
		return 10
	}
	return count
}

// killMoments returns a source of random moments, the same in each run unless killCount is set.
func killMoments() *rand.Rand {
	seed := int64(1)
	if os.Getenv(killCount) != "" {
		seed = time.Now().UnixNano()
	}
	return rand.New(rand.NewSource(seed))
}

// anyMoment waits until some moment, while calls are under way.
func anyMoment(random *rand.Rand) {
	for until := time.Now().Add(time.Duration(random.Intn(3000)) * time.Microsecond); time.Now().Before(until); {
		runtime.Gosched()
	}
}

// expectHeld waits until no more mappings and descriptors are held than before.
func expectHeld(t *testing.T, mappings, descriptors int) {
	t.Helper()
	for late := time.Now().Add(testPatience); ; runtime.Gosched() {
		mappingsNow, descriptorsNow := intruder.Held()
		if mappingsNow <= mappings && descriptorsNow <= descriptors {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("%d mappings and %d descriptors are held, and %d and %d before", mappingsNow, descriptorsNow, mappings, descriptors)
		}
	}
}

func TestCallsOfAServerThatIsKilledEndAndTheNextServerAnswers(t *testing.T) {
	address := "shm://" + filepath.Join(t.TempDir(), "s")
	server := startChild(t, "server", address)
	server.begin(t)
	mappings, descriptors := intruder.Held()
	client := rpc.Dial(address)
	client.SharedMemory, client.ConnectTimeout = &shm.Dialer{Patience: testPatience}, testPatience
	defer client.Close()
	shopper := api.NewShopClient(client)
	random := killMoments()
	var again []float64
	for range kills() {
		next := startChild(t, "server", address)
		calls := callUntilLost(t, shopper, isUnavailable)
		anyMoment(random)
		server.kill()
		calls.Wait()
		began := untilItListens(t, next, shopper, random)
		for err := findChecked(within(t, testPatience), shopper, 100); err != nil; err = findChecked(within(t, testPatience), shopper, 100) {
			if rpc.CodeOf(err) != rpc.Unavailable {
				t.Fatal(err)
			}
		}
		again = append(again, time.Since(began).Seconds()*1e3)
		server = next
	}
	// On a busy machine a few connections may go over the socket.
	if got := client.SharedMemory.Stats(); got.Shared == 0 {
		t.Errorf("connections were %+v", got)
	}
	client.Close()
	server.kill()
	server.stdin.Close()
	expectHeld(t, mappings, descriptors)
	keepTimes(t, again)
}

// untilItListens makes a few calls that fail since there is no server, tells a new server to listen, and returns the time at which it listens.
func untilItListens(t *testing.T, next *child, shopper *api.ShopClient, random *rand.Rand) time.Time {
	t.Helper()
	for calls := random.Intn(5); calls > 0; calls-- {
		if err := findChecked(within(t, testPatience), shopper, 100); rpc.CodeOf(err) != rpc.Unavailable {
			t.Fatal("without a server:", err)
		}
	}
	next.begin(t)
	return time.Now()
}

func isUnavailable(err error) bool { return rpc.CodeOf(err) == rpc.Unavailable }

// callUntilLost makes calls of all sizes in the background. For each size it makes calls until a call fails because its connection is lost. It
// returns once a call of each size has been answered.
func callUntilLost(t *testing.T, shopper *api.ShopClient, isLost func(error) bool) *sync.WaitGroup {
	var calls, first sync.WaitGroup
	for _, size := range killSizes {
		first.Add(1)
		calls.Go(func() {
			ctx, cancel := context.WithTimeout(background, testPatience)
			defer cancel()
			answered := sync.OnceFunc(first.Done)
			defer answered()
			for {
				err := findChecked(ctx, shopper, size)
				if err == nil {
					answered()
					continue
				}
				if !isLost(err) {
					t.Errorf("a call of %d bytes ends by %v", size, err)
				}
				return
			}
		})
	}
	first.Wait()
	return &calls
}

// keepTimes writes the times, in milliseconds, into the file that killTimes names.
func keepTimes(t *testing.T, times []float64) {
	path := os.Getenv(killTimes)
	if path == "" {
		return
	}
	text, err := json.Marshal(times)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestAClientThatIsKilledTakesNothingOfItsServerAlong(t *testing.T) {
	address := "shm://" + filepath.Join(t.TempDir(), "s")
	server := sharingServer()
	memory, shop := server.SharedMemory, &patterned{shop: newShop()}
	api.RegisterShop(server, shop)
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()
	mappings, descriptors := intruder.Held()
	random := killMoments()
	for range kills() {
		client := startChild(t, "client", address)
		client.begin(t)
		anyMoment(random)
		client.kill()
		client.stdin.Close()
		expectHeld(t, mappings, descriptors)
	}
	if open, wrong := memory.Stats().Open, shop.wrong.Load(); open != 0 || wrong != 0 {
		t.Errorf("%d segments are left, and %d requests were others than were sent", open, wrong)
	}
	if got := memory.Stats(); got.Shared == 0 {
		t.Errorf("connections were %+v", got)
	}
}

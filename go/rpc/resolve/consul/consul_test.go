package consul

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hone/go/rpc/resolve"
)

const testPatience = 2 * time.Minute

// agent answers as the documentation of Consul's API says: at once, or when the index is another one than that of the question.
type agent struct {
	*httptest.Server
	mu      sync.Mutex
	index   int
	body    string
	status  int
	changed chan struct{}
	asked   []string
}

func startAgent(t *testing.T, body string) *agent {
	a := &agent{index: 7, body: body, status: http.StatusOK, changed: make(chan struct{})}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *agent) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, request.URL.String()+" "+request.Header.Get("X-Consul-Token"))
	for request.URL.Query().Get("index") == fmt.Sprint(a.index) {
		changed := a.changed
		a.mu.Unlock()
		select {
		case <-changed:
		case <-request.Context().Done():
			return
		}
		a.mu.Lock()
	}
	defer a.mu.Unlock()
	answer.Header().Set("X-Consul-Index", fmt.Sprint(a.index))
	answer.WriteHeader(a.status)
	fmt.Fprint(answer, a.body)
}

func (a *agent) set(index, status int, body string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.index, a.status, a.body = index, status, body
	close(a.changed)
	a.changed = make(chan struct{})
}

func watch(t *testing.T, r Resolver) func() string {
	t.Helper()
	told := make(chan resolve.Update, 100)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	r.Retry = time.Millisecond
	go func() { ended <- r.Watch(ctx, "shop", func(u resolve.Update) { told <- u }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func() string {
		select {
		case u := <-told:
			return fmt.Sprint(u.Instances, u.Err)
		case <-time.After(testPatience):
			t.Fatal("nothing is told")
			return ""
		}
	}
}

// The form follows https://developer.hashicorp.com/consul/api-docs/health.
const one = `{"Node": {"ID": "40e4", "Node": "node-17", "Address": "10.1.10.12", "Datacenter": "dc1"}, "Service": {"ID": "shop1", "Service": "shop", "Address": "%s", "Port": 8000,
	"Meta": {"zone": "a"}, "Weights": {"Passing": %d, "Warning": 1}}, "Checks": [{"Status": "passing"}]}`

func TestInstancesFollowConsul(t *testing.T) {
	a := startAgent(t, "["+fmt.Sprintf(one, "", 10)+"]")
	next := watch(t, Resolver{Address: a.URL, Token: "secret", Datacenter: "dc2"})
	want := func(wanted string) {
		t.Helper()
		if got := next(); !strings.HasPrefix(got, wanted) {
			t.Fatalf("\n got %s\nwant %s", got, wanted)
		}
	}
	want("[{10.1.10.12:8000 10 map[machine:node-17 zone:a]}] <nil>")
	a.set(8, http.StatusOK, "["+fmt.Sprintf(one, "10.0.0.2", 1)+","+fmt.Sprintf(one, "fd00::1", 0)+"]")
	want("[{10.0.0.2:8000 1 map[machine:node-17 zone:a]} {[fd00::1]:8000 1 map[machine:node-17 zone:a]}] <nil>")
	// The agent has no leader for a while. Then another agent, of servers that were set up anew, has a lower index.
	a.set(9, http.StatusInternalServerError, "No cluster leader")
	want(`[] consul: service "shop": the agent answers 500 Internal Server Error: "No cluster leader" (the last 2 instances stay in use)`)
	a.set(2, http.StatusOK, "[]")
	want("[] <nil>")
	a.set(1, http.StatusOK, "["+fmt.Sprintf(one, "10.0.0.3", 1)+"]")
	want("[{10.0.0.3:8000 1 map[machine:node-17 zone:a]}] <nil>")
	a.set(3, http.StatusOK, `[{"Service": {"Address": "10.0.0.4"}}]`)
	want(`[] consul: service "shop": node "": address "10.0.0.4:0" is not host:port`)
	a.mu.Lock()
	defer a.mu.Unlock()
	if first, second := a.asked[0], a.asked[1]; first != "/v1/health/service/shop?dc=dc2&passing=1 secret" || second != "/v1/health/service/shop?dc=dc2&index=7&passing=1&wait=300s secret" {
		t.Errorf("asked for %s, then %s", first, second)
	}
}

func TestWhatIsNoAgentIsTold(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprint(answer, "[]") }))
	defer other.Close()
	if got := watch(t, Resolver{Address: other.URL})(); !strings.Contains(got, "X-Consul-Index") {
		t.Error(got)
	}
	for _, r := range []Resolver{{Address: "127.0.0.1"}, {Address: "http://"}} {
		if err := r.Watch(context.Background(), "shop", nil); err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:8500") {
			t.Error(err)
		}
	}
}

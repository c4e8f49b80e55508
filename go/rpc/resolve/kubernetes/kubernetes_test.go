package kubernetes

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hone/go/rpc/resolve"
)

const testPatience = 2 * time.Minute

// api answers as Kubernetes' documentation says of its API: with a list, and with a watch that sends changes line by line.
type api struct {
	*httptest.Server
	mu     sync.Mutex
	list   string
	events chan string
	asked  []string
}

func startAPI(t *testing.T, list string) *api {
	a := &api{list: list, events: make(chan string)}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *api) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, request.URL.String()+" "+request.Header.Get("Authorization"))
	list := a.list
	a.mu.Unlock()
	if request.URL.Query().Get("watch") == "" {
		fmt.Fprint(answer, list)
		return
	}
	answer.WriteHeader(http.StatusOK)
	answer.(http.Flusher).Flush()
	for {
		select {
		case event := <-a.events:
			if event == "" {
				return
			}
			fmt.Fprintln(answer, event)
			answer.(http.Flusher).Flush()
		case <-request.Context().Done():
			return
		}
	}
}

func slices(version string, items ...string) string {
	return fmt.Sprintf(`{"kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1", "metadata": {"resourceVersion": %q}, "items": [%s]}`, version, strings.Join(items, ","))
}

func sliceOf(name, version, ready string, addresses ...string) string {
	return fmt.Sprintf(`{"metadata": {"name": %q, "namespace": "default", "resourceVersion": %q, "labels": {"kubernetes.io/service-name": "shop"}}, "addressType": "IPv4",
		"endpoints": [{"addresses": ["%s"], "conditions": {%s}, "nodeName": "node-17", "zone": "a", "targetRef": {"kind": "Pod"}}], "ports": [{"name": "grpc", "protocol": "TCP", "port": 9090}]}`,
		name, version, strings.Join(addresses, `","`), ready)
}

func event(kind, object string) string {
	return strings.ReplaceAll(fmt.Sprintf(`{"type": %q, "object": %s}`, kind, object), "\n", "")
}

func watch(t *testing.T, r *Resolver, service string) func(wanted string) {
	t.Helper()
	told := make(chan resolve.Update, 100)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	r.Retry = time.Millisecond
	go func() { ended <- r.Watch(ctx, service, func(u resolve.Update) { told <- u }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func(wanted string) {
		t.Helper()
		select {
		case u := <-told:
			if got := fmt.Sprint(u.Instances, u.Err); !strings.HasPrefix(got, wanted) {
				t.Fatalf("\n got %s\nwant %s", got, wanted)
			}
		case <-time.After(testPatience):
			t.Fatal("nothing is told")
		}
	}
}

func TestInstancesFollowEndpointSlices(t *testing.T) {
	a := startAPI(t, slices("100", sliceOf("shop-1", "90", `"ready": true`, "10.0.0.1")))
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := watch(t, &Resolver{Address: a.URL, TokenFile: token}, "shop.default:grpc")
	const tags = " 100 map[machine:node-17 zone:a]}"
	want("[{10.0.0.1:9090" + tags + "] <nil>")
	a.events <- event("ADDED", sliceOf("shop-2", "101", "", "10.0.0.2", "10.0.0.3"))
	want("[{10.0.0.1:9090" + tags + " {10.0.0.2:9090" + tags + " {10.0.0.3:9090" + tags + "] <nil>")
	a.events <- event("MODIFIED", sliceOf("shop-2", "102", `"ready": false, "serving": true, "terminating": true`, "10.0.0.2"))
	want("[{10.0.0.1:9090" + tags + "] <nil>")
	a.events <- event("BOOKMARK", `{"metadata": {"resourceVersion": "150"}}`)
	// The API ends the watch; the next watch begins where this one ended.
	a.events <- ""
	a.events <- event("MODIFIED", sliceOf("shop-2", "151", `"ready": true`, "10.0.0.2"))
	want("[{10.0.0.1:9090" + tags + " {10.0.0.2:9090" + tags + "] <nil>")
	a.events <- event("DELETED", sliceOf("shop-1", "152", "", "10.0.0.1"))
	want("[{10.0.0.2:9090" + tags + "] <nil>")
	// If the API no longer has the changes, the resolver reads the list again.
	a.mu.Lock()
	a.list = slices("300", sliceOf("shop-3", "300", "", "10.0.0.9"))
	a.mu.Unlock()
	a.events <- event("ERROR", `{"kind": "Status", "code": 410, "message": "too old resource version: 152 (299)", "reason": "Expired"}`)
	want("[{10.0.0.9:9090" + tags + "] <nil>")
	a.events <- `{"type": "ADDED", "object": [}`
	want(`[] kubernetes: service "shop.default:grpc": read a change: invalid character`)
	a.mu.Lock()
	defer a.mu.Unlock()
	const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?"
	for i, wanted := range []string{
		path + "labelSelector=kubernetes.io%2Fservice-name%3Dshop Bearer secret",
		path + "allowWatchBookmarks=true&labelSelector=kubernetes.io%2Fservice-name%3Dshop&resourceVersion=100&timeoutSeconds=300&watch=1 Bearer secret",
		path + "allowWatchBookmarks=true&labelSelector=kubernetes.io%2Fservice-name%3Dshop&resourceVersion=150&timeoutSeconds=300&watch=1 Bearer secret",
	} {
		if a.asked[i] != wanted {
			t.Errorf("asked for %s\nwant %s", a.asked[i], wanted)
		}
	}
}

func TestPortsAndNamesThatAreWrongAreTold(t *testing.T) {
	a := startAPI(t, slices("1", sliceOf("shop-1", "1", "", "10.0.0.1")))
	watch(t, &Resolver{Address: a.URL}, "shop.default:9090")("[{10.0.0.1:9090 100 map[machine:node-17 zone:a]}] <nil>")
	watch(t, &Resolver{Address: a.URL}, "shop.default:http")(`[] kubernetes: service "shop.default:http": slice "shop-1" has no port "http"`)
	for _, name := range []string{"shop", "shop:grpc", "shop.default", "shop.default:"} {
		if err := (&Resolver{Address: a.URL}).Watch(context.Background(), name, nil); err == nil || !strings.Contains(err.Error(), "shop.default:grpc") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAnAccountThatMayNotAskIsTold(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) { answer.WriteHeader(http.StatusForbidden) }))
	defer refusing.Close()
	watch(t, &Resolver{Address: refusing.URL}, "shop.default:grpc")(`[] kubernetes: service "shop.default:grpc": the API answers 403 Forbidden: allow the account to list and watch`)
}

func TestOutsideOfAPodThereIsNoCluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if _, err := InCluster(); err == nil || !strings.Contains(err.Error(), "KUBERNETES_SERVICE_HOST") {
		t.Error(err)
	}
}

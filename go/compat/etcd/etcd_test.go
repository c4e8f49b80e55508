package etcd

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"hone/go/etcd"
	"hone/go/rpc/resolve"
)

// quick holds options for short tests; no test waits for them by its own clock.
var quick = etcd.Options{Timeout: time.Second, Retry: 50 * time.Millisecond, TTL: time.Second, Resync: time.Second, Hold: 3 * time.Second}

// watched is a running resolver.
type watched struct {
	t       *testing.T
	updates chan resolve.Update
	last    []resolve.Instance
}

func watch(t *testing.T, client *clientv3.Client, options etcd.Options) *watched {
	w := &watched{t: t, updates: make(chan resolve.Update, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- etcd.NewResolver(client, options).Watch(ctx, "hello", func(u resolve.Update) { w.updates <- u })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

// until waits for a list of instances. Earlier lists must have all of the given addresses.
func (w *watched) until(want string, always ...string) {
	w.t.Helper()
	timeout := time.After(patience)
	for text(w.last) != want {
		select {
		case u := <-w.updates:
			if u.Err != nil {
				continue
			}
			w.last = u.Instances
			for _, address := range always {
				if !strings.Contains(text(w.last), address) {
					w.t.Fatalf("%s was lost: %s", address, text(w.last))
				}
			}
		case <-timeout:
			w.t.Fatalf("got %s, want %s", text(w.last), want)
		}
	}
}

// failure waits for an error.
func (w *watched) failure() string {
	w.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case u := <-w.updates:
			if u.Err != nil {
				return u.Err.Error()
			}
			w.last = u.Instances
		case <-timeout:
			w.t.Fatal("no error is told")
		}
	}
}

func text(instances []resolve.Instance) string {
	var all []string
	for _, i := range instances {
		all = append(all, fmt.Sprintf("%s*%d%s", i.Address, i.Weight, i.Tags[resolve.Zone]))
	}
	return strings.Join(all, " ")
}

// registered is an instance that is kept registered.
type registered struct {
	t    *testing.T
	told chan error
	stop func()
}

func register(t *testing.T, client *clientv3.Client, instance resolve.Instance, options etcd.Options) *registered {
	r := &registered{t: t, told: make(chan error, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := etcd.NewRegistry(client, options).Register(ctx, "hello", instance, func(err error) { r.told <- err }); err != nil {
			t.Error(err)
		}
	}()
	r.stop = func() { cancel(); <-ended }
	t.Cleanup(r.stop)
	return r
}

// isKept waits until the instance is registered, perhaps again.
func (r *registered) isKept() {
	r.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case err := <-r.told:
			if err == nil {
				return
			}
		case <-timeout:
			r.t.Fatal("not registered")
		}
	}
}

func instance(address string) resolve.Instance {
	return resolve.Instance{Address: address, Weight: 10, Tags: map[string]string{resolve.Zone: "z"}}
}

func TestInstancesAreFoundWhileTheyAreRegistered(t *testing.T) {
	s := start(t)
	client := s.client(s.clientHost)
	w := watch(t, client, quick)
	a := register(t, client, instance("a:1"), quick)
	b := register(t, client, instance("unix:/run/b"), quick)
	w.until("a:1*10z unix:/run/b*10z")
	b.stop()
	w.until("a:1*10z")
	again := register(t, client, resolve.Instance{Address: "a:1", Weight: 20}, quick)
	w.until("a:1*20")
	again.stop()
	a.stop()
	w.until("")
}

func TestAnInstanceThatDiesIsGoneWhenItsLeaseEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on a clock")
	}
	s := start(t)
	w := watch(t, s.client(s.clientHost), quick)
	link := s.proxy()
	register(t, s.client(link.address), instance("a:1"), quick).isKept()
	// The lease of a live instance must outlast delays of a busy machine.
	lasting := quick
	lasting.TTL = time.Minute
	register(t, s.client(s.clientHost), instance("b:1"), lasting).isKept()
	w.until("a:1*10z b:1*10z")
	link.cut()
	w.until("b:1*10z", "b:1")
}

func TestAKillOfEtcdTakesNoInstanceAway(t *testing.T) {
	if testing.Short() {
		t.Skip("further end to end")
	}
	s := start(t)
	w := watch(t, s.client(s.clientHost), quick)
	// Leases outlast the time in which etcd is down and clients connect again.
	lasting := quick
	lasting.TTL = time.Minute
	register(t, s.client(s.clientHost), instance("a:1"), lasting).isKept()
	w.until("a:1*10z")
	for i := range 3 {
		s.kill()
		if message := w.failure(); !strings.Contains(message, "stay in use") {
			t.Fatal(message)
		}
		s.start()
		register(t, s.client(s.clientHost), instance(fmt.Sprintf("b:%d", i+1)), lasting).isKept()
		w.until("a:1*10z "+[]string{"b:1*10z", "b:1*10z b:2*10z", "b:1*10z b:2*10z b:3*10z"}[i], "a:1")
	}
}

func TestRegistrationsComeBackAfterEtcdHasLostItsDataAndNoneIsTakenAwayMeanwhile(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on a clock")
	}
	s := start(t)
	options := quick
	// A lease that ends because the machine is busy would remove an instance.
	options.TTL, options.Hold = 4*time.Second, 20*time.Second
	w := watch(t, s.client(s.clientHost), options)
	a, b := register(t, s.client(s.clientHost), instance("a:1"), options), register(t, s.client(s.clientHost), instance("b:1"), options)
	a.isKept()
	b.isKept()
	w.until("a:1*10z b:1*10z")
	// These writes raise the old revision, so that the new etcd is at an earlier one even when all have registered.
	for range 100 {
		if _, err := s.client(s.clientHost).Put(context.Background(), "other", ""); err != nil {
			t.Fatal(err)
		}
	}
	register(t, s.client(s.clientHost), instance("c:1"), options).isKept()
	w.until("a:1*10z b:1*10z c:1*10z", "a:1", "b:1")
	s.kill()
	s.wipe()
	s.start()
	a.isKept()
	b.isKept()
	register(t, s.client(s.clientHost), instance("d:1"), options)
	w.until("a:1*10z b:1*10z c:1*10z d:1*10z", "a:1", "b:1", "c:1")
}

func TestAWatchGoesOnAfterTheChangesThatItMissedWereCompacted(t *testing.T) {
	s := start(t)
	link := s.proxy()
	options := quick
	// The list is not read again by time, but only because the changes are gone.
	options.Resync = time.Hour
	w := watch(t, s.client(link.address), options)
	writer := s.client(s.clientHost)
	put := func(address string) int64 {
		t.Helper()
		done, err := writer.Put(context.Background(), "/services/hello/"+address, `{"weight": 1}`)
		if err != nil {
			t.Fatal(err)
		}
		return done.Header.Revision
	}
	put("a:1")
	w.until("a:1*1")
	link.cut()
	for i := range 50 {
		put(fmt.Sprintf("b:%d", 1+i%2))
	}
	if _, err := writer.Delete(context.Background(), "/services/hello/a:1"); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Compact(context.Background(), put("b:2"), clientv3.WithCompactPhysical()); err != nil {
		t.Fatal(err)
	}
	link.join(t)
	w.until("b:1*1 b:2*1")
	put("c:1")
	w.until("b:1*1 b:2*1 c:1*1")
}

func TestValuesThatAreWrongAreToldAndDoNotHideTheOthers(t *testing.T) {
	s := start(t)
	client := s.client(s.clientHost)
	w := watch(t, client, quick)
	for key, value := range map[string]string{"a:1": "{}", "b:1": "nonsense", "nowhere": "{}"} {
		if _, err := client.Put(context.Background(), "/services/hello/"+key, value); err != nil {
			t.Fatal(err)
		}
	}
	w.until("a:1*100")
	for !strings.Contains(w.failure(), `etcd: service "hello": `) {
	}
}

func TestNamesThatCannotBeKeysAreRefused(t *testing.T) {
	for _, service := range []string{"", "a/b"} {
		if err := etcd.NewResolver(nil, quick).Watch(context.Background(), service, nil); err == nil {
			t.Errorf("%q is watched", service)
		}
	}
	if err := etcd.NewRegistry(nil, quick).Register(context.Background(), "hello", instance("nowhere"), nil); err == nil {
		t.Error("an address without a port is registered")
	}
}

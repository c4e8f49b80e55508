package resolve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// watched is a resolver that runs with a clock that the test controls.
type watched struct {
	t     *testing.T
	waits chan time.Duration
	ticks chan time.Time
	got   chan Update
	stop  func() error
}

func (w *watched) After(d time.Duration) <-chan time.Time {
	w.waits <- d
	return w.ticks
}

func watch(t *testing.T, service string, resolver func(after func(time.Duration) <-chan time.Time) Resolver) *watched {
	w := &watched{t: t, waits: make(chan time.Duration), ticks: make(chan time.Time), got: make(chan Update, 100)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- resolver(w.After).Watch(ctx, service, func(u Update) { w.got <- u }) }()
	w.stop = func() error { cancel(); return <-ended }
	t.Cleanup(func() { cancel() })
	return w
}

// looked waits for the end of a look. It returns what the look told, and the time that the resolver waits for the next look.
func (w *watched) looked() (string, time.Duration) {
	d := <-w.waits
	var told []string
	for {
		select {
		case u := <-w.got:
			told = append(told, text(u))
		default:
			return strings.Join(told, "; "), d
		}
	}
}

func (w *watched) next() (string, time.Duration) {
	w.ticks <- time.Time{}
	return w.looked()
}

func text(u Update) string {
	if u.Err != nil {
		return "error: " + u.Err.Error()
	}
	var all []string
	for _, i := range u.Instances {
		all = append(all, fmt.Sprintf("%s*%d%v", i.Address, i.Weight, i.Tags[Host]+i.Tags[Zone]))
	}
	return fmt.Sprint(all)
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("\n got %s\nwant %s", got, want)
	}
}

func TestAStaticListTellsItsInstancesOnceUntilTheContextEnds(t *testing.T) {
	list := Static{"hello": append(Addresses("b:1", "a:1", "b:1"), Instance{Address: "unix:/run/a", Weight: 7})}
	w := watch(t, "hello", func(func(time.Duration) <-chan time.Time) Resolver { return list })
	want(t, text(<-w.got), "[a:1*100 b:1*100 unix:/run/a*7]")
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
	err := list.Watch(context.Background(), "other", nil)
	want(t, err.Error(), `resolve: there is no service "other"; there are hello`)
	err = Static{"x": Addresses("nowhere")}.Watch(context.Background(), "x", nil)
	want(t, err.Error(), `resolve: service "x": address "nowhere" is not host:port; write it as 10.0.0.1:9090, [::1]:9090, unix:/run/hello.sock or shm:/run/hello.sock`)
}

// names is a DNS with answers that the test sets.
type names struct {
	addresses map[string]string
	records   []*net.SRV
	err       error
}

func (n *names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	var all []netip.Addr
	for _, a := range strings.Fields(n.addresses[host]) {
		all = append(all, netip.MustParseAddr(a))
	}
	return all, n.err
}

func (n *names) LookupSRV(_ context.Context, service, proto, name string) (string, []*net.SRV, error) {
	if service+proto != "" || name != "_hello._tcp.example.org" {
		return "", nil, errors.New("asked for " + name)
	}
	return "", n.records, n.err
}

func TestDNSTellsAddressesAndTheirChangesAndKeepsThemWhenItFails(t *testing.T) {
	dns := &names{addresses: map[string]string{"hello.example": "10.0.0.2 ::ffff:10.0.0.1 2001:db8::1"}}
	w := watch(t, "hello.example:9090", func(after func(time.Duration) <-chan time.Time) Resolver {
		return DNS{Lookup: dns, Interval: 4 * time.Second, After: after}
	})
	told, pause := w.looked()
	want(t, told, "[10.0.0.1:9090*100hello.example 10.0.0.2:9090*100hello.example [2001:db8::1]:9090*100hello.example]")
	want(t, pause.String(), "4s")
	told, _ = w.next()
	want(t, told, "")
	dns.err = errors.New("no answer")
	told, pause = w.next()
	want(t, told, `error: resolve: DNS of "hello.example:9090": no answer (the last 3 instances stay in use)`)
	for _, longer := range []string{"1s", "2s", "4s", "4s"} {
		want(t, pause.String(), longer)
		told, pause = w.next()
		want(t, told, "")
	}
	dns.err, dns.addresses = nil, map[string]string{"hello.example": ""}
	told, _ = w.next()
	want(t, told, `error: resolve: DNS of "hello.example:9090": the host has no addresses; add A or AAAA records (the last 3 instances stay in use)`)
	dns.addresses = map[string]string{"hello.example": "10.0.0.9"}
	told, pause = w.next()
	want(t, told, "[10.0.0.9:9090*100hello.example]")
	want(t, pause.String(), "4s")
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
}

func TestRecordsOfServicesGivePortsAndWeightsOfTheLowestPriority(t *testing.T) {
	dns := &names{addresses: map[string]string{"a.example.org": "10.0.0.1 10.0.0.2", "b.example.org": "10.0.0.3", "c.example.org": "10.0.0.4"},
		records: []*net.SRV{{Target: "a.example.org.", Port: 1000, Priority: 1, Weight: 60}, {Target: "b.example.org.", Port: 2000, Priority: 1},
			{Target: "c.example.org.", Port: 3000, Priority: 2, Weight: 10}}}
	w := watch(t, "_hello._tcp.example.org", func(after func(time.Duration) <-chan time.Time) Resolver {
		return DNS{Lookup: dns, After: after}
	})
	told, pause := w.looked()
	want(t, told, "[10.0.0.1:1000*60a.example.org 10.0.0.2:1000*60a.example.org 10.0.0.3:2000*1b.example.org]")
	want(t, pause.String(), "30s")
	dns.records[0].Weight = 0
	told, _ = w.next()
	want(t, told, "[10.0.0.1:1000*100a.example.org 10.0.0.2:1000*100a.example.org 10.0.0.3:2000*100b.example.org]")
	dns.records = nil
	told, _ = w.next()
	want(t, told, `error: resolve: DNS of "_hello._tcp.example.org": there are no SRV records; add them, or write host:port (the last 3 instances stay in use)`)
}

func TestNamesThatDNSCannotBeAskedForAreRefused(t *testing.T) {
	for _, service := range []string{"", "hello", "hello:", ":90", "hello:http", "hello:0", "hello:70000", "unix:/run/a"} {
		if err := (DNS{}).Watch(context.Background(), service, nil); err == nil || !strings.Contains(err.Error(), "write host:port") {
			t.Errorf("%q: %v", service, err)
		}
	}
}

// listed is a watched file. Its path in errors is replaced by FILE.
type listed struct {
	*watched
	path string
}

func list(t *testing.T) *listed {
	path := filepath.Join(t.TempDir(), "services.json")
	return &listed{path: path}
}

func (l *listed) write(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(l.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (l *listed) replace(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(l.path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(l.path+".new", l.path); err != nil {
		t.Fatal(err)
	}
}

func (l *listed) watch(t *testing.T) string {
	l.watched = watch(t, "hello", func(after func(time.Duration) <-chan time.Time) Resolver { return File{Path: l.path, After: after} })
	told, _ := l.looked()
	return l.anonymous(told)
}

func (l *listed) next() string {
	told, _ := l.watched.next()
	return l.anonymous(told)
}

func (l *listed) anonymous(told string) string { return strings.ReplaceAll(told, l.path, "FILE") }

func TestAFileThatIsReplacedOrWrittenInPlaceTellsItsChanges(t *testing.T) {
	l := list(t)
	l.write(t, `{"hello": [{"address": "a:1", "weight": 5, "tags": {"zone": "z"}}], "other": []}`)
	want(t, l.watch(t), "[a:1*5z]")
	want(t, l.next(), "")
	l.replace(t, `{"hello": [{"address": "b:1"}, {"address": "unix:/run/a", "weight": 0}]}`)
	want(t, l.next(), "[b:1*100 unix:/run/a*0]")
	// The new text has the same length and perhaps the same time.
	l.write(t, `{"hello": [{"address": "c:1"}, {"address": "unix:/run/a", "weight": 0}]}`)
	want(t, l.next(), "[c:1*100 unix:/run/a*0]")
	want(t, l.next(), "")
	l.replace(t, `{"hello": []}`)
	want(t, l.next(), "[]")
}

func TestALinkThatMovesIsAChange(t *testing.T) {
	l := list(t)
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(l.path+name, []byte(`{"hello": [{"address": "`+name+`:1"}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(l.path+name, l.path+".new"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(l.path+".new", l.path); err != nil {
			t.Fatal(err)
		}
		if name == "a" {
			want(t, l.watch(t), "[a:1*100]")
		}
	}
	want(t, l.next(), "[b:1*100]")
}

func TestAFileThatIsWrongOrGoneChangesNothingAndIsToldOnce(t *testing.T) {
	l := list(t)
	want(t, l.watch(t), "error: resolve: stat FILE: no such file or directory")
	want(t, l.next(), "")
	l.replace(t, `{"hello": [{"address": "a:1"}]}`)
	want(t, l.next(), "[a:1*100]")
	l.replace(t, "{\"hello\": [\n{\"address\": \"a:1\"},\n{\"address\": \"b\"}\n]}")
	want(t, l.next(), `error: resolve: FILE:3: service "hello": address "b" is not host:port; `+
		"write it as 10.0.0.1:9090, [::1]:9090, unix:/run/hello.sock or shm:/run/hello.sock (the last 1 instances stay in use)")
	want(t, l.next(), "")
	l.replace(t, `{"hallo": []}`)
	want(t, l.next(), `error: resolve: FILE: there is no service "hello"; there are hallo (the last 1 instances stay in use)`)
	if err := os.Remove(l.path); err != nil {
		t.Fatal(err)
	}
	want(t, l.next(), "error: resolve: stat FILE: no such file or directory (the last 1 instances stay in use)")
	// The same list again ends the error.
	l.replace(t, `{"hello": [{"address": "a:1"}]}`)
	want(t, l.next(), "[a:1*100]")
	l.write(t, "{"+strings.Repeat(" ", MaxFileBytes))
	want(t, l.next(), "error: resolve: FILE is longer than 16777216 bytes; split it (the last 1 instances stay in use)")
}

// The rest of some messages comes from encoding/json.
func TestMistakesInAFileAreToldWithTheirLine(t *testing.T) {
	for text, message := range map[string]string{
		"":                                    `1: the text ends where { is expected; write it as {"service": [{"address": "10.0.0.1:9090"}]}`,
		"[]":                                  `1: found [ where { is expected; write it as {"service": [{"address": "10.0.0.1:9090"}]}`,
		"{\n\"a\": {}}":                       `2: service "a": found { where [ is expected; write it as [{"address": "10.0.0.1:9090"}]`,
		"{\n\n\"a\": [}":                      `3: service "a": `,
		"{\"a\": [\n{\"address\" 1}]}":        `2: service "a": `,
		"{\"a\": [\n{\"adress\": \"a:1\"}]}":  `2: service "a": json: unknown field`,
		"{\"a\": [{\"address\": 5}]}":         `1: service "a": an instance or its address is a number; write {"address": "10.0.0.1:9090"}`,
		"{\"a\": [\n\n\"a:1\"]}":              `3: service "a": an instance or its address is a string; write {"address": "10.0.0.1:9090"}`,
		"{\"a\": [{\"weight\": -1}]}":         `1: service "a": the weight is a number -1; write a whole number from 0 to 4294967295`,
		"{\"a\": [{\"tags\": {\"zone\":1}}]}": `1: service "a": the tags have a number; write strings, as {"zone": "a"}`,
		"{\"a\": [],\n\"a\": []}":             `2: service "a" stands here for the second time; put its instances into one list`,
		"{\"a\": []}\n{}":                     `2: there is more after the end of the object; remove it`,
		"{\"a\": [{\"address\": \"a:1\"},\n{\"address\": \"a:1\"}]}": `2: service "a": address "a:1" stands here for the second time; ` +
			`remove one and set its weight`,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), message) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, message)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"hello": [{"address": "10.0.0.1:9090", "weight": 100, "tags": {"zone": "a"}}, {"address": "unix:/run/hello.sock"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		services, err := Parse(text)
		if err != nil {
			return
		}
		for _, instances := range services {
			for _, instance := range instances {
				if err := CheckAddress(instance.Address); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.IsSortedFunc(sorted(instances), func(a, b Instance) int { return strings.Compare(a.Address, b.Address) }) {
				t.Fatal("not sorted")
			}
		}
	})
}

package connect_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"hone/go/call/calltest"
	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/thrift"
)

func TestACallAfterOneThatBrokeItsConnectionConnectsAgain(t *testing.T) {
	d, err := definitions.Load("../../idl/testdata/shop.thrift", os.ReadFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*definitions.Function{}
	for _, name := range []string{"Shop.nothing", "Shop.find", "Shop.alive"} {
		if functions[name], err = d.Function(name); err != nil {
			t.Fatal(err)
		}
	}
	address := calltest.Serve(t, "tcp", thrift.Wire{Framed: true})
	connection, err := connect.Dial(context.Background(), address, d.Language, connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	call := func(ctx context.Context, name string) error {
		f := functions[name]
		args := f.Args()
		if err := args.UnmarshalJSON([]byte("{}")); err != nil {
			t.Fatal(err)
		}
		return connection.Invoke(ctx, f.Method, args, f.Result())
	}
	for range 2 {
		// Nobody answers this one.
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		if err := call(ctx, "Shop.nothing"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
		var told *thrift.ApplicationException
		if err := call(context.Background(), "Shop.alive"); !errors.As(err, &told) {
			t.Error(err)
		}
		if err := call(context.Background(), "Shop.find"); err != nil {
			t.Error(err)
		}
	}
}

func TestAddressesArePlacesOfNetworks(t *testing.T) {
	for address, want := range map[string][2]string{
		"localhost:9090": {"tcp", "localhost:9090"}, "tcp://[::1]:80": {"tcp", "[::1]:80"}, "unix:///run/a": {"unix", "/run/a"},
		"unix:/run/a": {"unix", "/run/a"}, "./a": {"unix", "./a"}, "/run/a": {"unix", "/run/a"},
		"nowhere": {}, "http://a:80": {}, "tcp://": {},
	} {
		network, place, err := connect.Place(address)
		if network != want[0] || place != want[1] || (err == nil) != (want[0] != "") {
			t.Errorf("%s: %s %s %v", address, network, place, err)
		}
	}
}

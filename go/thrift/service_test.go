package thrift_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

var background = context.Background()

func TestFunctionsAreCalled(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		close(s.release)
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal("a function of the service that it extends:", alive, err)
		}
		if item, err := client.Find(background, 70000, nil); err != nil || item.ID != 70000 || len(item.Raw) != 70000 || item.Name != "none" {
			t.Fatal(item.GetID(), err)
		}
		if n, err := client.Order(background, &api.Order{Items: []int64{1, 2}}, 2); err != nil || n != 2 {
			t.Fatal(n, err)
		}
		if err := client.Nothing(background); err != nil {
			t.Fatal(err)
		}
		if all, err := client.All(background); err != nil || all == nil || len(all) != 0 {
			t.Fatal("nil is an empty result:", all, err)
		}
		if err := client.Forget(background, 9); err != nil {
			t.Fatal(err)
		}
		if id := <-s.forgotten; id != 9 {
			t.Fatal(id)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal("after a oneway call:", alive, err)
		}
	})
}

func TestErrorsComeToTheCaller(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		_, err := client.Find(background, -1, &base.Context{Caller: "me"})
		var missing *base.NotFound
		if !errors.As(err, &missing) || missing.Key != "of me" {
			t.Fatal("a declared exception:", err)
		}
		_, err = client.Order(background, &api.Order{Items: []int64{5}}, 0)
		var stock *api.OutOfStock
		if !errors.As(err, &stock) || stock.ID != 5 || stock.Text != "too many" {
			t.Fatal("another declared exception:", err)
		}
		_, err = client.Find(background, -2, nil)
		if typeOf(err) != thrift.InternalError || !strings.Contains(err.Error(), "the shelf fell over") {
			t.Fatal("an error that the IDL does not name:", err)
		}
		if _, err = client.Find(background, -3, nil); typeOf(err) != thrift.UnsupportedClientType {
			t.Fatal("an application exception of the handler's own:", err)
		}
		if _, err = client.Find(background, -4, nil); typeOf(err) != thrift.MissingResultOfCall {
			t.Fatal("no result:", err)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal("after all these errors:", alive, err)
		}
	})
}

// A nil pointer in an error is an error. A nil exception of the IDL was once a result without an error, and other nil pointers
// ended the connection.
func TestNilExceptionsAreErrors(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		for id, want := range map[api.ItemID]string{-6: "a nil pointer", -9: "find: ", -10: "the handler panicked"} {
			if _, err := client.Find(background, id, nil); typeOf(err) != thrift.InternalError || !strings.Contains(err.Error(), want) {
				t.Errorf("%d: %v", id, err)
			}
		}
		if err := client.Forget(background, -6); err != nil {
			t.Error(err)
		}
		if err := <-s.lost; err == nil || !strings.Contains(err.Error(), "nil pointer") {
			t.Error("of a oneway function:", err)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Error("after all these errors:", alive, err)
		}
		var panicked *thrift.PanicError
		if err := <-s.failed; !errors.As(err, &panicked) || !strings.Contains(err.Error(), "speechless") {
			t.Error("the error that panicked:", err)
		}
	})
}

// Middleware of a client may return a nil exception: that is an error too, with a text and a type.
func TestANilExceptionSaysWhatItIs(t *testing.T) {
	var exception *thrift.ApplicationException
	_, err := api.NewShopClient(failing{exception}).Find(background, 1, nil)
	if err == nil || err.Error() == "" || !errors.As(err, &exception) || exception.TypeId() != int32(thrift.InternalError) {
		t.Error(err)
	}
	if written := thrift.Marshal(exception); string(written) != "\x00" {
		t.Errorf("%q", written)
	}
}

// failing is a caller whose calls fail.
type failing struct{ err error }

func (f failing) Call(context.Context, string, thrift.Writer, thrift.Reader) error { return f.err }

func TestErrorsOfOnewayFunctionsAreNotLost(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		if err := client.Forget(background, -7); err != nil {
			t.Fatal(err)
		}
		if err := <-s.lost; err.Error() != "never" {
			t.Fatal(err)
		}
	})
}

func TestFunctionsThatTheServerDoesNotHave(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		_, caller := s.client(t)
		if err := caller.Call(background, "fly", &api.Empty{}, &api.Empty{}); typeOf(err) != thrift.UnknownMethod {
			t.Fatal(err)
		}
		// Nobody waits for an answer to this call, and the next call must not get one that is not its own.
		if err := caller.Call(background, "fly", &api.Empty{}, nil); err != nil {
			t.Fatal(err)
		}
		if err := <-s.lost; typeOf(err) != thrift.UnknownMethod {
			t.Fatal(err)
		}
		if alive, err := api.NewShopClient(caller).Alive(background); !alive || err != nil {
			t.Fatal(alive, err)
		}
	})
}

func TestArgumentsThatCannotBeRead(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, caller := s.client(t)
		// The call lacks its required argument.
		err := caller.Call(background, "order", &api.Empty{}, &api.Empty{})
		if typeOf(err) != thrift.ProtocolErrorOfCall || !strings.Contains(err.Error(), "order") {
			t.Fatal(err)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal(alive, err)
		}
	})
}

func TestManyCallersShareClientsAndServer(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		var callers sync.WaitGroup
		for range 2 {
			client, _ := s.client(t)
			for i := range 8 {
				callers.Add(1)
				go func() {
					defer callers.Done()
					for j := range 50 {
						id := api.ItemID(1000*i + j)
						if item, err := client.Find(background, id, nil); err != nil || item.ID != id || len(item.Raw) != int(id) {
							t.Error(item.GetID(), err)
						}
					}
				}()
			}
		}
		callers.Wait()
	})
}

func TestBorrowedStringsOutliveTheNextCall(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		binary := thrift.Binary{Options: thrift.Options{Texts: thrift.Borrowed}}
		for _, protocol := range []thrift.Protocol{binary, &binary, struct{ thrift.Binary }{binary}} {
			s.wire.Protocol = protocol
			client, _ := s.client(t)
			_, first := client.Find(background, -1, &base.Context{Caller: "first"})
			_, second := client.Find(background, -1, &base.Context{Caller: "other"})
			var a, b *base.NotFound
			if !errors.As(first, &a) || !errors.As(second, &b) || a.Key != "of first" || b.Key != "of other" {
				t.Fatalf("%T: %v, %v", protocol, first, second)
			}
		}
	})
}

// torn is a struct whose methods panic.
type torn struct{ api.Empty }

func (*torn) WriteThrift([]byte, int) int { panic("torn") }

func TestACallThatPanicsBreaksItsClient(t *testing.T) {
	s := serve(t, "tcp", thrift.Wire{})
	client, caller := s.client(t)
	ctx, cancel := context.WithCancel(background)
	func() {
		defer func() {
			if recover() != "torn" {
				t.Error("no panic")
			}
		}()
		caller.Call(ctx, "alive", new(torn), new(api.Empty))
	}()
	// The context of an earlier call must no longer affect the connection.
	cancel()
	if _, err := client.Alive(background); !errors.Is(err, thrift.ErrBroken) {
		t.Fatal(err)
	}
}

func TestAHandlerWithoutAResultAnswersAnyhow(t *testing.T) {
	processor := thrift.NewProcessor()
	processor.Handle("none", thrift.Handler{
		Args:  func() thrift.Reader { return new(api.Empty) },
		Serve: func(context.Context, thrift.Reader) (thrift.Writer, error) { return nil, nil },
	})
	call := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "none", Type: thrift.Call, Sequence: 3}, new(api.Empty))
	header, body, err := processor.Process(background, thrift.Binary{}, call)
	exception, isException := body.(*thrift.ApplicationException)
	if err != nil || header.Type != thrift.Exception || header.Sequence != 3 || !isException || exception.Type != thrift.MissingResultOfCall {
		t.Fatal(header, body, err)
	}
}

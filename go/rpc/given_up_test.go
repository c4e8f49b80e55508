package rpc_test

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hone/go/generic"
	"hone/go/idl"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/policy/retry"
	"hone/go/rpc/resolve"
	"hone/go/thrift"
)

// writing are arguments that do something while they are written.
type writing func()

func (w writing) WriteThrift(b []byte, off int) int { w(); return thrift.PutEnd(b, off) }

func TestAOneWayCallWhoseConnectionEndsHarmsNoLaterCall(t *testing.T) {
	t.Run("as it is appended", func(t *testing.T) { connectionEnds(t, 0) })
	t.Run("and its client has seen that", func(t *testing.T) {
		if testing.Short() {
			t.Skip("waits on a clock")
		}
		connectionEnds(t, quiet)
	})
}

// connectionEnds ends the connection of a one-way call while the call is appended; appending goes on for the time wait after that.
func connectionEnds(t *testing.T, wait time.Duration) {
	t.Helper()
	var connections atomic.Int32
	closeFirst, isClosed := make(chan struct{}), make(chan struct{})
	address, _ := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
		if connections.Add(1) == 1 {
			<-closeFirst
			conn.Close()
			close(isClosed)
			return
		}
		// The server never answers.
		io.Copy(io.Discard, conn)
	})
	client := rpc.Dial(address)
	defer client.Close()
	var isBegun atomic.Bool
	client.Call(background, "forget", writing(func() {
		if isBegun.CompareAndSwap(false, true) {
			close(closeFirst)
			<-isClosed
			time.Sleep(wait)
		}
	}), nil)
	for range 3 {
		if err := client.Call(within(t, 20*time.Millisecond), "find", nothing{}, new(api.ShopFindResult)); err == nil {
			t.Fatal("a call to a server that never answers was answered")
		}
	}
}

// plain hides the type of the connection, as TLS does.
type plain struct{ net.Conn }

func TestOneWayCallsAreWrittenBeforeTheirClientIsClosed(t *testing.T) {
	for range 20 {
		s := set(t, "tcp", rpc.TTHeader, func(_ *rpc.Server, client *rpc.Client) {
			client.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := new(net.Dialer).DialContext(ctx, network, address)
				return plain{conn}, err
			}
		})
		if err := s.shopper.Forget(background, 5); err != nil {
			t.Fatal(err)
		}
		s.client.Close()
		select {
		case <-s.forgotten:
		case <-within(t, testPatience).Done():
			t.Fatal("a one-way call that had no error is lost")
		}
	}
}

// numbersOf serves without answering, and sends the numbers of the calls to the channel.
func numbersOf(t *testing.T) (address string, numbers chan int32) {
	t.Helper()
	numbers = make(chan int32, 100)
	address, _ = serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
		raw := newRawStreams(conn)
		for {
			var message thriftwire.Message
			if raw.reader.Next(&message) != nil {
				return
			}
			numbers <- message.Header.Sequence
		}
	})
	return address, numbers
}

func TestTheNumberOfACallThatIsNotAnsweredIsNotUsedAgain(t *testing.T) {
	address, numbers := numbersOf(t)
	client := rpc.Dial(address)
	defer client.Close()
	const placeBits = 16
	seen := map[int32]bool{}
	for range 20 {
		ctx, cancel := context.WithCancel(background)
		answered := make(chan error)
		go func() { answered <- client.Call(ctx, "find", nothing{}, new(api.ShopFindResult)) }()
		place := <-numbers & (1<<placeBits - 1)
		if seen[place] {
			t.Fatal("a call has the place of another that is not answered")
		}
		seen[place] = true
		cancel()
		if err := <-answered; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestAConnectionOverWhichNothingComesIsLeftAfterATimeout(t *testing.T) {
	var connections atomic.Int32
	address, _ := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
		connections.Add(1)
		io.Copy(io.Discard, conn)
	})
	client := rpc.Dial(address)
	defer client.Close()
	for late := within(t, testPatience); connections.Load() < 2; {
		if err := client.Call(within(t, 20*time.Millisecond), "find", nothing{}, new(api.ShopFindResult)); rpc.CodeOf(err) != rpc.DeadlineExceeded {
			t.Fatal(err)
		}
		if late.Err() != nil {
			t.Fatal("all calls go over the connection that tells nothing")
		}
	}
}

func TestACallOverAConnectionThatIsLeftEndsWithItsClient(t *testing.T) {
	leaving := thriftwire.Outgoing{Form: thriftwire.Form{Carrier: thriftwire.TTHeader}, Protocols: thriftwire.NewProtocols(thrift.Options{}), MessageBytes: 1 << 10,
		Header: thrift.Header{Method: "none", Type: thrift.Reply}, Body: nothing{}, Named: []thriftwire.Named{{Name: thriftwire.Leaving, Value: "1"}}}
	frame, err := leaving.AppendFrame(nil)
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{}, 10)
	var connections atomic.Int32
	address, _ := serveBadly(t, "tcp", func(conn net.Conn, _ <-chan struct{}) {
		isFirst := connections.Add(1) == 1
		conn.Read(make([]byte, 1000))
		if isFirst {
			conn.Write(frame)
		}
		called <- struct{}{}
		io.Copy(io.Discard, conn)
	})
	client := rpc.Dial(address)
	ended := make(chan error, 100)
	call := func() { ended <- client.Call(background, "find", nothing{}, new(api.ShopFindResult)) }
	calls := 0
	// The client may notice the end of the connection only after the next call.
	for ; connections.Load() < 2; calls++ {
		go call()
		select {
		case <-called:
		case <-time.After(quiet):
		}
	}
	client.Close()
	for range calls {
		if err := <-ended; rpc.CodeOf(err) != rpc.Unavailable && rpc.CodeOf(err) != rpc.Canceled {
			t.Error(err)
		}
	}
}

// tellsOnce is a resolver that reports its instances once, or nothing if it has none.
type tellsOnce []resolve.Instance

func (t tellsOnce) Watch(ctx context.Context, _ string, tell func(resolve.Update)) error {
	if len(t) > 0 {
		tell(resolve.Update{Instances: t})
	}
	<-ctx.Done()
	return nil
}

func TestTheTimeoutOfAClientIsForAllOfACall(t *testing.T) {
	client := rpc.Dial("shop")
	client.Resolver, client.Timeout = tellsOnce{}, 10*time.Millisecond
	defer client.Close()
	if err := client.Call(background, "find", nothing{}, new(api.ShopFindResult)); rpc.CodeOf(err) != rpc.DeadlineExceeded {
		t.Error(err)
	}
}

func TestTheCauseOfAContextIsToldBesideItsEnd(t *testing.T) {
	cause := errors.New("we are going")
	for _, wire := range []rpc.Wire{rpc.TTHeader, rpc.Framed} {
		s := set(t, "unix", wire)
		ctx, cancel := context.WithCancelCause(background)
		go func() {
			<-s.entered
			cancel(cause)
		}()
		if err := s.shopper.Nothing(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || rpc.CodeOf(err) != rpc.Canceled {
			t.Error(wire, err)
		}
	}
}

func TestOneBadAddressKeepsNoOthersAway(t *testing.T) {
	good := startCounting(t, "unix://"+filepath.Join(t.TempDir(), "good"))
	client := rpc.Dial("shop")
	address := strings.TrimPrefix(good.address, "unix://")
	client.Resolver = tellsOnce{{Address: "nowhere"}, {Address: "unix:" + address}, {Address: "unix:" + address}}
	defer client.Close()
	if _, err := api.NewShopClient(client).Find(background, 1, nil); err != nil {
		t.Error(err)
	}
}

func TestBackupRequestsReadIntoMessagesWithoutATypeOfTheirOwn(t *testing.T) {
	s := set(t, "unix", rpc.TTHeader, func(_ *rpc.Server, client *rpc.Client) {
		client.Policies.Backup = &retry.HedgeOptions{Delay: time.Hour, Share: 1}
		client.Policies.IsIdempotent = func(string, string) bool { return true }
	})
	program, problems := idl.Load("shop.thrift", func(string) ([]byte, error) { return []byte("service Shop { bool alive() }"), nil }, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	shop, err := generic.NewService(program, "Shop", generic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	alive, err := shop.Function("alive")
	if err != nil {
		t.Fatal(err)
	}
	result := alive.Result()
	if err := s.client.Call(background, "alive", alive.Args(), result); err != nil {
		t.Fatal(err)
	}
	if text, err := result.MarshalJSON(); err != nil || string(text) != `{"result":true}` {
		t.Error(string(text), err)
	}
}

// counted counts the bytes that come.
type counted struct {
	*net.TCPConn
	bytes *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

func TestWhatStandsBeforeAConnectionIsNotPassedBy(t *testing.T) {
	var bytes atomic.Int64
	s := set(t, "tcp", rpc.TTHeader, func(_ *rpc.Server, client *rpc.Client) {
		client.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return counted{conn.(*net.TCPConn), &bytes}, nil
		}
	})
	if alive, err := s.shopper.Alive(background); !alive || err != nil {
		t.Fatal(err)
	}
	if bytes.Load() == 0 {
		t.Error("its Read was not called")
	}
}

func TestHeadersOfStreamsTakeNoRoomThatIsNotCounted(t *testing.T) {
	s, talker, _ := setTalk(t, "tcp")
	raw := newRawStreams(dial(t, s.address))
	raw.send(t, frameOf(thriftwire.HeaderFrame, nil), frameOf(thriftwire.DataFrame, &talk.Words{Text: "wait"}))
	<-talker.entered
	before := takeStock().heap
	const frames, headerBytes = 300, 195_000
	for range frames {
		frame := frameOf(thriftwire.DataFrame, &talk.Words{})
		for _, name := range []string{"x", "y", "z"} {
			frame.Named = append(frame.Named, thriftwire.Named{Name: name, Value: strings.Repeat(name, headerBytes/3)})
		}
		raw.send(t, frame)
	}
	// Once another stream is answered, the server has read all of these frames.
	header, data := frameOf(thriftwire.HeaderFrame, nil), frameOf(thriftwire.DataFrame, &talk.Words{Text: "hello", Times: 1})
	header.Sequence, data.Sequence = 2, 2
	raw.send(t, header, data)
	for kind := thriftwire.FrameKind(0); kind != thriftwire.DataFrame; {
		if kind, _ = raw.next(t); kind == 0 {
			t.Fatal("the connection has ended")
		}
	}
	if after := takeStock().heap; after > before+frames*headerBytes/3 {
		t.Errorf("%d frames with empty messages and headers of %d bytes take %d bytes", frames, headerBytes, after-before)
	}
	close(talker.release)
}

// TestStreamsThatCannotBeReadTakeNoRoom receives from streams whose first message cannot be decoded, after the whole stream has come.
func TestStreamsThatCannotBeReadTakeNoRoom(t *testing.T) {
	inFakeTime(t, func(t *testing.T) {
		client := servePipes(t, func(conn net.Conn) {
			raw := newRawStreams(conn)
			for {
				var message thriftwire.Message
				if raw.reader.Next(&message) != nil {
					return
				}
				if kind, _, _ := message.Frame(); kind != thriftwire.HeaderFrame {
					continue
				}
				long := &talk.Words{Text: strings.Repeat("x", 14<<20)}
				for _, frame := range []*thriftwire.StreamFrame{
					frameOf(thriftwire.DataFrame, wrong{}), frameOf(thriftwire.DataFrame, long), frameOf(thriftwire.TrailerFrame, nil)} {
					frame.Sequence = message.Header.Sequence
					raw.Send(background, frame)
				}
			}
		})
		client.MessageBytes = 32 << 20
		// All streams of a connection have room for nine such messages.
		for range 12 {
			stream, err := talk.NewTalkClient(client).Chat(within(t, testPatience))
			if err != nil {
				t.Fatal(err)
			}
			// The whole stream has come once no goroutine runs any more.
			synctest.Wait()
			if _, err = stream.Recv(); strings.Contains(err.Error(), "more messages came") {
				t.Fatal(err)
			}
		}
	})
}

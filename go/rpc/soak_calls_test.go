package rpc_test

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/internal/sample/talk"
	"hone/go/internal/wait"
	"hone/go/rpc"
	"hone/go/stream"
)

// soakedLimit is the length that answers may have for clients of a soak.
const soakedLimit = 256 << 10

// longText is the text of an error, longer than any peer takes.
var longText = strings.Repeat("long ", 60_000)

// soakedShop, soakedGreeter and soakedTalk are services of a soak.
type soakedShop struct{ quietShop }

// Find returns an item of id bytes, or an error with a long text if id is negative.
func (soakedShop) Find(_ context.Context, id api.ItemID, _ *base.Context) (*api.Item, error) {
	if id < 0 {
		return nil, rpc.Errorf(rpc.NotFound, "%s", longText)
	}
	item := api.NewItem()
	item.ID, item.Raw = id, make([]byte, id)
	return item, nil
}

type soakedGreeter struct{ polite }

// Hello returns a text, or an error with a long one.
func (*soakedGreeter) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	if request.Name == "long" {
		return nil, rpc.Errorf(rpc.NotFound, "%s", longText)
	}
	return &greeter.HelloReply{Text: request.Name}, nil
}

type soakedTalk struct{ *talker }

// Repeat sends the number of messages that the request has.
func (soakedTalk) Repeat(said *talk.Words, s stream.ServerStreamingServer[talk.Words]) error {
	for n := range said.Times {
		if err := s.Send(&talk.Words{Text: said.Text, Times: n}); err != nil {
			return err
		}
	}
	return nil
}

// callTime is the deadline of calls that should succeed, even on a machine that stands still for a while.
const callTime = time.Minute

// one makes one call or one stream, of a random kind.
func (s *soaked) one(client *soakedClient) {
	switch what := rand.IntN(100); {
	case what < 50:
		s.tell(client.find(rand.IntN(2000)), callTime, rpc.OK)
	case what < 60:
		s.tell(client.find(rand.IntN(2000)), rand.N(5*time.Millisecond), rpc.OK, rpc.DeadlineExceeded)
	case what < 70:
		s.cancelled(client.find(rand.IntN(100_000)))
	case what < 78:
		// Messages on the wire Framed have no place for a code.
		want := rpc.NotFound
		if client.Wire == rpc.Framed {
			want = rpc.Internal
		}
		s.tell(client.find(-1), callTime, want)
	case what < 84:
		s.tell(client.tooLong, callTime, rpc.ResourceExhausted)
	case what < 94 && client.Wire != rpc.Framed:
		s.slowReader(client)
	case what < 97 && client.network == "tcp":
		bytes := callBytes(rpc.TTHeader, 5000)
		reset(s.servers[0].addresses["tcp"], bytes[:rand.IntN(len(bytes))])
	default:
		fresh := rpc.Dial(s.servers[0].addresses[client.network] + "," + s.servers[1].addresses[client.network])
		fresh.Wire = client.Wire
		other := &soakedClient{Client: fresh, shop: api.NewShopClient(fresh), greeter: greeter.NewGreeterClient(fresh)}
		s.tell(other.find(1), callTime, rpc.OK)
		fresh.Close()
	}
}

// find returns a call whose answer has this number of bytes; with a negative number the call ends by a long error.
func (c *soakedClient) find(bytes int) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.Wire != rpc.GRPC {
			item, err := c.shop.Find(ctx, api.ItemID(bytes), nil)
			if err == nil && len(item.Raw) != bytes {
				return rpc.Errorf(rpc.DataLoss, "%d bytes in place of %d", len(item.Raw), bytes)
			}
			return err
		}
		name := "long"
		if bytes >= 0 {
			name = strings.Repeat("x", bytes)
		}
		reply, err := c.greeter.Hello(ctx, &greeter.HelloRequest{Name: name})
		if err == nil && reply.Text != name {
			return rpc.Errorf(rpc.DataLoss, "%d bytes in place of %d", len(reply.Text), bytes)
		}
		return err
	}
}

// tooLong makes a call whose answer is longer than the client takes.
func (c *soakedClient) tooLong(ctx context.Context) error {
	if c.Wire != rpc.GRPC {
		return c.find(4 * soakedLimit)(ctx)
	}
	next, err := c.sends(ctx, 1, 4*soakedLimit)
	if err == nil {
		err = next()
	}
	return err
}

// tell makes a call within the time most. Beside the expected codes it may find no server, or lose it.
func (s *soaked) tell(call func(context.Context) error, most time.Duration, expected ...rpc.Code) {
	ctx, cancel := context.WithTimeout(background, most)
	defer cancel()
	began := time.Now()
	err := call(ctx)
	s.lasted(time.Since(began))
	s.took(err, append(expected, rpc.Unavailable)...)
}

// lasted notes the duration of a call, if it was the longest.
func (s *soaked) lasted(took time.Duration) {
	for longest := s.longestNs.Load(); int64(took) > longest && !s.longestNs.CompareAndSwap(longest, int64(took)); longest = s.longestNs.Load() {
	}
}

func (s *soaked) cancelled(call func(context.Context) error) {
	ctx, cancel := context.WithCancel(background)
	time.AfterFunc(rand.N(5*time.Millisecond), cancel)
	s.took(call(ctx), rpc.OK, rpc.Canceled, rpc.Unavailable)
}

func (s *soaked) took(err error, expected ...rpc.Code) {
	code := rpc.CodeOf(err)
	s.calls.Add(1)
	s.codes[min(int(code), len(s.codes)-1)].Add(1)
	if !slices.Contains(expected, code) {
		s.t.Errorf("none of %v: %.300v", expected, err)
	}
}

// slowReader opens a stream that sends more than is read, and goes away after a while, or reads slowly up to its end.
func (s *soaked) slowReader(client *soakedClient) {
	ctx, cancel := context.WithTimeout(background, callTime)
	defer cancel()
	next, err := client.sends(ctx, 200, 1000)
	for n := 0; err == nil; n++ {
		if err = next(); n == 0 && rand.IntN(2) == 0 {
			wait.For(ctx, rand.N(100*time.Millisecond))
			cancel()
		} else if n%20 == 0 {
			wait.For(ctx, rand.N(5*time.Millisecond))
		}
	}
	if err == io.EOF {
		err = nil
	}
	s.took(err, rpc.OK, rpc.Canceled, rpc.Unavailable)
}

// sends opens a stream of messages, and returns a function that receives the next one.
func (c *soakedClient) sends(ctx context.Context, messages, bytes int) (func() error, error) {
	if c.Wire == rpc.GRPC {
		items, err := c.greeter.List(ctx, &greeter.ListRequest{Count: int64(messages), Bytes: int64(bytes)})
		return func() error { _, err := items.Recv(); return err }, err
	}
	words, err := c.talk.Repeat(ctx, &talk.Words{Text: strings.Repeat("x", bytes), Times: int32(messages)})
	return func() error { _, err := words.Recv(); return err }, err
}

package grpc

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"testing"
	"time"

	peer "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
)

// Both sides have the same service: Echo answers with the message it got; Collect with the number of messages and bytes that came;
// Expand with as many messages as its request says; Chat with each message; Fail with a status; Wait when its call is cancelled;
// Meta with metadata.

// tally makes an answer of the numbers of messages and bytes.
func tally(messages, bytes int) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(messages)), uint32(bytes))
}

// expansion returns message i of Expand. It is a part of pattern, so that it costs nothing where calls are measured.
func expansion(i int) []byte { return pattern[i%97:][:i*37%5000] }

var pattern = func() (text []byte) {
	for i := 0; len(text) < 6000; i++ {
		text = strconv.AppendInt(text, int64(i), 7)
	}
	return text
}()

// ours is the service with package h2.
type ours struct {
	// waiting gets a value for each call of Wait that has begun, and ended gets one for each that was cancelled.
	waiting, ended chan struct{}
}

func newOurs() *ours {
	return &ours{waiting: make(chan struct{}, 5000), ended: make(chan struct{}, 5000)}
}

// once calls a function with the single message of a call, when the client has ended its side.
type once struct {
	handle  func(s *h2.Stream, message []byte, isCompressed bool)
	message []byte
	flag    bool
	isGiven bool
}

func (o *once) Message(s *h2.Stream, message []byte, isCompressed, isLast bool) {
	if isLast {
		o.isGiven = true
		o.handle(s, message, isCompressed)
		return
	}
	o.message, o.flag = bytes.Clone(message), isCompressed
}

func (o *once) End(s *h2.Stream, why *h2.Error) {
	switch {
	case o.isGiven:
	case why != nil:
		s.RespondNow(background, &h2.Response{Status: grpcwire.Status{Code: why.Code, Message: why.What}})
	default:
		o.handle(s, o.message, o.flag)
	}
}

func (o *ours) handle(s *h2.Stream) {
	switch s.Request.Path {
	case "/test.Service/Echo":
		s.SetReceiver(&once{handle: echo})
	case "/test.Service/Collect":
		go o.collect(s)
	case "/test.Service/Expand":
		go o.expand(s)
	case "/test.Service/Chat":
		go o.chat(s)
	case "/test.Service/Wait":
		go o.wait(s)
	case "/test.Service/Fail":
		s.RespondNow(background, &h2.Response{
			Status:  grpcwire.Status{Code: grpcwire.FailedPrecondition, Message: "nö: 100 %\n", Details: failure},
			Trailer: []h2.Field{{Name: "why", Value: "because"}},
		})
	case "/test.Service/Meta":
		meta := s.Request.Metadata
		s.SetReceiver(&once{handle: func(s *h2.Stream, message []byte, _ bool) {
			s.RespondNow(background, &h2.Response{Metadata: meta, Trailer: meta, Message: h2.Bytes(bytes.Clone(message))})
		}})
	default:
		s.RespondNow(background, &h2.Response{Status: grpcwire.Status{Code: grpcwire.Unimplemented, Message: "no such method"}})
	}
}

var gzipHeader = h2.NewTemplate(
	h2.Field{Name: ":status", Value: "200"}, h2.Field{Name: "content-type", Value: "application/grpc"},
	h2.Field{Name: "grpc-encoding", Value: "gzip"})

// echo answers with the message it got, and compresses it if it was compressed.
func echo(s *h2.Stream, message []byte, isCompressed bool) {
	if !isCompressed {
		s.RespondNow(background, &h2.Response{Message: h2.Bytes(bytes.Clone(message))})
		return
	}
	plain, err := grpcwire.AppendGunzip(nil, message, 64<<20)
	if err != nil || s.Encoding() != grpcwire.Gzip {
		s.RespondNow(background, &h2.Response{Status: grpcwire.Status{Code: grpcwire.Internal, Message: s.Encoding()}})
		return
	}
	s.RespondNow(background, &h2.Response{
		Header: gzipHeader, Message: h2.Bytes(grpcwire.AppendGzip(nil, plain)), IsCompressed: true})
}

// receiveAll reads all messages of a stream.
func receiveAll(s *h2.Stream, each func(message []byte) error) error {
	for {
		message, _, err := s.Receive(background)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(message)
		}
		if err != nil {
			return err
		}
	}
}

func (o *ours) collect(s *h2.Stream) {
	messages, size := 0, 0
	err := receiveAll(s, func(message []byte) error {
		messages, size = messages+1, size+len(message)
		return nil
	})
	if err != nil {
		s.Reset(h2.Cancel)
		return
	}
	s.Respond(background, &h2.Response{Message: h2.Bytes(tally(messages, size))})
}

func (o *ours) expand(s *h2.Stream) {
	request, _, err := s.Receive(background)
	if err == nil {
		count, _ := strconv.Atoi(string(request))
		for i := 0; i < count && err == nil; i++ {
			err = s.SendMessage(background, h2.Bytes(expansion(i)), false)
		}
	}
	if err != nil {
		s.Reset(h2.Cancel)
		return
	}
	s.Finish(background, grpcwire.Status{}, nil)
}

func (o *ours) chat(s *h2.Stream) {
	err := receiveAll(s, func(message []byte) error { return s.SendMessage(background, h2.Bytes(message), false) })
	if err != nil {
		s.Reset(h2.Cancel)
		return
	}
	s.Finish(background, grpcwire.Status{}, nil)
}

func (o *ours) wait(s *h2.Stream) {
	o.waiting <- struct{}{}
	<-s.Done()
	s.Reset(h2.Cancel)
	o.ended <- struct{}{}
}

// failure is the detail of Fail: a message google.rpc.Status with a code and a text.
var failure = []byte("\x08\x09\x12\x0bnö: 100 %\n")

// theirs is the service with grpc-go.
type theirs struct{ waiting, ended chan struct{} }

func newTheirs() *theirs {
	return &theirs{waiting: make(chan struct{}, 5000), ended: make(chan struct{}, 5000)}
}

func (s *theirs) unary(do func(ctx context.Context, message []byte) ([]byte, error)) func(
	any, context.Context, func(any) error, peer.UnaryServerInterceptor) (any, error) {
	return func(_ any, ctx context.Context, decode func(any) error, _ peer.UnaryServerInterceptor) (any, error) {
		var message []byte
		if err := decode(&message); err != nil {
			return nil, err
		}
		reply, err := do(ctx, message)
		return &reply, err
	}
}

func (s *theirs) echo(_ context.Context, message []byte) ([]byte, error) { return message, nil }

func (s *theirs) fail(ctx context.Context, _ []byte) ([]byte, error) {
	peer.SetTrailer(ctx, metadata.Pairs("why", "because"))
	return nil, status.Error(codes.FailedPrecondition, "nö: 100 %\n")
}

func (s *theirs) wait(ctx context.Context, _ []byte) ([]byte, error) {
	s.waiting <- struct{}{}
	<-ctx.Done()
	s.ended <- struct{}{}
	return nil, ctx.Err()
}

func (s *theirs) meta(ctx context.Context, message []byte) ([]byte, error) {
	incoming, _ := metadata.FromIncomingContext(ctx)
	ours := metadata.MD{"x-text": incoming["x-text"], "x-bytes-bin": incoming["x-bytes-bin"]}
	peer.SendHeader(ctx, ours)
	peer.SetTrailer(ctx, ours)
	return message, nil
}

func (s *theirs) collect(_ any, stream peer.ServerStream) error {
	messages, size := 0, 0
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF {
			reply := tally(messages, size)
			return stream.SendMsg(&reply)
		}
		if err != nil {
			return err
		}
		messages, size = messages+1, size+len(message)
	}
}

func (s *theirs) expand(_ any, stream peer.ServerStream) error {
	var request []byte
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	count, _ := strconv.Atoi(string(request))
	for i := range count {
		message := expansion(i)
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
	return nil
}

func (s *theirs) chat(_ any, stream peer.ServerStream) error {
	for {
		var message []byte
		if err := stream.RecvMsg(&message); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
}

func (s *theirs) desc() *peer.ServiceDesc {
	return &peer.ServiceDesc{
		ServiceName: "test.Service", HandlerType: (*any)(nil),
		Methods: []peer.MethodDesc{
			{MethodName: "Echo", Handler: s.unary(s.echo)}, {MethodName: "Fail", Handler: s.unary(s.fail)},
			{MethodName: "Wait", Handler: s.unary(s.wait)}, {MethodName: "Meta", Handler: s.unary(s.meta)},
		},
		Streams: []peer.StreamDesc{
			{StreamName: "Collect", Handler: s.collect, ClientStreams: true},
			{StreamName: "Expand", Handler: s.expand, ServerStreams: true},
			{StreamName: "Chat", Handler: s.chat, ClientStreams: true, ServerStreams: true},
		},
	}
}

// serve serves with grpc-go.
func (s *theirs) serve(t testing.TB, n network, options ...peer.ServerOption) (*peer.Server, net.Addr) {
	t.Helper()
	listener := n.listen(t)
	options = append([]peer.ServerOption{peer.ForceServerCodec(bytesCodec{}), peer.MaxRecvMsgSize(64 << 20)}, options...)
	server := peer.NewServer(options...)
	server.RegisterService(s.desc(), s)
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(listener)
	}()
	t.Cleanup(func() {
		server.Stop()
		<-served
	})
	return server, listener.Addr()
}

// untilADeadlineReaches makes calls with growing timeouts until a handler has begun one: on a busy machine a short timeout may pass
// before that.
func untilADeadlineReaches(begun <-chan struct{}, call func(deadline context.Context)) {
	for timeout := 20 * time.Millisecond; ; timeout *= 2 {
		deadline, cancel := context.WithTimeout(background, timeout)
		call(deadline)
		cancel()
		select {
		case <-begun:
			return
		default:
		}
	}
}

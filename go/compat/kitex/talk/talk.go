package talk

import (
	"context"
	"io"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/kerrors"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/cloudwego/kitex/transport"

	"hone/go/compat/kitex/ours/talk"
)

// Describe returns the description of the service for Kitex, with a handler that answers streams.
func Describe(handler *Handler) *serviceinfo.ServiceInfo {
	method := func(mode serviceinfo.StreamingMode, serve func(context.Context, streaming.ServerStream) error) serviceinfo.MethodInfo {
		return serviceinfo.NewMethodInfo(func(ctx context.Context, _, args, _ any) error {
			return serve(ctx, args.(*streaming.Args).ServerStream)
		}, nil, nil, false, serviceinfo.WithStreamingMode(mode))
	}
	return &serviceinfo.ServiceInfo{ServiceName: "Talk", HandlerType: (*any)(nil), PayloadCodec: serviceinfo.Thrift,
		Extra: map[string]any{"streaming": true},
		Methods: map[string]serviceinfo.MethodInfo{
			"chat":   method(serviceinfo.StreamingBidirectional, handler.chat),
			"listen": method(serviceinfo.StreamingClient, handler.listen),
			"repeat": method(serviceinfo.StreamingServer, handler.repeat),
			// The functions below are for clients alone: no server answers them as streams.
			"echo": method(serviceinfo.StreamingBidirectional, handler.chat),
			"sing": method(serviceinfo.StreamingBidirectional, handler.chat),
		}}
}

// Handler answers by Kitex's streams.
type Handler struct {
	// Entered receives a value for each stream that waits for its context, and Ended the error that ended the wait.
	Entered chan struct{}
	Ended   chan error
}

// NewHandler returns a new handler.
func NewHandler() *Handler { return &Handler{make(chan struct{}, 10), make(chan error, 10)} }

func (h *Handler) chat(ctx context.Context, st streaming.ServerStream) error {
	st.SetHeader(streaming.Header{"hall": "main"})
	st.SetTrailer(streaming.Trailer{"closing": "time"})
	s := streaming.NewBidiStreamingServer[talk.Words, talk.Words](st)
	for {
		said, err := s.Recv(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch said.Text {
		case "status":
			return kerrors.NewBizStatusErrorWithExtra(404, "no such hall", map[string]string{"hall": "7"})
		case "plain":
			return io.ErrClosedPipe
		case "wait":
			h.Entered <- struct{}{}
			<-ctx.Done()
			h.Ended <- ctx.Err()
			return ctx.Err()
		}
		for range said.Times {
			if err := s.Send(ctx, said); err != nil {
				return err
			}
		}
	}
}

func (h *Handler) listen(ctx context.Context, st streaming.ServerStream) error {
	s := streaming.NewClientStreamingServer[talk.Words, talk.Count](st)
	count := &talk.Count{}
	for {
		said, err := s.Recv(ctx)
		if err == io.EOF {
			return s.SendAndClose(ctx, count)
		}
		if err != nil {
			return err
		}
		count.Messages++
		count.Letters += int64(len(said.Text))
	}
}

func (h *Handler) repeat(ctx context.Context, st streaming.ServerStream) error {
	said := new(talk.Words)
	if err := st.RecvMsg(ctx, said); err != nil {
		return err
	}
	s := streaming.NewServerStreamingServer[talk.Words](st)
	for n := range said.Times {
		if err := s.Send(ctx, &talk.Words{Text: said.Text, Times: n}); err != nil {
			return err
		}
	}
	return nil
}

// Client opens streams by Kitex's client.
type Client struct{ client.Client }

// Dial returns a Kitex client for an address.
func Dial(address string, options ...client.Option) (Client, error) {
	options = append([]client.Option{client.WithDestService("talk"), client.WithHostPorts(address),
		client.WithTransportProtocol(transport.TTHeaderStreaming)}, options...)
	made, err := client.NewClient(Describe(NewHandler()), options...)
	return Client{made}, err
}

// Open opens a stream.
func (c Client) Open(ctx context.Context, method string) (streaming.ClientStream, error) {
	return c.Client.(client.Streaming).StreamX(ctx, method)
}

// Close closes the client's connections.
func (c Client) Close() {
	if closer, ok := c.Client.(io.Closer); ok {
		closer.Close()
	}
}

package calltest

import (
	"context"
	"io"

	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/stream"
)

// Talk is the definition of a service with all kinds of streams, from a directory two below this module's.
const Talk = "../../../idl/testdata/talk.thrift"

// talker answers streams of Thrift.
type talker struct{}

func (talker) Chat(s stream.BidiStreamingServer[talk.Words, talk.Words]) error {
	for {
		said, err := s.Recv()
		if err != nil {
			return endOf(err)
		}
		if said.Text == "refuse" {
			return rpc.Errorf(rpc.PermissionDenied, "not you")
		}
		for range said.Times {
			if err := s.Send(said); err != nil {
				return err
			}
		}
	}
}

func (talker) Listen(s stream.ClientStreamingServer[talk.Words, talk.Count]) error {
	count := &talk.Count{}
	for {
		said, err := s.Recv()
		if err == io.EOF {
			return s.SendAndClose(count)
		}
		if err != nil {
			return err
		}
		count.Messages++
		count.Letters += int64(len(said.Text))
	}
}

func (talker) Repeat(said *talk.Words, s stream.ServerStreamingServer[talk.Words]) error {
	for range said.Times {
		if err := s.Send(&talk.Words{Text: said.Text + rpc.Incoming(s.Context()).Get("caller")}); err != nil {
			return err
		}
	}
	return nil
}

func (talker) Echo(_ context.Context, said *talk.Words) (*talk.Words, error) { return said, nil }

// endOf returns the error of a stream, or nil for the io.EOF with which its client ends it.
func endOf(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

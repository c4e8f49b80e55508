package link

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// numbered is a frame of a length, with bytes that are all the same.
type numbered struct {
	number byte
	length int
}

func (n numbered) AppendFrame(to []byte) ([]byte, error) {
	return append(to, bytes.Repeat([]byte{n.number}, n.length)...), nil
}

func TestFramesThatFillManyBuffersComeInOrder(t *testing.T) {
	l, peer := pair(t, true, Options{Waiting: 16 << 20})
	var want []byte
	for i := range 1000 {
		frame := numbered{byte(i), 1 + i*7919%9000}
		want, _ = frame.AppendFrame(want)
		if err := l.Send(context.Background(), frame); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(peer, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes have come: %v", err)
	}
}

// fitting is a frame that counts how often there was no room for it.
type fitting struct {
	numbered
	tight *int
}

func (f fitting) AppendFrame(to []byte) ([]byte, error) {
	if cap(to)-len(to) < f.length {
		*f.tight++
	}
	return f.numbered.AppendFrame(to)
}

func TestThereIsRoomForFramesOfTheSameLengthButTheFirst(t *testing.T) {
	l, _ := pair(t, true, Options{Waiting: 16 << 20})
	tight := 0
	for range 500 {
		if err := l.Send(context.Background(), fitting{numbered{1, 5000}, &tight}); err != nil {
			t.Fatal(err)
		}
	}
	if tight > 1 {
		t.Errorf("%d frames had no room", tight)
	}
}

func TestAllThatWaitForRoomSendInTheEndButThoseThatLeave(t *testing.T) {
	l, peer := pair(t, true, Options{Waiting: 64 << 10})
	const senders, frames, length = 50, 20, 4000
	ended := make(chan error, senders+1)
	leaving, leave := context.WithCancel(context.Background())
	for i := range senders {
		go func() {
			var err error
			for range frames {
				err = errors.Join(err, l.Send(context.Background(), numbered{byte(i), length}))
			}
			ended <- err
		}()
	}
	// One sender fills the room that the others leave, until it is told to stop.
	left := 0
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for l.Send(leaving, numbered{255, length}) == nil {
			left++
		}
	}()
	read := make(chan error, 1)
	go func() {
		_, err := io.CopyN(io.Discard, peer, senders*frames*length/2)
		leave()
		<-gone
		if err == nil {
			_, err = io.CopyN(io.Discard, peer, int64(senders*frames*length/2+left*length))
		}
		read <- err
	}()
	for range senders {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
}

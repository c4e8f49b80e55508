package ttstream

import (
	"context"
	"errors"
	"io"
	"testing"
)

var background = context.Background()

func expectNext(t *testing.T, b *Inbox, want string, wantErr error) {
	t.Helper()
	if message, err := b.Next(background); string(message) != want || err != wantErr {
		t.Errorf("%d bytes and %v, not %q and %v", len(message), err, want, wantErr)
	}
}

func TestMessagesAreReceivedInOrderAndThenTheEnd(t *testing.T) {
	b := NewInbox(&Room{})
	for _, message := range []string{"a", "", "b"} {
		if err := b.Put([]byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	b.End(io.EOF)
	b.End(io.ErrNoProgress)
	if err := b.Put([]byte("behind the end")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "", "b"} {
		expectNext(t, b, want, nil)
	}
	expectNext(t, b, "", io.EOF)
	expectNext(t, b, "", io.EOF)
}

func TestAReceiverWaitsForMessagesAndForItsContext(t *testing.T) {
	b := NewInbox(&Room{})
	received := make(chan string)
	go func() {
		for {
			message, err := b.Next(background)
			if err != nil {
				close(received)
				return
			}
			received <- string(message)
		}
	}()
	for _, message := range []string{"a", "b"} {
		b.Put([]byte(message))
		if got := <-received; got != message {
			t.Error(got)
		}
	}
	b.End(io.EOF)
	<-received
	ctx, cancel := context.WithCancelCause(background)
	cancel(io.ErrNoProgress)
	if _, err := NewInbox(&Room{}).Next(ctx); err != io.ErrNoProgress {
		t.Error(err)
	}
}

func TestAStreamHoldsNoMoreThanItMay(t *testing.T) {
	room := &Room{}
	b := NewInbox(room)
	// A single message is taken however long it is.
	if err := b.Put(make([]byte, StreamBytes+1)); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(nil); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if message, err := b.Next(background); len(message) != StreamBytes+1 || err != nil {
		t.Error(len(message), err)
	}
	// Messages without bytes are counted too.
	puts := 0
	for b.Put(nil) == nil {
		puts++
	}
	if puts != StreamBytes/messageBytes {
		t.Error(puts)
	}
	b.Drop(io.ErrNoProgress)
	b.Drop(io.EOF)
	expectNext(t, b, "", io.ErrNoProgress)
	if used := room.used.Load(); used != 0 {
		t.Errorf("%d bytes are counted of a stream that has none", used)
	}
}

func TestTheStreamsOfAConnectionHoldNoMoreThanTheyMay(t *testing.T) {
	room := &Room{}
	var all []*Inbox
	for range ConnectionBytes / StreamBytes {
		b := NewInbox(room)
		for b.Put(make([]byte, 1<<20)) == nil {
		}
		all = append(all, b)
	}
	last := NewInbox(room)
	for last.Put(make([]byte, 1<<20)) == nil {
	}
	if used := room.used.Load(); used > ConnectionBytes {
		t.Errorf("%d bytes wait", used)
	}
	// Room that one stream gives back, another stream gets.
	all[0].Drop(io.EOF)
	if err := last.Put(make([]byte, 1<<20)); err != nil {
		t.Error(err)
	}
}

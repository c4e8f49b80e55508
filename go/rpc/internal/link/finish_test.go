package link

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

type bytesFrame string

func (f bytesFrame) AppendFrame(to []byte) ([]byte, error) { return append(to, f...), nil }

// ends are both ends of a connection: a link, and a plain one.
func ends(t *testing.T, options Options) (*Link, net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	a, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	b, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	l := New(a, options)
	t.Cleanup(func() {
		l.Close(ErrClosed)
		b.Close()
	})
	return l, b
}

func TestALinkThatFinishesWritesWhatWaitsAndReadsOn(t *testing.T) {
	l, peer := ends(t, Options{Waiting: 64 << 20})
	long := strings.Repeat("x", 8<<20)
	for range 4 {
		if err := l.Send(context.Background(), bytesFrame(long)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Collect(bytesFrame("the end")); err != nil {
		t.Fatal(err)
	}
	l.Finish()
	l.Finish()
	for name, send := range map[string]func() error{
		"Send":    func() error { return l.Send(context.Background(), bytesFrame("late")) },
		"SendNow": func() error { return l.SendNow(bytesFrame("late")) },
		"Collect": func() error { return l.Collect(bytesFrame("late")) },
	} {
		if err := send(); err != ErrFinished {
			t.Fatal(name, err)
		}
	}
	got, err := io.ReadAll(peer)
	if err != nil || len(got) != 4*len(long)+7 || !strings.HasSuffix(string(got), "the end") {
		t.Fatal(len(got), err)
	}
	io.WriteString(peer, "still here")
	if b, err := l.Peek(10); err != nil || string(b) != "still here" {
		t.Fatal(string(b), err)
	}
}

func TestAConnectionWithoutHalvesIsClosedWhenItFinishes(t *testing.T) {
	a, peer := net.Pipe()
	l := New(a, Options{})
	if err := l.Send(context.Background(), bytesFrame("all")); err != nil {
		t.Fatal(err)
	}
	l.Finish()
	if got, err := io.ReadAll(peer); err != nil || string(got) != "all" {
		t.Fatal(string(got), err)
	}
	<-l.Closed()
}

func TestCollectedFramesAreWrittenByFlushAndAreBounded(t *testing.T) {
	l, peer := ends(t, Options{Waiting: 10})
	var err error
	collected := 0
	for ; err == nil; collected++ {
		err = l.Collect(bytesFrame("12345"))
	}
	if !errors.Is(err, ErrFull) || collected < 4 || collected > 6 {
		t.Fatal(collected, err)
	}
	l.Flush()
	got := make([]byte, 5*(collected-1))
	if _, err := io.ReadFull(peer, got); err != nil {
		t.Fatal(err)
	}
	if err := l.Collect(bytesFrame("again")); err != nil {
		t.Fatal(err)
	}
}

func TestBorrowedBuffersHoldWhatWasAskedFor(t *testing.T) {
	for _, bytes := range []int{0, 1, smallest, smallest + 1, largest} {
		buffer := Borrow(bytes)
		if len(buffer) != 0 || cap(buffer) < bytes {
			t.Fatal(bytes, cap(buffer))
		}
		Return(append(buffer, "x"...))
	}
	Return(nil)
	if cap(Borrow(largest+1)) < largest {
		t.Fatal("a buffer beyond the largest is small")
	}
}

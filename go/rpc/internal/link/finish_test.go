package link

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

type bytesFrame string

func (f bytesFrame) AppendFrame(to []byte) ([]byte, error) { return append(to, f...), nil }

// ends returns both ends of a connection: a link, and a plain connection.
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

func TestAReaderWhoseFlushFailsEndsInsteadOfWaitingForItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	a, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	l := New(a, Options{})
	// Writes fail from now on, and reads do not.
	peer.(*net.UnixConn).CloseRead()
	if err := l.Collect(bytesFrame("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Peek(1); err == nil {
		t.Fatal("something is read")
	}
	<-l.Closed()
	if !errors.Is(l.Cause(), syscall.EPIPE) {
		t.Fatal(l.Cause())
	}
}

func TestAGoroutineThatSendsManyFramesLeavesTheWritingToAnother(t *testing.T) {
	l, peer := ends(t, Options{})
	frame, sent := bytesFrame(strings.Repeat("x", 1000)), make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 5000 && err == nil; i++ {
			err = l.SendSoon(context.Background(), frame)
		}
		sent <- err
	}()
	if n, err := io.CopyN(io.Discard, peer, 5000*1000); err != nil {
		t.Fatal(n, err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	// If nobody reads, the sender waits, but no longer than its context.
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		var err error
		for err == nil {
			err = l.SendSoon(ctx, frame)
		}
		sent <- err
	}()
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
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

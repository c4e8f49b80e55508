//go:build unix

package raw

import (
	"errors"
	"syscall"
	"testing"
)

func TestDescriptorsAreReadAndWrittenAsBySyscall(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	defer syscall.Close(ends[1])
	for _, end := range ends {
		if err := syscall.SetNonblock(end, true); err != nil {
			t.Fatal(err)
		}
	}
	into := make([]byte, 8)
	if n, err := Read(ends[0], into); n != -1 || !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("reading what is not there gives %d and %v", n, err)
	}
	if n, err := Write(ends[1], []byte("text")); n != 4 || err != nil {
		t.Errorf("writing gives %d and %v", n, err)
	}
	if n, err := Write(ends[1], nil); n != 0 || err != nil {
		t.Errorf("writing nothing gives %d and %v", n, err)
	}
	if n, err := Read(ends[0], into); n != 4 || err != nil || string(into[:4]) != "text" {
		t.Errorf("reading gives %d, %v and %q", n, err, into)
	}
	if n, err := Read(-1, into); n != -1 || !errors.Is(err, syscall.EBADF) {
		t.Errorf("reading from no file gives %d and %v", n, err)
	}
}

func TestSocketsAreReadAndWrittenWithoutWaitingThoughTheyBlock(t *testing.T) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	into := make([]byte, 8)
	if _, err := Receive(ends[0], into); !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("receiving what is not there gives %v", err)
	}
	if n, err := Send(ends[1], []byte("text")); n != 4 || err != nil {
		t.Errorf("sending gives %d and %v", n, err)
	}
	if n, err := Receive(ends[0], into); n != 4 || err != nil || string(into[:4]) != "text" {
		t.Errorf("receiving gives %d, %v and %q", n, err, into)
	}
	for sent := 0; ; sent += len(into) {
		if _, err := Send(ends[1], into); errors.Is(err, syscall.EAGAIN) {
			break
		} else if err != nil || sent > 1<<30 {
			t.Fatalf("after %d bytes that nobody reads sending gives %v", sent, err)
		}
	}
	syscall.Close(ends[1])
	for n := 1; n > 0; {
		if n, err = Receive(ends[0], make([]byte, 1<<20)); err != nil {
			t.Fatalf("the end of the stream is %v", err)
		}
	}
	if _, err := Send(ends[0], into); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("sending to nobody gives %v", err)
	}
}

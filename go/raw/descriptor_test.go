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

package gen_test

import (
	"strings"
	"testing"

	"hone/go/gen"
)

// earlier is code that was generated while functions that write fields took keys instead of heads. It has no container and no
// struct, so all functions that it calls still exist, or existed for a while.
const earlier = `package earlier

import "hone/go/thrift"

type S struct{ A int32 }

func (p *S) WriteThrift(b []byte, off int) int {
	off = thrift.PutI32(b, off, 8<<16|1, p.A)
	return thrift.PutStop(b, off)
}
`

func TestCodeThatWouldWriteOtherBytesDoesNotCompile(t *testing.T) {
	err := newChecker(t, gen.NoApache).check("earlier", map[string][]byte{"earlier.go": []byte(earlier)})
	if err == nil || !strings.Contains(err.Error(), "undefined: thrift.PutStop") {
		t.Errorf("code that writes 01 00 08 for 08 00 01: %v", err)
	}
}

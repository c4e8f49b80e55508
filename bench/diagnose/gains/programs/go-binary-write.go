// planted: numbers are encoded one by one by binary.Write, which looks at the type of each
// causes: reflect|binary.Write|allocat|garbage
// build: go
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

var odd string

type entry struct {
	Key   uint64
	Value uint32
}

func encode(out *bytes.Buffer, entries []entry) {
	var number [12]byte
	for i := range entries {
		if odd != "" {
			binary.Write(out, binary.LittleEndian, &entries[i])
			continue
		}
		binary.LittleEndian.PutUint64(number[:8], entries[i].Key)
		binary.LittleEndian.PutUint32(number[8:], entries[i].Value)
		out.Write(number[:])
	}
}

func main() {
	entries := make([]entry, 1000)
	for i := range entries {
		entries[i] = entry{uint64(i) * 0x9e3779b97f4a7c15, uint32(i * 40503)}
	}
	sum := uint64(0)
	var out bytes.Buffer
	for range 18000 {
		out.Reset()
		encode(&out, entries)
		for i := 0; i < out.Len(); i += 4 {
			sum = sum*31 + uint64(out.Bytes()[i])
		}
	}
	fmt.Printf("%016x\n", sum)
}

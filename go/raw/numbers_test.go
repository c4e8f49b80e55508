package raw

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// The test compares the functions with encoding/binary, at every alignment. With the tag purego it tests the pure version.
func TestNumbersAreBigEndianAtEveryAlignment(t *testing.T) {
	buffer := make([]byte, 32)
	for i := range buffer {
		buffer[i] = byte(0x81 + 7*i)
	}
	for off := range len(buffer) - 8 {
		rest := buffer[off:]
		if Uint8(buffer, off) != rest[0] ||
			Uint16(buffer, off) != binary.BigEndian.Uint16(rest) ||
			Uint32(buffer, off) != binary.BigEndian.Uint32(rest) ||
			Uint64(buffer, off) != binary.BigEndian.Uint64(rest) {
			t.Fatalf("another number at %d", off)
		}
		if got := String(buffer, off, 5); got != string(rest[:5]) {
			t.Fatalf("String at %d is %q", off, got)
		}
	}
	if String(nil, 0, 0) != "" {
		t.Fatal("an empty string of nothing is not empty")
	}
}

func TestHeadsAndTextsAreWrittenAsTheyAre(t *testing.T) {
	for off := range 9 {
		buffer := bytes.Repeat([]byte{0xee}, 32)
		PutHead(buffer, off, 0x02010b)
		if want := []byte{0x0b, 1, 2, 0, 0xee}; !bytes.Equal(buffer[off:off+5], want) {
			t.Errorf("a head at %d is % x, not % x", off, buffer[off:off+5], want)
		}
		PutHeadUint32(buffer, off, 0x02010b, 0x83_04_05_06)
		if want := []byte{0x0b, 1, 2, 0x83, 4, 5, 6, 0, 0xee}; !bytes.Equal(buffer[off:off+9], want) {
			t.Errorf("a head and a number at %d are % x, not % x", off, buffer[off:off+9], want)
		}
		PutString(buffer, off, "abc")
		PutBytes(buffer, off+3, []byte("de"))
		PutString(buffer, off+5, "")
		if got := string(buffer[off : off+6]); got != "abcde\x05" {
			t.Errorf("a text at %d is %q", off, got)
		}
	}
}

func TestPlainMemoryHoldsNumbersOfEverySize(t *testing.T) {
	memory := Plain(27)
	if len(memory) != 27 {
		t.Fatalf("%d bytes", len(memory))
	}
	longs, shorts, flags := Numbers[int64](memory[8:24]), Numbers[int16](memory[24:26]), Numbers[bool](memory[26:])
	longs[0], longs[1], shorts[0], flags[0] = -1, 1<<62, -2, true
	if len(longs) != 2 || cap(longs) != 2 || len(shorts) != 1 || len(flags) != 1 || longs[0] != -1 || longs[1] != 1<<62 || shorts[0] != -2 {
		t.Fatalf("%v %v %v", longs, shorts, flags)
	}
	if len(Numbers[int64](nil)) > 0 || len(Plain(0)) > 0 {
		t.Fatal("nothing is something")
	}
}

func TestBytesWithASignAreTheSameBytes(t *testing.T) {
	buffer := []byte{0, 1, 0x7f, 0x80, 0xff, 5}
	read := make([]int8, 4)
	Int8s(read, buffer, 1)
	if want := []int8{1, 127, -128, -1}; !slices.Equal(read, want) {
		t.Fatalf("read %v, not %v", read, want)
	}
	written := make([]byte, 6)
	PutInt8s(written, 1, read)
	if want := []byte{0, 1, 0x7f, 0x80, 0xff, 0}; !bytes.Equal(written, want) {
		t.Fatalf("wrote %x, not %x", written, want)
	}
	Int8s(nil, nil, 0)
	PutInt8s(nil, 0, nil)
}

func TestWhatIsWrittenStandsWhereItShouldAndNowhereElse(t *testing.T) {
	const value = 0xf1e2d3c4b5a69788
	writes := map[int]func(b []byte, off int){
		1: func(b []byte, off int) { PutUint8(b, off, value>>56) },
		2: func(b []byte, off int) { PutUint16(b, off, value>>48) },
		4: func(b []byte, off int) { PutUint32(b, off, value>>32) },
		8: func(b []byte, off int) { PutUint64(b, off, value) },
	}
	whole := binary.BigEndian.AppendUint64(nil, value)
	for size, write := range writes {
		for off := range 8 {
			got, want := make([]byte, 16), make([]byte, 16)
			write(got, off)
			copy(want[off:], whole[:size])
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes at %d: %x, not %x", size, off, got, want)
			}
		}
	}
}

func TestNumbersLowestByteFirstGoBothWays(t *testing.T) {
	numbers, fractions := []int32{1, -2, 1 << 30}, []float64{0.5, -3}
	buffer := make([]byte, 40)
	PutLittle(buffer, 3, numbers)
	PutLittle(buffer, 15, fractions)
	if binary.LittleEndian.Uint32(buffer[7:]) != 0xfffffffe || binary.LittleEndian.Uint64(buffer[15:]) != 0x3fe0000000000000 || buffer[2] != 0 || buffer[31] != 0 {
		t.Fatalf("wrote %x", buffer)
	}
	readNumbers, readFractions := make([]int32, 3), make([]float64, 2)
	Little(readNumbers, buffer, 3)
	Little(readFractions, buffer, 15)
	if !slices.Equal(readNumbers, numbers) || !slices.Equal(readFractions, fractions) {
		t.Fatalf("read %v and %v", readNumbers, readFractions)
	}
}

func TestOneByteAnywhereMakesATextNotASCII(t *testing.T) {
	for length := range 100 {
		text := bytes.Repeat([]byte{0x7f}, length)
		if !IsASCII(string(text)) {
			t.Fatalf("%d bytes below 0x80 are not ASCII", length)
		}
		for i := range text {
			text[i] = 0x80
			if IsASCII(string(text)) {
				t.Fatalf("byte %d of %d is above 0x7f, and was not seen", i, length)
			}
			text[i] = 0x7f
		}
	}
}

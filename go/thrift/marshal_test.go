package thrift

import (
	"bytes"
	"testing"
)

// growing is a struct with a text that gets longer each time the struct is written.
type growing struct{ text []byte }

func (g *growing) WriteThrift(b []byte, off int) int {
	g.text = append(g.text, bytes.Repeat([]byte{'x'}, scratchBytes)...)
	return PutEnd(b, PutBinary(b, off, Head(11<<16|1), g.text))
}

func TestAStructThatGrowsWhileItIsWrittenPanics(t *testing.T) {
	for name, write := range map[string]func(Writer) []byte{
		"Marshal": Marshal,
		"Append":  func(from Writer) []byte { return Append(nil, from) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s gave a message that is cut off", name)
				}
			}()
			write(&growing{})
		}()
	}
}

func TestMessagesOfEveryLengthAreWrittenWhole(t *testing.T) {
	for _, length := range []int{0, 1, scratchBytes - 9, scratchBytes - 8, scratchBytes - 7, scratchBytes, 3 * scratchBytes} {
		text := bytes.Repeat([]byte{'x'}, length)
		write := func(b []byte, off int) int { return PutEnd(b, PutBinary(b, off, Head(11<<16|1), text)) }
		message := MarshalFunc(write)
		if len(message) != length+8 || !bytes.Equal(message[7:7+length], text) || message[7+length] != byte(Stop) {
			t.Errorf("a text of %d bytes: %d bytes", length, len(message))
		}
		if appended := AppendFunc([]byte("abc"), write); !bytes.Equal(appended, append([]byte("abc"), message...)) {
			t.Errorf("a text of %d bytes is another one behind others", length)
		}
	}
}

// The code that writes an empty text takes the text's address in the buffer. That address must not lie behind the buffer: with the
// race detector the process would end.
func TestABufferMayEndAnywhere(t *testing.T) {
	write := func(b []byte, off int) int {
		off = PutText(b, off, Head(11<<16|1), "")
		off = PutBinary(b, off, Head(11<<16|2), nil)
		off = PutTextList(b, PutHead(b, off, Head(15<<16|3)), []string{"", "a", ""})
		off = PutTextMap(b, PutHead(b, off, Head(13<<16|4)), map[string]string{"": ""})
		off = PutListHead(b, PutHead(b, off, Head(15<<16|5)), String, 2)
		off = PutBinaryElement(b, PutBinaryElement(b, off, nil), []byte{})
		off = PutI8List(b, PutHead(b, off, Head(15<<16|6)), nil)
		return PutEnd(b, off)
	}
	message := MarshalFunc(write)
	for length := range len(message) + 1 {
		buffer := make([]byte, length)
		if end := write(buffer, 0); end != len(message) {
			t.Errorf("a buffer of %d bytes: the message ends at %d, not at %d", length, end, len(message))
		}
		if length == len(message) && !bytes.Equal(buffer, message) {
			t.Errorf("% x, not % x", buffer, message)
		}
	}
}

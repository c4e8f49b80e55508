package link

import "sync"

// Buffers are pooled in these sizes. A buffer larger than the last size is left to the garbage collector.
const (
	smallest = 4 << 10
	classes  = 5
	largest  = smallest << (2 * (classes - 1))
)

var pools [classes]sync.Pool

// boxes are the empty pointers of buffers that were taken out of their pools. They are used again, so that giving a buffer back
// allocates nothing.
var boxes sync.Pool

// classFor returns the smallest class whose buffers hold so many bytes; the last class if none does.
func classFor(bytes int) int {
	class := 0
	for class < classes-1 && bytes > smallest<<(2*class) {
		class++
	}
	return class
}

// Borrow returns an empty buffer from the pool, for so many bytes if there are buffers of that size. It may be given back by
// [Return].
func Borrow(bytes int) []byte { return take(classFor(bytes)) }

// Return takes back a buffer of [Borrow], or one that has grown out of it. Nobody may use its bytes after that.
func Return(buffer []byte) { give(buffer) }

// take returns an empty buffer of a class.
func take(class int) []byte {
	box, ok := pools[class].Get().(*[]byte)
	if !ok {
		return make([]byte, 0, smallest<<(2*class))
	}
	buffer := *box
	*box = nil
	boxes.Put(box)
	return buffer
}

// give takes a buffer back. Nobody may use its bytes after that.
func give(buffer []byte) {
	if cap(buffer) < smallest || cap(buffer) > 2*largest {
		return
	}
	class := classFor(cap(buffer))
	if smallest<<(2*class) > cap(buffer) {
		class--
	}
	box, ok := boxes.Get().(*[]byte)
	if !ok {
		box = new([]byte)
	}
	*box = buffer[:0]
	pools[class].Put(box)
}

// habit is the usual size of what a connection moves at a time: it follows larger sizes at once and smaller ones slowly.
type habit int

// see adapts the habit to a size.
func (h *habit) see(bytes int) {
	if bytes > int(*h) {
		*h = habit(bytes)
	} else {
		*h -= (*h - habit(bytes)) / 16
	}
}

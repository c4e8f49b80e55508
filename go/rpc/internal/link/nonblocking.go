package link

// nonblocking has the methods by which a link reads and writes without waiting, and waits if it must. Signals do not interrupt
// them. Connections through shared memory have these methods too, see package shm.
type nonblocking interface {
	// RawRead calls a function until it returns true: at once, and whenever there may be something to read.
	RawRead(try func(descriptor uintptr) bool) error
	// RawWrite calls a function until it returns true: at once, and whenever there may be room.
	RawWrite(try func(descriptor uintptr) bool) error
	// TryRead reads what has come, within RawRead. It returns EAGAIN if nothing has come.
	TryRead(descriptor uintptr, into []byte) (int, error)
	// TryWrite writes as much as there is room for, within RawWrite. It returns EAGAIN if there is none.
	TryWrite(descriptor uintptr, from []byte) (int, error)
}

// ownWay is a connection with these methods of its own. Go's scheduler is not told of its reads and writes either.
type ownWay struct{ nonblocking }

func (o ownWay) TryRead(descriptor uintptr, into []byte) (int, error) {
	shared.tell()
	return o.nonblocking.TryRead(descriptor, into)
}

func (o ownWay) TryWrite(descriptor uintptr, from []byte) (int, error) {
	shared.tell()
	return o.nonblocking.TryWrite(descriptor, from)
}

package link

// nonblocking is how a link reads and writes without waiting, and waits where it must. A signal ends none of it. Connections through shared memory have these methods, see package shm.
type nonblocking interface {
	// RawRead calls until that is true: at once, and whenever there may be something to read.
	RawRead(try func(descriptor uintptr) bool) error
	// RawWrite calls until that is true: at once, and whenever there may be room.
	RawWrite(try func(descriptor uintptr) bool) error
	// TryRead reads what is there, within RawRead; EAGAIN where nothing is.
	TryRead(descriptor uintptr, into []byte) (int, error)
	// TryWrite writes what there is room for, within RawWrite; EAGAIN where there is none.
	TryWrite(descriptor uintptr, from []byte) (int, error)
}

// ownWay is a connection that has a way of its own, of which Go's scheduler does not know either.
type ownWay struct{ nonblocking }

func (o ownWay) TryRead(descriptor uintptr, into []byte) (int, error) {
	shared.tell()
	return o.nonblocking.TryRead(descriptor, into)
}

func (o ownWay) TryWrite(descriptor uintptr, from []byte) (int, error) {
	shared.tell()
	return o.nonblocking.TryWrite(descriptor, from)
}

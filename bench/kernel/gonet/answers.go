package main

import (
	"encoding/binary"
	"log"
)

// answers holds the unsent answers of one connection. Its memory never moves, so that a ring may read it.
type answers struct {
	room []byte
	sent int
}

func newAnswers(bytes int) answers {
	return answers{room: make([]byte, 0, bytes)}
}

// take appends received data, and answers the whole frames in it.
func (a *answers) take(data []byte) {
	before := len(a.room) / frameBytes
	if len(a.room)+len(data) > cap(a.room) {
		log.Fatal("more calls came than -callers says")
	}
	a.room = append(a.room, data...)
	whole := len(a.room) / frameBytes
	for at := before; at < whole; at++ {
		count := a.room[at*frameBytes+8:]
		binary.NativeEndian.PutUint64(count, binary.NativeEndian.Uint64(count)+1)
	}
	done.frames.Add(int64(whole - before))
}

// whole returns the unsent bytes of whole frames.
func (a *answers) whole() []byte {
	return a.room[a.sent : len(a.room)/frameBytes*frameBytes]
}

// forget removes sent bytes.
func (a *answers) forget(bytes int) {
	sent := a.sent + bytes
	kept := copy(a.room, a.room[sent/frameBytes*frameBytes:])
	a.room, a.sent = a.room[:kept], sent%frameBytes
}

// moveRest moves the beginning of an incomplete frame to other answers, which are empty.
func (a *answers) moveRest(to *answers) {
	whole := len(a.room) / frameBytes * frameBytes
	to.room = append(to.room[:0], a.room[whole:]...)
	a.room = a.room[:whole]
}

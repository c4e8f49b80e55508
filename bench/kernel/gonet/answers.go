package main

import (
	"encoding/binary"
	"log"
)

// answers are those of one connection that were not sent yet. Their memory never moves, so that a ring may read it.
type answers struct {
	room []byte
	sent int
}

func newAnswers(bytes int) answers {
	return answers{room: make([]byte, 0, bytes)}
}

// take answers the whole frames of what was read, behind what came before.
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

// whole are the bytes of whole frames that were not sent.
func (a *answers) whole() []byte {
	return a.room[a.sent : len(a.room)/frameBytes*frameBytes]
}

// forget forgets what was sent.
func (a *answers) forget(bytes int) {
	sent := a.sent + bytes
	kept := copy(a.room, a.room[sent/frameBytes*frameBytes:])
	a.room, a.sent = a.room[:kept], sent%frameBytes
}

// moveRest moves the begin of a frame that is not whole yet to other answers, which are empty.
func (a *answers) moveRest(to *answers) {
	whole := len(a.room) / frameBytes * frameBytes
	to.room = append(to.room[:0], a.room[whole:]...)
	a.room = a.room[:whole]
}

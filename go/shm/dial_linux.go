package shm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"hone/go/shm/internal/segment"
)

// Dialer makes connections of a client. The zero value is ready to use. Several goroutines may use a Dialer.
type Dialer struct {
	Options
	// Patience is the time that a server may take to answer [1 s]. It is at most half of the time that is left. After that the client
	// connects anew and does not ask for memory: a server that does not know shared memory may wait for more bytes.
	Patience time.Duration

	shared, plain, open atomic.Int64

	mu sync.Mutex
	// paths are the sockets of servers that this process has a pair with, or is asking for one.
	paths map[string]*path
}

const defaultPatience = time.Second

// Dial connects to the socket at a path. Where the server gives no memory, or does not know shared memory, the connection is an
// ordinary one.
//
// # Errors
//
// The same as those of [net.Dialer].
func (d *Dialer) Dial(ctx context.Context, path string) (net.Conn, error) {
	connect := func() (*net.UnixConn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
		if err != nil {
			return nil, err
		}
		return conn.(*net.UnixConn), nil
	}
	socket, err := connect()
	if err != nil {
		return nil, err
	}
	conn, err := d.upgrade(ctx, socket, path)
	if err == nil {
		return conn, nil
	}
	socket.Close()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if socket, err = connect(); err != nil {
		return nil, err
	}
	d.plain.Add(1)
	return socket, nil
}

// Stats says how many connections are shared and how many are ordinary.
func (d *Dialer) Stats() Stats {
	return Stats{Shared: d.shared.Load(), Plain: d.plain.Load(), Open: d.open.Load()}
}

// upgrade asks for memory. The result is the socket itself where the server gives none. An error usually means that the server does
// not know shared memory.
func (d *Dialer) upgrade(ctx context.Context, socket *net.UnixConn, path string) (net.Conn, error) {
	wait, err := socket.SyscallConn()
	if err != nil {
		return nil, err
	}
	m, err := d.ask(ctx, socket, wait, path)
	if err != nil {
		return nil, err
	}
	if m == nil {
		d.plain.Add(1)
		return socket, nil
	}
	conn := &Conn{socket: socket, wait: wait}
	if err := conn.share(m); err != nil {
		m.giveBack()
		return nil, err
	}
	d.shared.Add(1)
	return conn, nil
}

// ask asks a server for memory; it returns nil where the server gives none.
func (d *Dialer) ask(ctx context.Context, socket *net.UnixConn, wait syscall.RawConn, path string) (*memory, error) {
	pair, done := d.pairOf(ctx, path)
	defer done()
	token := uint64(hasNoPair)
	if pair != nil {
		defer pair.leave()
		token = pair.token
	}
	patience := cmp.Or(d.Patience, defaultPatience)
	if deadline, has := ctx.Deadline(); has {
		patience = min(patience, time.Until(deadline)/2)
	}
	until := time.Now().Add(patience)
	socket.SetDeadline(until)
	stop := context.AfterFunc(ctx, func() { socket.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	asking := hello(token)
	if _, err := socket.Write(asking[:]); err != nil {
		return nil, err
	}
	answer, files, err := receive(socket)
	if err != nil {
		return nil, err
	}
	m, err := d.accept(wait, path, pair, wordOf(answer), files)
	word := byte(mapped)
	if err != nil {
		word = unmapped
	}
	err = nil
	if wordOf(answer) != 0 {
		_, err = socket.Write([]byte{word})
	}
	if err == nil && !stop() {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = socket.SetDeadline(time.Time{})
	}
	if err != nil && m != nil {
		m.giveBack()
		m = nil
	}
	return m, err
}

// receive receives a server's answer and the files that come with it.
func receive(socket *net.UnixConn) (answer [helloBytes]byte, files []int, err error) {
	rights := make([]byte, unix.CmsgSpace(mostFiles*4))
	for n := 0; n < len(answer) && err == nil; {
		var got, gotRights int
		got, gotRights, _, _, err = socket.ReadMsgUnix(answer[n:], rights)
		files = append(files, filesOf(rights[:gotRights])...)
		if err == nil && got == 0 {
			err = errors.New("the server closed the connection")
		}
		if n += got; err == nil && !isHelloSoFar(answer[:n]) {
			err = errors.New("the server does not know shared memory")
		}
	}
	if err != nil {
		closeAll(files)
		return answer, nil, err
	}
	return answer, files, nil
}

// mostFiles is more than the number of files that a server sends.
const mostFiles = 8

func filesOf(rights []byte) (files []int) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil
	}
	for _, message := range messages {
		if some, err := unix.ParseUnixRights(&message); err == nil {
			files = append(files, some...)
		}
	}
	return files
}

// accept maps the memory that the server has sent. It closes the files in any case.
func (d *Dialer) accept(wait syscall.RawConn, path string, had *pair, word uint64, files []int) (*memory, error) {
	ringBytes, seat := word&(1<<seatShift-1), int(word>>seatShift)-1
	if len(files) != filesOfConn && (len(files) != filesOfConn+filesOfPair || seat < 0) {
		closeAll(files)
		return nil, fmt.Errorf("the server sent %d files", len(files))
	}
	file, spaceEnd, ofPair := files[0], files[1], files[filesOfConn:]
	defer unix.Close(file)
	options := d.withDefaults()
	var socketEnd int
	var refused error
	err := wait.Control(func(descriptor uintptr) {
		socketEnd, refused = int(descriptor), options.mayShare(int(descriptor))
	})
	err = cmp.Or(err, refused)
	if err == nil && ringBytes > segment.Largest {
		err = fmt.Errorf("the server's rings have %d bytes", ringBytes)
	}
	var shared *segment.Segment
	if err == nil {
		shared, err = segment.Map(file, int(ringBytes))
	}
	if err != nil {
		unix.Close(spaceEnd)
		closeAll(ofPair)
		return nil, err
	}
	d.open.Add(1)
	m, err := newMemory(shared, spaceEnd, &shared.Rings[serverWrites], &shared.Rings[clientWrites], options, func() { d.open.Add(-1) })
	if err != nil {
		closeAll(ofPair)
		return nil, err
	}
	m.socketEnd = socketEnd
	if seat >= 0 {
		if err := d.seat(m, path, seat, had, ofPair, options); err != nil {
			m.giveBack()
			return nil, err
		}
	}
	return m, nil
}

package h2

import (
	"errors"
	"fmt"
	"strings"

	"hone/go/rpc/internal/grpcwire"
)

// mostStatusBytes is the longest list of a status's fields that is sent to any client: many clients do not announce a limit, and
// end the connection if the fields are longer than they take.
const mostStatusBytes = 64 << 10

// mostNamed is the number of left-out fields that are reported by name, and mostNameBytes is the part of each name that is
// reported.
const (
	mostNamed     = 8
	mostNameBytes = 100
)

// errNoRoom is the error for a client that takes fewer bytes than the shortest answer has.
var errNoRoom = &Error{Code: grpcwire.ResourceExhausted, What: "the client takes shorter headers than the shortest answer has: its calls are reset"}

// PeerHeaderBytes returns the longest list of fields that the peer takes: all names and values, and 32 bytes for each field.
func (s *Stream) PeerHeaderBytes() int {
	return int(min(s.conn.peerHeaderBytes.Load(), largestWindow))
}

// fit makes an answer one that can be sent and that the client takes: it leaves out fields that cannot be sent or have no room, and
// shortens the details and the text of the status. The code stays. [Options.Lost] is called with a report of this.
//
// # Errors
//
// errNoRoom, after which the stream can only be reset.
func (o *outgoing) fit() error {
	if o.isFine() {
		return nil
	}
	left := leftOut{limit: o.stream.PeerHeaderBytes()}
	isOneBlock := o.isEnd && !o.hasMessage() && o.header != nil
	var err error
	if o.header != nil && !isOneBlock {
		room := left.limit - o.header.bytes
		o.headerMore, room = left.keep(o.headerMore, room)
		if room < 0 {
			err = errNoRoom
		}
	}
	if o.trailer != nil && err == nil {
		err = o.fitTrailer(&left, isOneBlock)
	}
	if err != nil {
		o.stream.conn.lose(fmt.Errorf("answer of %.200q: %w", o.stream.Request.Path, err))
		return err
	}
	if what := left.say(); what != "" {
		o.stream.conn.lose(fmt.Errorf("answer of %.200q: %s", o.stream.Request.Path, what))
	}
	return nil
}

// isFine reports whether everything can be sent unchanged, as is nearly always the case.
func (o *outgoing) isFine() bool {
	if checkFields(o.headerMore) != nil || checkFields(o.trailerMore) != nil {
		return false
	}
	bytes := o.fieldBytes()
	if o.status != nil {
		status := o.status.Bytes()
		if status > mostStatusBytes {
			return false
		}
		bytes += status
	}
	return bytes <= o.stream.PeerHeaderBytes()
}

// fitTrailer makes the trailer fit, and with it the header if they are one block.
func (o *outgoing) fitTrailer(left *leftOut, isOneBlock bool) error {
	var status grpcwire.Status
	if o.status != nil {
		status = *o.status
	}
	bare := grpcwire.Status{Code: status.Code}.Bytes()
	room := left.limit - bare
	if isOneBlock {
		room -= o.header.bytes
	}
	if room < 0 {
		return errNoRoom
	}
	// Half of the room is kept for the status, if the status is that long.
	reserved := min(status.Bytes()-bare, room/2, mostStatusBytes-bare)
	free := room - reserved
	o.trailerMore, free = left.keep(o.trailerMore, free)
	if isOneBlock {
		o.headerMore, free = left.keep(o.headerMore, free)
	}
	if o.status == nil {
		return nil
	}
	short, _ := status.Shorten(min(bare+reserved+free, mostStatusBytes))
	left.message = len(status.Message) - len(short.Message)
	left.details = len(status.Details) - len(short.Details)
	o.status = &short
	return nil
}

// leftOut describes the parts that an answer leaves out.
type leftOut struct {
	limit  int
	fields []string
	others int
	// message and details are the numbers of bytes of the status's message and details.
	message, details int
}

// keep returns the fields that can be sent and have room, the first ones first, and the room that is left.
func (l *leftOut) keep(fields []Field, room int) ([]Field, int) {
	kept := make([]Field, 0, len(fields))
	for _, field := range fields {
		err := checkField(field)
		if err == nil && field.Bytes() > room {
			err = fmt.Errorf("field %.*q has no room", mostNameBytes, field.Name)
		}
		if err != nil {
			l.leave(err)
			continue
		}
		kept, room = append(kept, field), room-field.Bytes()
	}
	return kept, room
}

func (l *leftOut) leave(why error) {
	if len(l.fields) == mostNamed {
		l.others++
		return
	}
	l.fields = append(l.fields, why.Error())
}

// say makes the report; "" if nothing is left out.
func (l *leftOut) say() string {
	var all []string
	if l.message != 0 || l.details != 0 {
		all = append(all, "the status was shortened: return a shorter error")
	}
	if len(l.fields) > 0 {
		all = append(all, "metadata was left out: "+strings.Join(l.fields, "; "))
	}
	if l.others > 0 {
		all = append(all, fmt.Sprintf("%d more fields were left out", l.others))
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (the client takes %d bytes of header or trailer)", strings.Join(all, "; "), l.limit)
}

// lose reports something that no peer is told.
func (c *conn) lose(err error) {
	if c.options.Lost != nil {
		c.options.Lost(err)
	}
}

// orReset resets the stream of an answer that the client does not take in any form.
func (s *Stream) orReset(err error) error {
	if errors.Is(err, errNoRoom) {
		s.Reset(EnhanceYourCalm)
	}
	return err
}

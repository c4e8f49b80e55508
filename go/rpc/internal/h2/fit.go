package h2

import (
	"errors"
	"fmt"
	"strings"

	"hone/go/rpc/internal/grpcwire"
)

// mostStatusBytes is how long the fields of a status may be for any client: many say nothing of what they take, and end the connection for
// longer ones.
const mostStatusBytes = 64 << 10

// mostNamed is how many fields that were left out are told by name, and mostNameBytes how much of each name.
const (
	mostNamed     = 8
	mostNameBytes = 100
)

// errNoRoom is a client that takes less than the shortest answer has.
var errNoRoom = &Error{Code: grpcwire.ResourceExhausted, What: "the client takes shorter headers than the shortest answer has: its calls are reset"}

// PeerHeaderBytes is how long a list of fields may be for the peer: all names and values, and 32 bytes for each field.
func (s *Stream) PeerHeaderBytes() int {
	return int(min(s.conn.peerHeaderBytes.Load(), largestWindow))
}

// fit makes an answer one that can be sent, and that its client takes: fields that are neither are left out, details and text of the status
// shortened. The code stays. [Options.Lost] is told of all that.
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

// isFine is whether all can be sent as it is, as nearly always.
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
	// Half of the room is kept for what the status says, if it says so much.
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

// leftOut is what an answer does not tell.
type leftOut struct {
	limit  int
	fields []string
	others int
	// message and details are how many bytes of the status's.
	message, details int
}

// keep gives the fields that can be sent and have room, the first ones first, and the room that is left.
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

// say tells it; "" where nothing is left out.
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

// lose tells of what no peer is told.
func (c *conn) lose(err error) {
	if c.options.Lost != nil {
		c.options.Lost(err)
	}
}

// orReset resets the stream of an answer that its client does not take in any form.
func (s *Stream) orReset(err error) error {
	if errors.Is(err, errNoRoom) {
		s.Reset(EnhanceYourCalm)
	}
	return err
}

package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"hone/go/rpc/internal/thriftwire"
)

// BizStatusError is an error of a service's own, told by a number of its own: the call came and was answered, and what it asked for cannot be
// done. It is Kitex's error of that name, and goes both ways between this package and Kitex.
//
// A handler returns it, or Kitex's own. A TTHeader carries it: a caller finds it by errors.As in the [Error], whose code is Unknown. Over
// wires of Thrift without a TTHeader it is an exception with its text.
type BizStatusError struct {
	// Status is the number; it is not 0.
	Status  int32
	Message string
	// Extra is what else is told. It is nil for a caller where what came is no JSON object of texts.
	Extra map[string]string
}

// Error says the number and what it means.
func (e *BizStatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Message) }

// BizStatusCode is the number. With the two methods below it makes the error one that Kitex knows.
func (e *BizStatusError) BizStatusCode() int32 { return e.Status }

// BizMessage is the message.
func (e *BizStatusError) BizMessage() string { return e.Message }

// BizExtra is what else is told.
func (e *BizStatusError) BizExtra() map[string]string { return e.Extra }

// bizStatus is what is known of an error such as [BizStatusError], of whatever package.
type bizStatus interface {
	error
	BizStatusCode() int32
	BizMessage() string
	BizExtra() map[string]string
}

// bizStatusIn finds one in what a handler returned; nil if there is none, or its methods panic, as those of nil pointers do.
func bizStatusIn(err error) (status bizStatus) {
	defer func() {
		if recover() != nil {
			status = nil
		}
	}()
	if errors.As(err, &status) && status.BizStatusCode() != 0 {
		return status
	}
	return nil
}

// appendBizStatus appends what a TTHeader tells of an error. A long text is cut, and says so; what goes with it is left out where it is long.
func (s *Server) appendBizStatus(to []thriftwire.Named, status bizStatus) []thriftwire.Named {
	most := min(mostTextBytes, s.MessageBytes/4)
	message := cutText(status.BizMessage(), most)
	if long := len(status.BizMessage()); long != len(message) {
		s.lose(fmt.Errorf("an error of a service has a text of %d bytes, which was cut to %d: return a shorter one", long, len(message)))
	}
	to = append(to, thriftwire.Named{Name: thriftwire.StatusCode, Value: strconv.Itoa(int(status.BizStatusCode()))},
		thriftwire.Named{Name: thriftwire.StatusMessage, Value: message})
	if extra := status.BizExtra(); len(extra) > 0 {
		if text, err := json.Marshal(extra); err == nil && len(text) > most {
			s.lose(fmt.Errorf("an error of a service has %d bytes beside its text, which were left out: the client takes %d", len(text), most))
		} else if err == nil {
			to = append(to, thriftwire.Named{Name: thriftwire.StatusExtra, Value: string(text)})
		}
	}
	return to
}

// bizStatusOf reads what the TTHeader of an answer tells; nil if that is no error.
func bizStatusOf(header *thriftwire.Header) error {
	if !header.HasFacts() {
		return nil
	}
	var status BizStatusError
	header.EachNamed(func(name, value []byte) {
		switch string(name) {
		case thriftwire.StatusCode:
			if number, err := strconv.ParseInt(string(value), 10, 32); err == nil {
				status.Status = int32(number)
			}
		case thriftwire.StatusMessage:
			status.Message = string(value)
		case thriftwire.StatusExtra:
			if json.Unmarshal(value, &status.Extra) != nil {
				status.Extra = nil
			}
		}
	})
	if status.Status == 0 {
		return nil
	}
	return &status
}

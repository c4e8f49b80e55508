package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"hone/go/rpc/internal/thriftwire"
)

// BizStatusError is an error that a service defines, with a number of its own: the call came and was answered, but the service cannot do what the
// caller asked for. It is Kitex's error of that name, and goes both ways between this package and Kitex.
//
// A handler returns it, or Kitex's own type. A TTHeader carries it: a caller finds it by errors.As in the [Error], whose code is Unknown. Over
// wires of Thrift without a TTHeader it is an exception with its text.
type BizStatusError struct {
	// Status is the number; it is not 0.
	Status  int32
	Message string
	// Extra holds further texts by name. It is nil for a caller if the received value is not a JSON object of texts.
	Extra map[string]string
}

// Error returns the number and the message.
func (e *BizStatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Message) }

// BizStatusCode returns the number. With the two methods below it makes the error one that Kitex knows.
func (e *BizStatusError) BizStatusCode() int32 { return e.Status }

// BizMessage returns the message.
func (e *BizStatusError) BizMessage() string { return e.Message }

// BizExtra returns the further texts.
func (e *BizStatusError) BizExtra() map[string]string { return e.Extra }

// bizStatus is the interface of errors such as [BizStatusError], of any package.
type bizStatus interface {
	error
	BizStatusCode() int32
	BizMessage() string
	BizExtra() map[string]string
}

// bizStatusIn finds a bizStatus in a handler's error; it returns nil if there is none, or if its methods panic, as those of nil pointers do.
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

// appendBizStatus appends the facts of a TTHeader that describe an error. A long text is cut and marked as cut; Extra is left out if it is long.
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

// bizStatusOf reads the error from the TTHeader of an answer; it returns nil if there is none.
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

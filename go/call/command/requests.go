package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"hone/go/call/definitions"
)

// requests returns a function that returns the requests for a stream. An argument or a file is checked as a whole before anything is sent.
func requests(s Streams, f *definitions.Function, argument string) (func() (definitions.Message, error), error) {
	if argument == "-" {
		return newRequestReader(s.In, f).next, nil
	}
	text, err := readJSON(s, argument)
	if err != nil {
		return nil, err
	}
	for reader := newRequestReader(bytes.NewReader(text), f); err == nil; {
		_, err = reader.next()
	}
	if err != io.EOF {
		return nil, err
	}
	return newRequestReader(bytes.NewReader(text), f).next, nil
}

// requestReader reads one request after the other from JSON.
type requestReader struct {
	function *definitions.Function
	room     *io.LimitedReader
	decoder  *json.Decoder
	read     int
}

func newRequestReader(from io.Reader, f *definitions.Function) *requestReader {
	r := &requestReader{function: f, room: &io.LimitedReader{R: from, N: mostJSON}}
	r.decoder = json.NewDecoder(r.room)
	return r
}

// next returns the next request, or io.EOF after the last one.
func (r *requestReader) next() (definitions.Message, error) {
	r.room.N = mostJSON
	r.read++
	var text json.RawMessage
	err := r.decoder.Decode(&text)
	if err == io.EOF && r.room.N > 0 {
		return nil, io.EOF
	}
	if r.room.N == 0 {
		err = fmt.Errorf("it has more than %d bytes", int64(mostJSON))
	}
	var made definitions.Message
	if err == nil {
		made, err = message(r.function, text)
	}
	if err != nil {
		return nil, fmt.Errorf("request %d: %w", r.read, err)
	}
	return made, nil
}

package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"
	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// WithDetails adds messages, such as those of google.rpc, to the details that the error has over gRPC, and returns the error. If one cannot be
// written, it returns an error that says so.
func (e *Error) WithDetails(messages ...google.Message) *Error {
	for _, message := range messages {
		var written []byte
		detail, err := anypb.New(message)
		if err == nil {
			written, err = google.Marshal(detail)
		}
		if err != nil {
			return Errorf(Internal, "a detail of the error %v cannot be written: %v", e, err)
		}
		e.Details = append(e.Details, written)
	}
	return e
}

// DetailMessages decodes the details. A detail whose type the program does not know is an *anypb.Any; one that cannot be decoded is left out.
func (e *Error) DetailMessages() []google.Message {
	var messages []google.Message
	for _, written := range e.Details {
		detail := new(anypb.Any)
		if google.Unmarshal(written, detail) != nil {
			continue
		}
		if message, err := detail.UnmarshalNew(); err == nil {
			messages = append(messages, message)
		} else {
			messages = append(messages, detail)
		}
	}
	return messages
}

// The fields of google.rpc.Status
// (https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto), which is sent as grpc-status-details-bin.
const (
	statusCode    = 1
	statusMessage = 2
	statusDetail  = 3
)

// statusDetails encodes an error as a google.rpc.Status; it returns nil if there are no details.
func statusDetails(err *Error) []byte {
	if len(err.Details) == 0 {
		return nil
	}
	status := protowire.AppendTag(nil, statusCode, protowire.VarintType)
	status = protowire.AppendVarint(status, uint64(err.Code))
	status = protowire.AppendTag(status, statusMessage, protowire.BytesType)
	status = protowire.AppendString(status, err.Message)
	for _, detail := range err.Details {
		status = protowire.AppendTag(status, statusDetail, protowire.BytesType)
		status = protowire.AppendBytes(status, detail)
	}
	return status
}

// readDetails returns the details of a google.rpc.Status, up to the first field that cannot be read.
func readDetails(status []byte) (details [][]byte) {
	for len(status) > 0 {
		number, kind, n := protowire.ConsumeTag(status)
		if n < 0 {
			return details
		}
		status = status[n:]
		if number == statusDetail && kind == protowire.BytesType {
			detail, n := protowire.ConsumeBytes(status)
			if n < 0 {
				return details
			}
			details = append(details, append([]byte(nil), detail...))
			status = status[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(number, kind, status); n < 0 {
			return details
		}
		status = status[n:]
	}
	return details
}

package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of google.rpc.Status
// (https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto), which goes as grpc-status-details-bin.
const (
	statusCode    = 1
	statusMessage = 2
	statusDetail  = 3
)

// statusDetails writes a google.rpc.Status; nil where there are no details.
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

// readDetails gives the details of a google.rpc.Status; what cannot be read has none.
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

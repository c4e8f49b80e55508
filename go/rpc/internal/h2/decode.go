package h2

import (
	"golang.org/x/net/http2/hpack"

	"hone/go/rpc/internal/grpcwire"
)

// decoder reads blocks of fields. Only the reading goroutine uses it.
type decoder struct {
	hpack *hpack.Decoder
	fields
	// limit is the longest list of fields, beyond which the stream is refused. most is the longest block, beyond which the connection
	// is refused, and left is the number of bytes of most that the block may still have.
	limit, most, left int
	// frames counts the CONTINUATION frames of the block.
	frames int
}

// fields are the contents of a block.
type fields struct {
	method, scheme, path, authority, status      string
	contentType, encoding, acceptEncoding        string
	userAgent, timeout                           string
	grpcStatus, grpcMessage, grpcDetails         string
	hasTimeout, hasStatus, isRegular, isTooLarge bool
	// malformed says what is wrong with the fields; it is empty if nothing is.
	malformed string
	bytes     int
	metadata  []Field
}

func newDecoder(limit int) *decoder {
	d := &decoder{limit: limit}
	d.hpack = hpack.NewDecoder(tableBytes, d.add)
	d.takeBlocks(blockPerList * limit)
	return d
}

// takeBlocks sets the longest block of fields.
func (d *decoder) takeBlocks(most int) {
	d.most = most
	d.hpack.SetMaxStringLength(most)
}

// mostFrames returns the largest number of CONTINUATION frames of a block.
func (d *decoder) mostFrames() int { return max(blockFrames, 2*d.most/frameBytes) }

// begin forgets the last block.
func (d *decoder) begin() {
	metadata := d.metadata
	clear(metadata)
	d.fields = fields{metadata: metadata[:0]}
	d.left, d.frames = d.most, 0
}

// write reads a part of a block.
func (d *decoder) write(part []byte) error {
	if d.left -= len(part); d.left < 0 {
		return &connectionError{EnhanceYourCalm, "a header is far longer than allowed"}
	}
	if _, err := d.hpack.Write(part); err != nil {
		return &connectionError{CompressionError, "a header cannot be decoded: " + err.Error()}
	}
	return nil
}

// end checks that the block is complete.
func (d *decoder) end() error {
	if err := d.hpack.Close(); err != nil {
		return &connectionError{CompressionError, "a header cannot be decoded: " + err.Error()}
	}
	return nil
}

// add takes a field. Nothing is kept of a list that is too large, but the decoder has to see all of it.
func (d *decoder) add(field hpack.HeaderField) {
	f := &d.fields
	f.bytes += len(field.Name) + len(field.Value) + grpcwire.FieldOverhead
	if f.bytes > d.limit {
		f.isTooLarge = true
		return
	}
	if len(field.Name) > 0 && field.Name[0] == ':' {
		f.addPseudo(field.Name, field.Value)
		return
	}
	f.isRegular = true
	switch field.Name {
	case "content-type":
		f.contentType = field.Value
	case "user-agent":
		f.userAgent = field.Value
	case "grpc-timeout":
		f.timeout, f.hasTimeout = field.Value, true
	case "grpc-encoding":
		f.encoding = field.Value
	case "grpc-accept-encoding":
		f.acceptEncoding = field.Value
	case grpcwire.StatusField:
		f.grpcStatus, f.hasStatus = field.Value, true
	case grpcwire.MessageField:
		f.grpcMessage = field.Value
	case grpcwire.DetailsField:
		f.grpcDetails = field.Value
	case "te":
		if field.Value != "trailers" {
			f.malformed = "te is not trailers"
		}
	case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
		f.malformed = field.Name + " is for HTTP/1 only"
	default:
		f.addMetadata(field.Name, field.Value)
	}
}

// addMetadata keeps a field of the user's, or an unknown field.
func (f *fields) addMetadata(name, value string) {
	if name == "" {
		f.malformed = "a field has no name"
		return
	}
	for i := 0; i < len(name); i++ {
		if isBadInName(rune(name[i])) {
			f.malformed = "a field's name has a character that is not allowed"
			return
		}
	}
	for i := 0; i < len(value); i++ {
		if c := value[i]; c == 0 || c == '\r' || c == '\n' {
			f.malformed = "a field's value has a character that is not allowed"
			return
		}
	}
	f.metadata = append(f.metadata, Field{name, value})
}

func (f *fields) addPseudo(name, value string) {
	if f.isRegular {
		f.malformed = name + " comes after fields that are none of HTTP/2's own"
		return
	}
	var at *string
	switch name {
	case ":method":
		at = &f.method
	case ":scheme":
		at = &f.scheme
	case ":path":
		at = &f.path
	case ":authority":
		at = &f.authority
	case ":status":
		at = &f.status
	default:
		f.malformed = "a field that begins with a colon is not known"
		return
	}
	// Clients of grpc-go send an empty :authority if their target has no name.
	if *at != "" || value == "" && at != &f.authority {
		f.malformed = name + " is empty or comes twice"
	}
	*at = value
}

// checkRequest says what is wrong with the fields of a request.
func (f *fields) checkRequest() string {
	switch {
	case f.malformed != "":
		return f.malformed
	case f.status != "":
		return "a request has :status"
	case f.method == "" || f.scheme == "" || f.path == "":
		return "a request lacks :method, :scheme or :path"
	}
	return ""
}

// checkResponse says what is wrong with the fields of a response or of a trailer.
func (f *fields) checkResponse(isTrailer bool) string {
	switch {
	case f.malformed != "":
		return f.malformed
	case f.method != "" || f.scheme != "" || f.path != "" || f.authority != "":
		return "a response has fields of a request"
	case isTrailer && f.status != "":
		return "trailers have :status"
	case !isTrailer && f.status == "":
		return "a response lacks :status"
	}
	return ""
}

// takeMetadata copies the metadata for a stream, which keeps it.
func (f *fields) takeMetadata() []Field {
	if len(f.metadata) == 0 {
		return nil
	}
	return append([]Field(nil), f.metadata...)
}

// readStatus reads the status of a trailer.
func (f *fields) readStatus() grpcwire.Status {
	code, isCode := grpcwire.ParseCode(f.grpcStatus)
	status := grpcwire.Status{Code: code, Message: grpcwire.ParsePercent(f.grpcMessage)}
	if !isCode {
		status.Message = "the server sent a grpc-status that is no number"
	}
	if f.grpcDetails != "" {
		// Details that cannot be read count as none: the status itself is what matters.
		status.Details, _ = grpcwire.ParseBinary(f.grpcDetails)
	}
	return status
}

package pb

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/runtime/protoiface"
	"google.golang.org/protobuf/types/dynamicpb"
)

// reflected shows a message to package proto. The decoder of dynamicpb panics if the entry of a map has its key a second time with another type
// (google.golang.org/protobuf 1.36.12), and any peer may send such a message. So reflected decodes messages itself and turns a panic into an error.
type reflected struct {
	*dynamicpb.Message
	types *dynamicpb.Types
}

// ProtoMethods implements protoreflect.Message.
func (r reflected) ProtoMethods() *protoiface.Methods {
	return &protoiface.Methods{Flags: protoiface.SupportUnmarshalDiscardUnknown, Unmarshal: r.unmarshal}
}

func (r reflected) unmarshal(in protoiface.UnmarshalInput) (out protoiface.UnmarshalOutput, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the message cannot be read: %v", value)
		}
	}()
	options := proto.UnmarshalOptions{
		Merge: true, AllowPartial: true, Resolver: r.types, RecursionLimit: in.Depth,
		DiscardUnknown: in.Flags&protoiface.UnmarshalDiscardUnknown != 0,
	}
	return out, options.Unmarshal(in.Buf, r.Message)
}

package proto_test

import (
	"math"
	"math/rand"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// random fills messages of any type.
type random struct {
	*rand.Rand
	// density is the percentage of fields that are set.
	density int
	// asItShouldBe is true if all required fields are set, and all strings are UTF-8.
	asItShouldBe bool
}

// message fills a message, in which further messages are nested up to depth deep.
func (r random) message(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if r.Intn(100) < r.density || r.asItShouldBe && field.Cardinality() == protoreflect.Required {
			r.field(m, field, depth)
		}
	}
	if m.Descriptor().ExtensionRanges().Len() > 0 {
		protoregistry.GlobalTypes.RangeExtensionsByMessage(m.Descriptor().FullName(), func(extension protoreflect.ExtensionType) bool {
			if r.Intn(100) < r.density/4 {
				r.field(m, extension.TypeDescriptor(), depth)
			}
			return true
		})
	}
	if r.Intn(5) == 0 {
		m.SetUnknown(r.unknown())
	}
}

func (r random) field(m protoreflect.Message, field protoreflect.FieldDescriptor, depth int) {
	isMessage := field.Message() != nil && !field.IsMap()
	// Some types can never be complete: a required field of them leads back to themselves.
	isRequired := field.Cardinality() == protoreflect.Required && depth > -5
	switch {
	case depth <= 0 && !isRequired && (isMessage || field.IsMap() && field.MapValue().Message() != nil):
	case field.IsMap():
		pairs := m.Mutable(field).Map()
		for range r.Intn(4) {
			value := pairs.NewValue()
			if field.MapValue().Message() != nil {
				r.message(value.Message(), depth-1)
			} else {
				value = r.value(field.MapValue())
			}
			pairs.Set(r.value(field.MapKey()).MapKey(), value)
		}
	case field.IsList():
		list := m.Mutable(field).List()
		for range r.Intn(5) {
			if isMessage {
				r.message(list.AppendMutable().Message(), depth-1)
			} else {
				list.Append(r.value(field))
			}
		}
	case isMessage:
		r.message(m.Mutable(field).Message(), depth-1)
	default:
		m.Set(field, r.value(field))
	}
}

// number returns a number with a random count of bits, so that varints of each length come.
func (r random) number() uint64 {
	v := r.Uint64() >> r.Intn(65)
	if r.Intn(4) == 0 {
		v = -v
	}
	return v
}

func (r random) value(field protoreflect.FieldDescriptor) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.Intn(2) == 0)
	case protoreflect.EnumKind:
		values := field.Enum().Values()
		if r.Intn(8) == 0 && !field.Enum().IsClosed() {
			return protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.number()))
		}
		return protoreflect.ValueOfEnum(values.Get(r.Intn(values.Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(r.number()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(r.number()))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(r.number()))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(r.number())
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(r.float()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.float())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(r.text())
	default:
		return protoreflect.ValueOfBytes([]byte(r.text()))
	}
}

func (r random) float() float64 {
	return []float64{r.NormFloat64(), 0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.MaxFloat64, 3}[r.Intn(7)]
}

func (r random) text() string {
	if !r.asItShouldBe && r.Intn(60) == 0 {
		return "a\xff"
	}
	switch r.Intn(12) {
	case 0:
		return strings.Repeat("long ", r.Intn(400))
	case 1:
		return ""
	}
	return strings.Repeat("é\"x\n", r.Intn(4)) + string(rune('a'+r.Intn(26)))
}

// unknown returns fields that no message has, of each type of the wire format.
func (r random) unknown() []byte {
	var b []byte
	for range 1 + r.Intn(3) {
		number := protowire.Number(300_000_000 + r.Intn(3))
		switch r.Intn(4) {
		case 0:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), r.number())
		case 1:
			b = protowire.AppendFixed32(protowire.AppendTag(b, number, protowire.Fixed32Type), r.Uint32())
		case 2:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), []byte(r.text()))
		default:
			inner := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), r.Uint64())
			b = protowire.AppendGroup(protowire.AppendTag(b, number, protowire.StartGroupType), number, inner)
		}
	}
	return b
}

// changed returns altered bytes: one byte differs, a part is doubled or removed, two messages are joined, or fields with a message's own numbers have
// any type.
func (r random) changed(b, other []byte, of protoreflect.MessageDescriptor) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.Intn(3) {
		at, to := 0, 0
		if len(b) > 0 {
			at = r.Intn(len(b))
			to = at + r.Intn(min(len(b)-at, 20)+1)
		}
		switch kind := r.Intn(8); {
		case kind == 0:
			b = append(b, other...)
		case kind == 1:
			b = append(b, r.odd(of)...)
		case kind == 2:
			b = append(append(append([]byte(nil), b[:at]...), r.odd(of)...), b[at:]...)
		case len(b) == 0:
		case kind == 3:
			b[at] = byte(r.Uint32())
		case kind == 4:
			b[at] ^= 1 << r.Intn(8)
		case kind == 5:
			b = append(b[:at], b[to:]...)
		case kind == 6:
			b = append(append(append([]byte(nil), b[:to]...), b[at:to]...), b[to:]...)
		default:
			b = b[:at]
		}
	}
	return b
}

// odd returns a field of a message with any type, a tag that is longer than it must be, or a number that is too long.
func (r random) odd(of protoreflect.MessageDescriptor) []byte {
	number := protowire.Number(1 + r.Intn(40))
	if fields := of.Fields(); fields.Len() > 0 && r.Intn(4) > 0 {
		number = fields.Get(r.Intn(fields.Len())).Number()
	}
	b := protowire.AppendTag(nil, number, protowire.Type(r.Intn(8)))
	if r.Intn(4) == 0 {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	switch r.Intn(5) {
	case 0:
		b = append(b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"[r.Intn(10):]...)
	case 1:
		b = protowire.AppendVarint(b, r.number())
	case 2:
		b = protowire.AppendBytes(b, []byte(r.text()))
	case 3:
		inner := r.odd(of)
		b = protowire.AppendBytes(b, inner)
	default:
		b = append(b, "\x01\x02\x03\x04\x05\x06\x07\x08"[:r.Intn(9)]...)
	}
	return b
}

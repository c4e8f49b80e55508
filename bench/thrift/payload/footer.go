package payload

import "hone/bench/thrift/generated/hone/footer"

func (m maker) chunk(of *footer.SchemaElement, offset int64) *footer.Chunk {
	packed := m.Int63n(1 << 20)
	data := &footer.ColumnData{
		Type: *of.Type, Encodings: []footer.Encoding{footer.Encoding_DICTIONARY, footer.Encoding_RLE, footer.Encoding_PLAIN}, Path: []string{of.Name},
		Codec: footer.Codec_ZSTD, Values: 1 << 20, Uncompressed: 3 * packed, Compressed: packed, DataOffset: offset + 4,
		Statistics: &footer.Statistics{Max: m.bytes(8), Min: m.bytes(8), Nulls: pointer(m.Int63n(1000))},
	}
	if m.Intn(2) == 0 {
		data.DictionaryOffset = pointer(offset)
	}
	return &footer.Chunk{Offset: offset, Data: data}
}

func (m maker) footerOf(columns, groups int) *footer.Footer {
	types := []footer.Type{footer.Type_INT64, footer.Type_BYTES, footer.Type_DOUBLE, footer.Type_INT32}
	f := &footer.Footer{
		Version: 2, Schema: []*footer.SchemaElement{{Name: "schema", Children: pointer(int32(columns))}}, Rows: int64(groups) << 20,
		Pairs:  []*footer.KeyValue{{Key: "writer.model.name", Value: pointer("example")}, {Key: "schema", Value: pointer(m.sentence(columns))}},
		Writer: pointer("example-columns version 1.13.1 (build " + m.digits(40) + ")"),
	}
	for range columns {
		repetition := footer.Repetition_OPTIONAL
		f.Schema = append(f.Schema, &footer.SchemaElement{Type: pointer(types[m.Intn(len(types))]), Repetition: &repetition, Name: m.name(2, "_")})
	}
	offset := int64(4)
	for range groups {
		group := &footer.RowGroup{Rows: 1 << 20, Offset: pointer(offset)}
		for _, column := range f.Schema[1:] {
			chunk := m.chunk(column, offset)
			offset += chunk.Data.Compressed
			group.Columns, group.Bytes = append(group.Columns, chunk), group.Bytes+chunk.Data.Uncompressed
		}
		f.Groups = append(f.Groups, group)
	}
	return f
}

func (m maker) footer() []Message {
	return []Message{of("small", m.footerOf(3, 1)), of("medium", m.footerOf(30, 4)), of("large", m.footerOf(60, 32))}
}

package payload

import "hone/bench/thrift/generated/hone/columns"

func (m maker) column() *columns.Column {
	c := &columns.Column{Name: []byte(m.name(2, "_")), Value: m.bytes(m.few(24)), Timestamp: pointer(1000 * m.millis())}
	if m.Intn(4) == 0 {
		c.TTL = pointer(m.Int31n(86400))
	}
	return c
}

func (m maker) slices(rows, each int) *columns.Slices {
	s := &columns.Slices{Rows: map[string][]*columns.ColumnOrSuper{}}
	for range rows {
		var row []*columns.ColumnOrSuper
		for range m.few(each) {
			if m.Intn(20) == 0 {
				row = append(row, &columns.ColumnOrSuper{Super: &columns.SuperColumn{Name: []byte(m.name(1, "")), Columns: []*columns.Column{m.column(), m.column()}}})
			} else {
				row = append(row, &columns.ColumnOrSuper{Column: m.column()})
			}
		}
		s.Rows[m.name(1, "")+":"+m.digits(16)] = row
	}
	return s
}

func (m maker) columns() []Message {
	return []Message{of("small", m.slices(1, 6)), of("medium", m.slices(20, 12)), of("large", m.slices(200, 24))}
}

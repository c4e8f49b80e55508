package payload

import "hone/bench/thrift/generated/hone/cells"

func (m maker) cellRow(n int) *cells.Result {
	row := []byte(m.digits(8) + ":" + m.name(1, ""))
	result := &cells.Result{Row: row}
	for range n {
		result.Cells = append(result.Cells, &cells.Cell{
			Family: []byte("d"), Qualifier: []byte(m.name(1+m.Intn(2), "_")), Value: m.bytes(m.few(32)), Timestamp: pointer(m.millis()), Type: pointer(int8(4)),
		})
	}
	return result
}

func (m maker) cellScan(rows, each int) *cells.Scan {
	scan := &cells.Scan{Scanner: m.Int31(), More: true}
	for range rows {
		scan.Results = append(scan.Results, m.cellRow(m.few(each)))
	}
	return scan
}

func (m maker) cells() []Message {
	return []Message{of("small", m.cellRow(5)), of("medium", m.cellScan(20, 10)), of("large", m.cellScan(250, 15))}
}

package payload

import "hone/bench/thrift/generated/hone/catalog"

func (m maker) catalogFields(n int) (fields []*catalog.Field) {
	types := []string{"bigint", "string", "double", "timestamp", "decimal(18,2)", "array<string>", "map<string,string>"}
	for range n {
		field := &catalog.Field{Name: m.name(2, "_"), Type: m.of(types)}
		if m.Intn(3) == 0 {
			field.Comment = m.sentence(6)
		}
		fields = append(fields, field)
	}
	return fields
}

func (m maker) storage(location string, fields int) *catalog.Storage {
	return &catalog.Storage{
		Columns: m.catalogFields(fields), Location: "hdfs://warehouse/" + location, Input: "org.example.io.columns.ColumnsInputFormat",
		Output: "org.example.io.columns.ColumnsOutputFormat", Buckets: -1,
		Format: &catalog.Format{Library: "org.example.io.columns.ColumnsFormat", Parameters: map[string]string{"serialization.format": "1"}},
	}
}

func (m maker) table(fields int) *catalog.Table {
	name := m.name(2, "_")
	return &catalog.Table{
		Name: name, Database: m.of(nouns), Owner: m.of(nouns), Created: 1_704_067_200 + m.Int31n(1e6), Storage: m.storage("db/"+name, fields),
		PartitionKeys: []*catalog.Field{{Name: "ds", Type: "string"}, {Name: "hour", Type: "int"}}, Parameters: m.labels(7), Kind: "EXTERNAL_TABLE",
	}
}

func (m maker) partitions(n, fields int) *catalog.Partitions {
	p := &catalog.Partitions{Table: m.table(fields)}
	for range n {
		day := "2024-0" + m.digits(1) + "-1" + m.digits(1)
		p.Partitions = append(p.Partitions, &catalog.Partition{
			Values: []string{day, "12"}, Database: p.Table.Database, Table: p.Table.Name, Created: p.Table.Created,
			Storage: m.storage("db/"+p.Table.Name+"/ds="+day, fields), Parameters: m.labels(5),
		})
	}
	return p
}

func (m maker) catalog() []Message {
	return []Message{of("small", m.table(3)), of("medium", m.partitions(9, 24)), of("large", m.partitions(150, 30))}
}

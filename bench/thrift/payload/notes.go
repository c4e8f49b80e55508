package payload

import "hone/bench/thrift/generated/hone/notes"

func (m maker) guid() string {
	return m.digits(8) + "-" + m.digits(4) + "-" + m.digits(4) + "-" + m.digits(4) + "-" + m.digits(12)
}

func (m maker) resource(note string) *notes.Resource {
	return &notes.Resource{
		GUID: pointer(m.guid()), Note: &note, Data: &notes.Data{Hash: m.bytes(16), Size: pointer(m.Int31n(1 << 20))}, Mime: pointer("image/jpeg"),
		Width: pointer(int16(1920)), Height: pointer(int16(1080)), Active: pointer(true),
		Attributes: &notes.ResourceAttributes{Timestamp: pointer(m.millis()), File: pointer(m.name(2, "_") + ".jpg"), Camera: pointer("Example 5")},
	}
}

// note returns a note with a text of the given number of words.
func (m maker) note(words int) *notes.Note {
	guid := m.guid()
	content := "<note>" + m.sentence(words) + "</note>"
	note := &notes.Note{
		GUID: &guid, Title: pointer(m.sentence(4)), Content: &content, Hash: m.bytes(16), Length: pointer(int32(len(content))), Created: pointer(m.millis()),
		Updated: pointer(m.millis()), Active: pointer(true), Version: pointer(m.Int31n(1e6)), Notebook: pointer(m.guid()), Tags: []string{m.guid(), m.guid()},
		Attributes: &notes.NoteAttributes{Author: pointer(m.name(2, " ")), Source: pointer("mobile"), Latitude: pointer(48.2), Longitude: pointer(16.3)},
	}
	for range m.Intn(3) {
		note.Resources = append(note.Resources, m.resource(guid))
	}
	if m.Intn(3) == 0 {
		note.Attributes.Classifications = m.labels(3)
	}
	return note
}

func (m maker) noteList(n int) *notes.Notes {
	list := &notes.Notes{Total: int32(n)}
	for range n {
		list.Notes = append(list.Notes, m.note(m.few(60)))
	}
	return list
}

func (m maker) notes() []Message {
	return []Message{of("small", m.note(10)), of("medium", m.noteList(14)), of("large", m.noteList(240))}
}

package agentclient

import (
	"strings"
	"testing"
)

func TestWhatTheProtocolCannotCarryIsRefusedByReason(t *testing.T) {
	long := strings.Repeat("m", 513)
	value := strings.Repeat("v", 4094)
	for _, refused := range []struct {
		metric string
		tags   []Tag
		reason error
	}{
		{"", nil, ErrNoMetric},
		{long, nil, ErrLongMetric},
		{long[1:], nil, nil},
		{"m", make([]Tag, 65), ErrManyTags},
		{"m", []Tag{T("k", value)}, nil},
		{"m", []Tag{T("kk", value)}, ErrLongTags},
		{"m", []Tag{T("", "v")}, ErrNoKey},
		{"m", []Tag{T("k=", "v")}, ErrSeparator},
		{"m", []Tag{T("k k", "v")}, ErrSeparator},
		{"m", []Tag{T("k", "a|b")}, ErrSeparator},
		{"m", []Tag{T("k", "a=b")}, nil},
		{"m\n", nil, ErrControlCharacter},
		{"m m", nil, nil},
		{"m", []Tag{T("k", "\x7f")}, ErrControlCharacter},
		{"m\xff", nil, ErrNotUTF8},
		{"m", []Tag{T("k", "\xc3")}, ErrNotUTF8},
	} {
		var series series
		if reason := series.set(KindCounter, refused.metric, refused.tags); reason != refused.reason {
			t.Errorf("%.20q %.20q: %v", refused.metric, refused.tags, reason)
		}
	}
}

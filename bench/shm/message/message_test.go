package message

import "testing"

// filled returns a message in pieces.
func filled(seed uint64, sizes ...int) (pieces [][]byte) {
	pattern := New(seed)
	for _, size := range sizes {
		piece := make([]byte, size)
		pattern.Fill(piece)
		pieces = append(pieces, piece)
	}
	return pieces
}

func seedOf(pieces [][]byte) (uint64, error) {
	var sum Sum
	for _, piece := range pieces {
		sum.Add(piece)
	}
	return sum.Seed()
}

func TestAMessageSaysItsSeedWhateverItsPieces(t *testing.T) {
	for _, sizes := range [][]int{{8}, {64}, {1024}, {8, 8, 4096}, {72, 120, 64, 4096 + 24}} {
		for _, seed := range []uint64{0, 1, 1<<64 - 1} {
			if got, err := seedOf(filled(seed, sizes...)); got != seed || err != nil {
				t.Errorf("pieces of %v say %d, not %d: %v", sizes, got, seed, err)
			}
		}
	}
}

func TestEveryByteThatIsNotTheMessagesIsSeen(t *testing.T) {
	for at := range 72 + 120 {
		pieces := filled(7, 72, 120)
		if at < 72 {
			pieces[0][at]++
		} else {
			pieces[1][at-72]++
		}
		if _, err := seedOf(pieces); err == nil {
			t.Errorf("byte %d may be another one", at)
		}
	}
}

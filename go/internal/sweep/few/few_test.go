package few

import (
	"testing"

	"hone/go/internal/sweep"
	"hone/go/internal/sweep/few/base"
	"hone/go/internal/sweep/few/swept"
)

func TestContainersOfAFewElementsAreReadAsTheyWereWritten(t *testing.T) {
	sweep.Check(t, nil,
		func() sweep.Message { return swept.NewOfString() },
		func() sweep.Message { return swept.NewOfPoint() },
		func() sweep.Message { return swept.NewNothing() },
		func() sweep.Message { return swept.NewPoint() },
		func() sweep.Message { return swept.NewSparse() },
		func() sweep.Message { return swept.NewChoice() },
		func() sweep.Message { return swept.NewFailed() },
		func() sweep.Message { return swept.NewGiven() },
		func() sweep.Message { return base.NewDefaults() },
	)
}

package harness

import (
	"errors"
	"testing"
)

// answer is an answer of Echo and to an order.
type answer struct {
	text  string
	total float64
}

func (a *answer) GetText() string   { return a.text }
func (a *answer) GetTotal() float64 { return a.total }

func TestTheOrderIsFilledIntoStructsOfTheSameNamesAndHasItsTotal(t *testing.T) {
	for payload := range shapes {
		filled := new(order)
		if err := FillOrder(filled, payload); err != nil {
			t.Fatal(err)
		}
		right := &answer{EchoText, Total(filled.Items, filled.Discounts, filled.Headers, filled.Related)}
		if err := errors.Join(payload.CheckTotal(right, nil), CheckEcho(right, nil)); err != nil {
			t.Error(payload, err)
		}
		if payload.CheckTotal(new(answer), nil) == nil || CheckEcho(new(answer), nil) == nil {
			t.Error(payload, "wrong answers pass")
		}
	}
}

func TestAFailedCallHasNoAnswerToLookAt(t *testing.T) {
	failed := errors.New("no connection")
	if Price.CheckTotal((*answer)(nil), failed) != failed || CheckEcho((*answer)(nil), failed) != failed {
		t.Error("the error is another")
	}
}

package harness

import "testing"

func TestTheOrderIsFilledIntoStructsOfTheSameNamesAndHasItsTotal(t *testing.T) {
	filled := new(order)
	if err := FillOrder(filled); err != nil {
		t.Fatal(err)
	}
	if err := CheckPrice(Total(filled.Items, filled.Discounts, filled.Headers, filled.Related), nil); err != nil {
		t.Error(err)
	}
	if CheckPrice(0, nil) == nil || CheckEcho("", nil) == nil {
		t.Error("wrong answers pass")
	}
}

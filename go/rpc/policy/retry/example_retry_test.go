package retry_test

import (
	"fmt"
	"log"
	"time"

	"hone/go/rpc/policy/retry"
)

// A program that makes its own calls asks whether a failed attempt may be followed by another one.
func ExampleCall() {
	policy, err := retry.Policy{Attempts: 3}.Check()
	if err != nil {
		log.Fatal(err)
	}
	budget, err := retry.NewBudget(retry.BudgetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	method := retry.Method{Policy: policy, Budget: budget} // a method that must not run twice

	for _, class := range []retry.Class{retry.NotSent, retry.Failed} {
		call := method.Begin(retry.NoDeadline)
		decision := call.Failed(time.Second, retry.Failure{Class: class}, 0)
		fmt.Println(class, decision.Action == retry.Send, decision.After)
	}
	// Output:
	// not sent true 0s
	// failed false 0s
}

package localfirst_test

import (
	"fmt"
	"log"

	"hone/go/rpc/policy/localfirst"
)

// Three quarters of all calls begin on host a, whose instance takes 1.05 times its fair share of all calls.
func ExampleWeights() {
	callees := []localfirst.Callee{
		{ID: "10.0.0.1:9090", Host: "a", Capacity: 1},
		{ID: "10.0.0.2:9090", Host: "b", Capacity: 1},
	}
	callers := []localfirst.Caller{{Host: "a", Rate: 300}, {Host: "b", Rate: 100}}
	weights, err := localfirst.Weights(callees, callers, localfirst.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i, caller := range callers {
		fmt.Printf("of the calls from %s, %.2f go to a and %.2f to b\n", caller.Host, weights[i][0], weights[i][1])
	}
	// Output:
	// of the calls from a, 0.70 go to a and 0.30 to b
	// of the calls from b, 0.00 go to a and 1.00 to b
}

package balance_test

import (
	"fmt"
	"log"

	"hone/go/rpc/policy/balance"
)

// Of four calls in turns, the instance with three times the weight gets three.
func ExampleRoundRobin() {
	var group balance.Group
	picker, err := balance.NewRoundRobin([]balance.Entry{
		{Node: group.NewNode("10.0.0.1:9090", nil), Weight: 100},
		{Node: group.NewNode("10.0.0.2:9090", nil), Weight: 300},
	}, balance.Options{}, 0)
	if err != nil {
		log.Fatal(err)
	}
	calls := map[string]int{}
	for range 400 {
		node := picker.Pick(balance.Request{})
		node.Begin()
		calls[node.Key()]++
		node.End()
	}
	fmt.Println(calls)
	// Output: map[10.0.0.1:9090:100 10.0.0.2:9090:300]
}

// Calls with one key go to one instance as long as that instance is healthy.
func ExampleConsistentHash() {
	var group balance.Group
	var entries []balance.Entry
	for _, address := range []string{"10.0.0.1:9090", "10.0.0.2:9090", "10.0.0.3:9090"} {
		entries = append(entries, balance.Entry{Node: group.NewNode(address, nil), Weight: 100})
	}
	picker, err := balance.NewConsistentHash(entries, balance.HashOptions{})
	if err != nil {
		log.Fatal(err)
	}
	request := balance.Request{Hash: balance.Hash("user 7")}
	first := picker.Pick(request)
	fmt.Println("again the same:", picker.Pick(request) == first)

	first.SetHealthy(balance.Outlier, false)
	fmt.Println("while the instance is ejected:", picker.Pick(request) == first)
	first.SetHealthy(balance.Outlier, true)
	fmt.Println("when the instance is back:", picker.Pick(request) == first)
	// Output:
	// again the same: true
	// while the instance is ejected: false
	// when the instance is back: true
}

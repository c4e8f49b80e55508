// Package view is what a service of the simulated fleet looks like from some hosts that call it: the simulator writes it, and the processes that make one of
// these hosts real read it.
package view

import (
	"encoding/json"
	"fmt"
	"os"
)

// Service is a service of the fleet, with all who call it.
type Service struct {
	// Rank of the service by size; 0 is the largest.
	Rank int `json:"rank"`
	// LocalShare is the share of its calls that local first keeps on their host, and FleetShare that of all services that were looked at.
	LocalShare float64    `json:"local_share"`
	FleetShare float64    `json:"fleet_share"`
	Instances  []Instance `json:"instances"`
	Callers    []Caller   `json:"callers"`
	// Hosts are some of those that have both callers and an instance.
	Hosts []Host `json:"hosts"`
}

// Instance of the service.
type Instance struct {
	Host string `json:"host"`
	// Weight is the instance's capacity, in relation to others'.
	Weight uint32 `json:"weight"`
}

// Caller is what instances of one service on one host call.
type Caller struct {
	Host string  `json:"host"`
	Rate float64 `json:"rate"`
}

// Host has callers of the service.
type Host struct {
	Name string `json:"name"`
	// Quantile is the share of the calls from hosts with an instance that come from hosts where local first keeps less.
	Quantile float64 `json:"quantile"`
	// Here are the host's own instances, by their places in the list of all.
	Here []int `json:"here"`
	// Weights are those that each policy gives each instance, and LocalShares what the host's own have of them.
	Weights     map[string][]float64 `json:"weights"`
	LocalShares map[string]float64   `json:"local_shares"`
}

// Read reads a service from a file.
//
// # Errors
//
// Those of the file, and of a text that is not the JSON of a service.
func Read(path string) (*Service, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	service := new(Service)
	if err := json.Unmarshal(text, service); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return service, nil
}

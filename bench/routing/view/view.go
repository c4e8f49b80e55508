// Package view describes a service of the simulated fleet from the view of some hosts that call it: the simulator writes the view, and the processes
// that make one of these hosts real read it.
package view

import (
	"encoding/json"
	"fmt"
	"os"
)

// Service is a service of the fleet, with all its callers.
type Service struct {
	// Rank is the rank of the service by size; 0 is the largest.
	Rank int `json:"rank"`
	// LocalShare is the share of its calls that local first keeps on their host, and FleetShare the same share over all sampled services.
	LocalShare float64    `json:"local_share"`
	FleetShare float64    `json:"fleet_share"`
	Instances  []Instance `json:"instances"`
	Callers    []Caller   `json:"callers"`
	// Hosts are some of the hosts that have both callers and an instance.
	Hosts []Host `json:"hosts"`
}

// Instance is an instance of the service.
type Instance struct {
	Host string `json:"host"`
	// Weight is the instance's capacity, relative to others.
	Weight uint32 `json:"weight"`
}

// Caller is the rate of calls from the instances of one service on one host.
type Caller struct {
	Host string  `json:"host"`
	Rate float64 `json:"rate"`
}

// Host is a host with callers of the service.
type Host struct {
	Name string `json:"name"`
	// Quantile is the share of the calls from hosts with an instance that come from hosts where local first keeps less.
	Quantile float64 `json:"quantile"`
	// Here holds the positions of the host's own instances in the list of all.
	Here []int `json:"here"`
	// Weights holds the weights of all instances by policy, and LocalShares the sum of those of the host's own instances.
	Weights     map[string][]float64 `json:"weights"`
	LocalShares map[string]float64   `json:"local_shares"`
}

// Read reads a service from a file.
//
// # Errors
//
// The errors of the file, and an error for text that is not the JSON of a service.
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

package connect_test

import (
	"slices"
	"strings"
	"testing"

	"hone/go/call/connect"
	"hone/go/call/definitions"
	"hone/go/rpc"
)

func TestAWireCarriesItsLanguageAndMetadataWhereItHasRoomForThem(t *testing.T) {
	metadata := rpc.Metadata{{Name: "a", Value: "b"}}
	for _, test := range []struct {
		wire     string
		of       definitions.Language
		metadata rpc.Metadata
		isShared bool
		problem  string
	}{
		{"", definitions.Thrift, metadata, true, ""},
		{"", definitions.Protobuf, metadata, true, ""},
		{"ttheader-compact", definitions.Thrift, metadata, true, ""},
		{"framed", definitions.Thrift, nil, false, ""},
		{"compact", definitions.Thrift, nil, false, ""},
		{"compact", definitions.Thrift, metadata, false, "the wire framed-compact carries no metadata; leave out -H, or write --wire ttheader"},
		{"grpc", definitions.Thrift, nil, false, `no wire "grpc" carries Thrift; write --wire ttheader or `},
		{"framed", definitions.Protobuf, nil, false, `no wire "framed" carries protobuf; write --wire grpc`},
		{"morse", definitions.Protobuf, nil, false, `no wire "morse" carries protobuf; write --wire grpc`},
	} {
		isShared, err := connect.Options{Wire: test.wire, Metadata: test.metadata}.IsShared(test.of)
		if isShared != test.isShared || (err == nil) != (test.problem == "") || err != nil && !strings.HasPrefix(err.Error(), test.problem) {
			t.Errorf("%s of %s: %v %v", test.wire, test.of, isShared, err)
		}
	}
}

func TestAllWiresOfALanguageCanBeNamed(t *testing.T) {
	var names []string
	for _, of := range []definitions.Language{definitions.Thrift, definitions.Protobuf} {
		for _, name := range connect.Wires(of) {
			if _, err := connect.New("localhost:1", of, connect.Options{Wire: name}); err != nil {
				t.Error(err)
			}
			names = append(names, name)
		}
	}
	for wire := rpc.TTHeader; wire <= rpc.GRPC; wire++ {
		if !slices.Contains(names, wire.String()) {
			t.Errorf("%s is not among %q", wire, names)
		}
	}
}

func TestAddressesArePlacesOfNetworks(t *testing.T) {
	for address, want := range map[string][2]string{
		"localhost:9090": {"tcp", "localhost:9090"}, "tcp://[::1]:80": {"tcp", "[::1]:80"}, "unix:///run/a": {"unix", "/run/a"}, "shm:///run/a": {"shm", "/run/a"},
		"unix:/run/a": {"unix", "/run/a"}, "./a": {"unix", "./a"}, "/run/a": {"unix", "/run/a"},
		"nowhere": {}, "http://a:80": {}, "tcp://": {},
	} {
		network, place, err := connect.Place(address)
		if network != want[0] || place != want[1] || (err == nil) != (want[0] != "") {
			t.Errorf("%s: %s %s %v", address, network, place, err)
		}
	}
}

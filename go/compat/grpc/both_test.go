package grpc

import (
	"context"
	"testing"

	"hone/go/compat/grpc/ours/both"
	"hone/go/compat/grpc/ours/both/bothrpc"
	"hone/go/rpc"
)

// moved is an implementation whose service has code of both plugins.
type moved struct{ bothrpc.UnimplementedGreeter }

func (moved) Hello(_ context.Context, request *both.HelloRequest) (*both.HelloReply, error) {
	return &both.HelloReply{Text: "Hello, " + request.Name}, nil
}

// The names that protoc-gen-go-grpc uses are free if services have a package of their own.
func TestServicesInAPackageOfTheirOwnStandBesideThoseOfGRPCGo(t *testing.T) {
	s := setting{ourServer: func(server *rpc.Server) { bothrpc.RegisterGreeter(server, moved{}) }}
	_, address := s.serveOurs(t, newWorld())
	request := &both.HelloRequest{Name: "Ada"}
	byTheirs, err := both.NewGreeterClient(s.dialByTheirs(t, address).ClientConn).Hello(within(t, patience), request)
	if err != nil || byTheirs.Text != "Hello, Ada" {
		t.Error(byTheirs, err)
	}
	byOurs, err := bothrpc.NewGreeterClient(s.dialByOurs(t, address).Client).Hello(within(t, patience), request)
	if err != nil || byOurs.Text != "Hello, Ada" {
		t.Error(byOurs, err)
	}
	if both.Greeter_Hello_FullMethodName != bothrpc.Greeter_Hello_FullMethodName {
		t.Error("constants differ")
	}
}

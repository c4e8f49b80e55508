package rpc_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"log"
	"math/big"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// porter implements a method of the service Greeter that tells a caller the name in the caller's certificate.
type porter struct{ greeter.UnimplementedGreeter }

func (porter) Hello(ctx context.Context, _ *greeter.HelloRequest) (*greeter.HelloReply, error) {
	caller := rpc.CallOf(ctx).TLS.PeerCertificates[0]
	return &greeter.HelloReply{Text: "hello, " + caller.Subject.CommonName}, nil
}

// certificate makes a certificate that signs itself; a program reads its own by tls.LoadX509KeyPair.
func certificate(name string) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	made, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(made)
	if err != nil {
		log.Fatal(err)
	}
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}, pool
}

// A server and a client show each other their certificates.
func ExampleServer_tls() {
	serverCertificate, serverPool := certificate("shop.example.org")
	clientCertificate, clientPool := certificate("web.example.org")

	server := rpc.NewServer()
	greeter.RegisterGreeter(server, porter{})
	server.TLS = &tls.Config{Certificates: []tls.Certificate{serverCertificate}, ClientCAs: clientPool, ClientAuth: tls.RequireAndVerifyClientCert}
	listener, err := rpc.Listen("tcp://127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()

	client := rpc.Dial("tcp://" + listener.Addr().String())
	client.Wire = rpc.GRPC
	client.TLS = &tls.Config{Certificates: []tls.Certificate{clientCertificate}, RootCAs: serverPool, ServerName: "shop.example.org"}
	defer client.Close()
	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), new(greeter.HelloRequest))
	fmt.Println(reply.GetText(), err)
	// Output: hello, web.example.org <nil>
}

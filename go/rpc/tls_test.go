package rpc_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"strings"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// certified returns the settings of TLS of a server and of its clients.
func certified(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"shop"}}
	made, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(made)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{made}, PrivateKey: key}}}, &tls.Config{RootCAs: known, ServerName: "shop"}
}

func TestASideThatSpeaksTLSWhereTheOtherDoesNotIsToldByName(t *testing.T) {
	serverTLS, clientTLS := certified(t)
	for _, wire := range append([]rpc.Wire{rpc.GRPC}, thriftWires...) {
		for name, c := range map[string]struct {
			change         change
			client, server string
		}{
			"a client without TLS": {func(server *rpc.Server, _ *rpc.Client) { server.TLS = serverTLS }, "the server answers in TLS: connect with TLS", "the client does not speak TLS"},
			"a server without TLS": {func(_ *rpc.Server, client *rpc.Client) { client.TLS = clientTLS }, "the server answers without TLS", "the client speaks TLS"},
			"both":                 {func(server *rpc.Server, client *rpc.Client) { server.TLS, client.TLS = serverTLS, clientTLS }, "", ""},
		} {
			t.Run(wire.String()+"/"+name, func(t *testing.T) {
				s := set(t, "tcp", wire, c.change, func(server *rpc.Server, client *rpc.Client) {
					greeter.RegisterGreeter(server, &polite{})
					client.Policies.Retry.Attempts = 1
				})
				err := callOf(s.client)(within(t, testPatience))
				if c.client == "" {
					if err != nil {
						t.Fatal(err)
					}
					return
				}
				if rpc.CodeOf(err) != rpc.Unavailable || !strings.Contains(err.Error(), c.client) {
					t.Error("the client is told:", err)
				}
				if err := s.awaitLost(t); !strings.Contains(err.Error(), c.server) {
					t.Error("the server is told:", err)
				}
			})
		}
	}
}

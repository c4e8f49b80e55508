package grpc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"

	"hone/go/rpc"
)

// authority makes certificates.
type authority struct {
	testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{TB: t}
	var made tls.Certificate
	made, a.key = a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	var err error
	if a.certificate, err = x509.ParseCertificate(made.Certificate[0]); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes a certificate; the first one is self-signed.
func (a *authority) sign(of *x509.Certificate) (tls.Certificate, *ecdsa.PrivateKey) {
	a.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.Fatal(err)
	}
	of.SerialNumber, of.NotBefore, of.NotAfter = big.NewInt(1), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := of, key
	if a.certificate != nil {
		parent, signer = a.certificate, a.key
	}
	made, err := x509.CreateCertificate(rand.Reader, of, parent, &key.PublicKey, signer)
	if err != nil {
		a.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}, key
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// secure returns a setting with TLS, in which servers require certificates of clients if isMutual.
func (a *authority) secure(isMutual bool) setting {
	server, _ := a.sign(&x509.Certificate{
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	client, _ := a.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "client"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	s := setting{
		serverTLS: &tls.Config{Certificates: []tls.Certificate{server}},
		clientTLS: &tls.Config{RootCAs: a.pool(), Certificates: []tls.Certificate{client}},
	}
	if isMutual {
		s.serverTLS.ClientAuth, s.serverTLS.ClientCAs = tls.RequireAndVerifyClientCert, a.pool()
	}
	return s
}

// grpc-go refuses peers that do not agree to HTTP/2 by ALPN.
func TestCallsOverTLS(t *testing.T) {
	for _, isMutual := range []bool{false, true} {
		eachDirection(t, newAuthority(t).secure(isMutual), func(t *testing.T, _ *world, c client) {
			if text, _, _, err := c.hello(within(t, patience), "Ada"); err != nil || text != "Hello, Ada" {
				t.Fatal(text, err)
			}
			testList(t, c, 100, 100_000)
			testUpload(t, c, 100, 100_000)
			testChat(t, c)
		})
	}
}

func TestAClientWithoutACertificateIsRefused(t *testing.T) {
	s := newAuthority(t).secure(true)
	s.clientTLS.Certificates = nil
	eachDirection(t, s, func(t *testing.T, _ *world, c client) {
		if _, _, _, err := c.hello(within(t, patience), "Ada"); c.told(err).code != rpc.Unavailable {
			t.Error(err)
		}
	})
}

func TestAServerOfAnotherAuthorityIsRefused(t *testing.T) {
	s := newAuthority(t).secure(false)
	s.clientTLS.RootCAs = newAuthority(t).pool()
	eachDirection(t, s, func(t *testing.T, _ *world, c client) {
		if _, _, _, err := c.hello(within(t, patience), "Ada"); c.told(err).code != rpc.Unavailable {
			t.Error(err)
		}
	})
}

func TestAHandlerSeesTheConnection(t *testing.T) {
	s := newAuthority(t).secure(true)
	seen := make(chan *rpc.Call, 1)
	s.ourServer = func(server *rpc.Server) {
		server.Interceptors = []rpc.Interceptor{func(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
			seen <- call
			return next(ctx)
		}}
	}
	_, address := s.serveOurs(t, newWorld())
	if _, _, _, err := s.dialByTheirs(t, address).hello(within(t, patience), "Ada"); err != nil {
		t.Fatal(err)
	}
	if call := <-seen; call.Wire != rpc.GRPC || call.Service != "hone.greeter.v1.Greeter" || call.Method != "Hello" || call.Address == nil ||
		call.TLS == nil || call.TLS.PeerCertificates[0].Subject.CommonName != "client" {
		t.Errorf("%+v", call)
	}
}

// Command spiffe is the other side of hone-mesh's identities: a client or a server by go-spiffe, with an X.509-SVID from files.
//
//	spiffe serve FOLDER PEER          serves HTTP by TLS on a port of its own, which its first line says
//	spiffe get FOLDER PEER URL [...]  asks for each URL on one connection, and writes a line for each answer
//
// FOLDER has svid.pem, svid.key and a bundle for each trust domain that is trusted, such as shop.test.pem. PEER is the SPIFFE id
// that the other side has to have. The server's answer is the id of its client. Exit status: 1 where the other side is somebody
// else, or refuses us.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spiffe/go-spiffe/v2/bundle/x509bundle"
	"github.com/spiffe/go-spiffe/v2/spiffeid"
	"github.com/spiffe/go-spiffe/v2/spiffetls/tlsconfig"
	"github.com/spiffe/go-spiffe/v2/svid/x509svid"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "spiffe:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 3 {
		return fmt.Errorf("usage: spiffe serve|get FOLDER PEER [URL ...]")
	}
	folder, urls := arguments[1], arguments[3:]
	svid, err := x509svid.Load(filepath.Join(folder, "svid.pem"), filepath.Join(folder, "svid.key"))
	if err != nil {
		return err
	}
	bundles, err := bundlesOf(folder)
	if err != nil {
		return err
	}
	peer, err := spiffeid.FromString(arguments[2])
	if err != nil {
		return err
	}
	if arguments[0] == "serve" {
		return serve(svid, bundles, peer)
	}
	return get(svid, bundles, peer, urls)
}

// bundlesOf returns the authorities of each trust domain that a folder has a file of.
func bundlesOf(folder string) (*x509bundle.Set, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.test.pem"))
	if err != nil {
		return nil, err
	}
	set := x509bundle.NewSet()
	for _, file := range files {
		domain, err := spiffeid.TrustDomainFromString(strings.TrimSuffix(filepath.Base(file), ".pem"))
		if err != nil {
			return nil, err
		}
		bundle, err := x509bundle.Load(domain, file)
		if err != nil {
			return nil, err
		}
		set.Add(bundle)
	}
	return set, nil
}

func serve(svid *x509svid.SVID, bundles *x509bundle.Set, peer spiffeid.ID) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{
		TLSConfig: tlsconfig.MTLSServerConfig(svid, bundles, tlsconfig.AuthorizeID(peer)),
		Handler: http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			id, err := x509svid.IDFromCert(request.TLS.PeerCertificates[0])
			if err != nil {
				http.Error(answer, err.Error(), http.StatusInternalServerError)
				return
			}
			fmt.Fprint(answer, id)
		}),
	}
	return server.ServeTLS(listener, "", "")
}

func get(svid *x509svid.SVID, bundles *x509bundle.Set, peer spiffeid.ID, urls []string) error {
	transport := &http.Transport{TLSClientConfig: tlsconfig.MTLSClientConfig(svid, bundles, tlsconfig.AuthorizeID(peer))}
	client := http.Client{Transport: transport}
	for _, url := range urls {
		answer, err := client.Get(url)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		fmt.Println(answer.StatusCode, string(body))
	}
	return nil
}

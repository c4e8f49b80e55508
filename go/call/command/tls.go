package command

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
)

// TLS are the flags of secure connections.
type TLS struct {
	isOn                bool
	authority, own, key string
}

func (t *TLS) register(flags *flag.FlagSet) {
	flags.BoolVar(&t.isOn, "tls", false, "speak over TLS; the server's certificate must be one that this machine trusts, or that --cacert does")
	flags.StringVar(&t.authority, "cacert", "", "a PEM file of authorities that certify the server, instead of those of this machine; means --tls")
	flags.StringVar(&t.own, "cert", "", "a PEM file with the certificate of this side; means --tls")
	flags.StringVar(&t.key, "key", "", "a PEM file with the key of --cert")
}

// mostCertificates is the largest size of a certificate file, in bytes.
const mostCertificates = 16 << 20

// config returns the TLS configuration, or nil if connections are plain.
func (t *TLS) config() (*tls.Config, error) {
	if (t.own == "") != (t.key == "") {
		return nil, errors.New("a certificate needs its key; write both --cert FILE and --key FILE")
	}
	if !t.isOn && t.authority == "" && t.own == "" {
		return nil, nil
	}
	config := &tls.Config{}
	if t.authority != "" {
		pem, err := readFile(t.authority, mostCertificates)
		if err != nil {
			return nil, fmt.Errorf("--cacert: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--cacert: %s has no certificate in PEM", t.authority)
		}
	}
	if t.own != "" {
		pair, err := tls.LoadX509KeyPair(t.own, t.key)
		if err != nil {
			return nil, fmt.Errorf("--cert and --key: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

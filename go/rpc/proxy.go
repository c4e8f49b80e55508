package rpc

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// Proxy returns the proxy through which a client connects to an address HOST:PORT; nil means none. A proxy is http://[USER:PASSWORD@]HOST[:PORT], or
// https:// if the client speaks to the proxy over TLS.
type Proxy func(address string) (*url.URL, error)

// mostProxyBytes is the greatest length, in bytes, of the header that a proxy answers with.
const mostProxyBytes = 16 << 10

// dialTCP connects to an address of TCP, through a proxy if there is one.
func (c *Client) dialTCP(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Control: c.control}
	if c.Proxy == nil {
		return dialer.DialContext(ctx, network, address)
	}
	proxy, err := c.Proxy(address)
	if err != nil {
		return nil, fmt.Errorf("the proxy for %s: %w; write http://HOST:PORT", address, err)
	}
	if proxy == nil {
		return dialer.DialContext(ctx, network, address)
	}
	conn, err := throughProxy(ctx, &dialer, proxy, address)
	if err != nil {
		return nil, fmt.Errorf("the proxy %s: %w", proxy.Redacted(), err)
	}
	return conn, nil
}

// throughProxy connects to a proxy, and asks it to connect to an address.
func throughProxy(ctx context.Context, dialer *net.Dialer, proxy *url.URL, address string) (net.Conn, error) {
	port := map[string]string{"http": "80", "https": "443"}[proxy.Scheme]
	if port == "" {
		return nil, fmt.Errorf("%s is not known; write http://HOST:PORT or https://HOST:PORT", proxy.Scheme)
	}
	if proxy.Port() != "" {
		port = proxy.Port()
	}
	conn, err := dialer.DialContext(ctx, tcpNetwork, net.JoinHostPort(proxy.Hostname(), port))
	if err != nil {
		return nil, err
	}
	if proxy.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: proxy.Hostname()})
	}
	// The wait for the proxy ends with the context.
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	err = askProxy(conn, proxy.User, address)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// askProxy asks a proxy to connect to an address. It reads nothing beyond the proxy's answer, because the bytes that follow are the server's.
func askProxy(conn net.Conn, user *url.Userinfo, address string) error {
	request := "CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\nUser-Agent: " + userAgent + "\r\n"
	if user != nil {
		password, _ := user.Password()
		request += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)) + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return err
	}
	var answer []byte
	for one := make([]byte, 1); !bytes.HasSuffix(answer, []byte("\r\n\r\n")); {
		if _, err := io.ReadFull(conn, one); err != nil {
			return fmt.Errorf("no answer to CONNECT: %w", err)
		}
		if answer = append(answer, one[0]); len(answer) > mostProxyBytes {
			return errors.New("the answer to CONNECT is too long")
		}
	}
	line, _, _ := strings.Cut(string(answer), "\r\n")
	version, status, _ := strings.Cut(line, " ")
	switch {
	case !strings.HasPrefix(version, "HTTP/1."):
		return fmt.Errorf("%.100q is no answer of a proxy; look whether it is one for HTTP", line)
	case strings.HasPrefix(status, "407"):
		return fmt.Errorf("it wants a user and a password (%.100q); write http://USER:PASSWORD@HOST:PORT", status)
	case !strings.HasPrefix(status, "2"):
		return fmt.Errorf("it does not connect to %s: %.100q", address, status)
	}
	return nil
}

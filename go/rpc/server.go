package rpc

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/internal/workers"
	"hone/go/shm"
	"hone/go/thrift"
)

// Server answers calls. Its fields are set before it serves, and not changed after.
type Server struct {
	// Interceptors run around every call, the first outermost.
	Interceptors []Interceptor
	// Limits bound the load of the server.
	Limits Limits
	// MaxConnections is the number of connections that are served at a time; others wait in the listener's queue. 0 is no limit.
	MaxConnections int
	// MaxCallsPerConnection is the number of calls of one connection that are answered at a time: no more are read meanwhile. 0 is 4,096.
	MaxCallsPerConnection int
	// MessageBytes is the length that a message may have, in both directions, with its headers. 0 is 16 MiB.
	MessageBytes int
	// Thrift holds the options for reading messages of Thrift.
	Thrift thrift.Options
	// IdleTimeout is the time for which a connection may be without a call before it is closed; 0 is for ever.
	IdleTimeout time.Duration
	// FirstByteTimeout is the time for a TLS handshake, and the time for the first bytes of a connection once the very first one has come: they show
	// its wire and whether it goes through shared memory. 0 is 10 s.
	FirstByteTimeout time.Duration
	// WriteTimeout is the time for which a client may take none of the bytes that wait for it before its connection is closed. 0 is 10 s.
	WriteTimeout time.Duration
	// GracePeriod is the time for which [Server.Run] waits for calls to end once it is told to stop. 0 is 10 s.
	GracePeriod time.Duration
	// KeepAlive sets when the server pings a silent client of gRPC, to notice that it has vanished. It does nothing if Every is 0.
	KeepAlive KeepAlive
	// Compress is the length in bytes above which responses of gRPC are compressed, if the client can decompress them; 0 means never.
	Compress int
	// Compressors decompress requests of gRPC, beside gzip. The first one that the client supports compresses responses; if it supports none of them,
	// gzip does.
	Compressors []Compressor
	// Pings limits the pings of gRPC clients.
	Pings Pings
	// SharedMemory gives shared memory to clients of all Unix sockets that request it, and keeps counts. Nil gives it at addresses shm:///PATH alone.
	SharedMemory *shm.Server
	// TLS makes all connections secure; connections without TLS are refused. If NextProtos is empty, clients that ask for protocols by name (ALPN)
	// get h2, which clients of gRPC insist on.
	TLS *tls.Config
	// Lost is called with errors that no caller gets: errors of one-way calls, panics of handlers, connections that break. If it is nil,
	// connections that break are not reported, and the other errors go to Go's standard log.
	Lost func(error)

	methods map[string]*thriftMethod
	twice   map[string]bool
	// protos holds the functions of services, by /SERVICE/METHOD.
	protos      map[string]*protoMethod
	services    []Service
	chained     Interceptor
	workers     workers.Pool
	thrift      *thriftwire.Protocols
	compression compression
	once        sync.Once
	// admission is nil if there are no limits; limitsErr is the error of invalid limits.
	admission *admission
	limitsErr error

	mu sync.Mutex
	// listeners holds pointers to listeners, since a listener may be of a type that cannot be a key.
	listeners   map[*net.Listener]struct{}
	connections map[*serverConn]struct{}
	isEnding    atomic.Bool
	running     sync.WaitGroup
	// places has one entry for each connection, if their number is limited.
	places chan struct{}
	// sharesAll is true if there is shared memory at all Unix sockets.
	sharesAll bool
	// secure is TLS with HTTP/2 added, and onShutdown holds the functions that are called when the server begins to end.
	secure     *tls.Config
	onShutdown []func()
}

// NewServer makes a server that knows no services yet.
func NewServer() *Server { return &Server{} }

const (
	defaultMessageBytes     = 16 << 20
	defaultCalls            = 4096
	defaultFirstByteTimeout = 10 * time.Second
	defaultGracePeriod      = 10 * time.Second
)

// start fills in the defaults. The error is that of invalid limits.
func (s *Server) start() error {
	s.once.Do(func() {
		s.admission, s.limitsErr = newAdmission(s.Limits)
		s.MessageBytes = cmp.Or(s.MessageBytes, defaultMessageBytes)
		s.MaxCallsPerConnection = cmp.Or(s.MaxCallsPerConnection, defaultCalls)
		s.FirstByteTimeout = cmp.Or(s.FirstByteTimeout, defaultFirstByteTimeout)
		s.GracePeriod = cmp.Or(s.GracePeriod, defaultGracePeriod)
		if s.MaxConnections > 0 {
			s.places = make(chan struct{}, s.MaxConnections)
		}
		s.secure = withHTTP2(s.TLS)
		s.chained = chain(s.Interceptors)
		s.SharedMemory, s.sharesAll = cmp.Or(s.SharedMemory, new(shm.Server)), s.SharedMemory != nil
		s.thrift = thriftwire.NewProtocols(s.Thrift)
		s.compression = newCompression(s.Compress, s.Compressors)
		s.listeners, s.connections = map[*net.Listener]struct{}{}, map[*serverConn]struct{}{}
	})
	return s.limitsErr
}

// withHTTP2 returns a configuration that agrees to HTTP/2, unless it has protocols of its own.
func withHTTP2(config *tls.Config) *tls.Config {
	if config == nil || len(config.NextProtos) > 0 {
		return config
	}
	config = config.Clone()
	config.NextProtos = []string{"h2"}
	return config
}

// ErrServerClosed is the error of serving once the server has been told to end.
var ErrServerClosed = errors.New("the server has been told to end")

// Run listens on addresses, such as tcp://127.0.0.1:9090 and unix:///run/hello.sock, and serves until the process gets SIGTERM or SIGINT, or
// [Server.Shutdown] is called. Then it shuts down in order, as Shutdown does, within GracePeriod.
//
// # Errors
//
// The error of an address that cannot be listened on, or of a listener that fails. Nil after a shutdown.
func (s *Server) Run(addresses ...string) error {
	if err := s.start(); err != nil {
		return err
	}
	listeners, err := listenAll(addresses)
	if err != nil {
		return err
	}
	signalled, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	failed := make(chan error, len(listeners))
	for _, listener := range listeners {
		go func() { failed <- s.Serve(listener) }()
	}
	ready()
	select {
	case <-signalled.Done():
	case err = <-failed:
	}
	// A second signal ends the process as it would without this function.
	stop()
	ctx, cancel := context.WithTimeout(context.Background(), s.GracePeriod)
	defer cancel()
	ended := s.Shutdown(ctx)
	if errors.Is(err, ErrServerClosed) {
		return nil
	}
	return errors.Join(err, ended)
}

func listenAll(addresses []string) ([]net.Listener, error) {
	var listeners []net.Listener
	fail := func(err error) ([]net.Listener, error) {
		for _, listener := range listeners {
			listener.Close()
		}
		return nil, err
	}
	if len(addresses) == 0 {
		return nil, errors.New("no address to listen on; give one such as tcp://127.0.0.1:9090")
	}
	for _, address := range addresses {
		listener, err := Listen(address)
		if err != nil {
			return fail(err)
		}
		listeners = append(listeners, listener)
	}
	return listeners, nil
}

// Listen listens on tcp://HOST:PORT, unix:///PATH or shm:///PATH; the last is a Unix socket too, whose clients get shared memory if they request
// it. If systemd or [Server.Restart] has passed this process a socket for the address, that socket is used. A socket file that no process listens
// on any more is replaced.
func Listen(address string) (net.Listener, error) {
	at, err := parseEndpoint(address)
	if err != nil {
		return nil, err
	}
	listener, err := listen(at.socket())
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", at, err)
	}
	if at.network == sharedNetwork {
		return sharing{listener.(*net.UnixListener)}, nil
	}
	return listener, nil
}

func listen(at endpoint) (net.Listener, error) {
	if listener := takePassed(at); listener != nil {
		return listener, nil
	}
	listener, err := net.Listen(at.network, at.address)
	if at.network == unixNetwork && errors.Is(err, syscall.EADDRINUSE) && isAbandoned(at) {
		syscall.Unlink(at.address)
		return net.Listen(at.network, at.address)
	}
	return listener, err
}

// isAbandoned reports whether a socket file exists that nobody listens on.
func isAbandoned(at endpoint) bool {
	conn, err := net.Dial(at.network, at.address)
	if err == nil {
		conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Serve accepts connections of a listener, and returns when the listener fails or the server ends. Several listeners may be served at a time.
//
// # Errors
//
// [ErrServerClosed]; the listener's error; the error of invalid limits.
func (s *Server) Serve(listener net.Listener) error {
	if err := s.start(); err != nil {
		listener.Close()
		return err
	}
	if !s.addListener(&listener) {
		listener.Close()
		return ErrServerClosed
	}
	defer s.removeListener(&listener)
	for {
		if s.places != nil {
			s.places <- struct{}{}
		}
		conn, err := accept(listener, s.isEnding.Load)
		if err != nil {
			s.givePlace()
			if s.isEnding.Load() {
				return ErrServerClosed
			}
			return err
		}
		c := newServerConn(s, s.shared(listener, conn))
		if !s.add(c) {
			s.givePlace()
			conn.Close()
			return ErrServerClosed
		}
		go func() {
			defer s.remove(c)
			defer s.givePlace()
			c.serve()
		}()
	}
}

// givePlace makes room for another connection, if their number is limited.
func (s *Server) givePlace() {
	if s.places != nil {
		<-s.places
	}
}

// accept accepts a connection. It waits a while and tries again if a resource is short that others may give back, such as file
// descriptors.
func accept(listener net.Listener, isEnding func() bool) (net.Conn, error) {
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		conn, err := listener.Accept()
		if err == nil || isEnding() || !isScarcity(err) {
			return conn, err
		}
		time.Sleep(wait)
	}
}

func isScarcity(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOBUFS) ||
		errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ECONNABORTED) ||
		// Linux passes on the error of a connection that failed before it was accepted (accept(2)).
		errors.Is(err, syscall.EPROTO) || errors.Is(err, syscall.ENETDOWN) || errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH)
}

func (s *Server) addListener(listener *net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners[listener] = struct{}{}
	return !s.isEnding.Load()
}

func (s *Server) removeListener(listener *net.Listener) {
	s.mu.Lock()
	delete(s.listeners, listener)
	s.mu.Unlock()
	(*listener).Close()
}

func (s *Server) add(c *serverConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEnding.Load() {
		return false
	}
	s.connections[c] = struct{}{}
	s.running.Add(1)
	return true
}

func (s *Server) remove(c *serverConn) {
	s.mu.Lock()
	delete(s.connections, c)
	s.mu.Unlock()
	s.running.Done()
}

// OnShutdown registers a function that is called when [Server.Shutdown] begins, before clients are told to leave. It is for services whose calls do
// not end by themselves. The function must not wait.
func (s *Server) OnShutdown(run func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onShutdown = append(s.onShutdown, run)
}

// Shutdown ends the server in order: it takes no more connections, tells clients that understand it to go elsewhere, answers the calls that
// have come, and returns when all connections have ended. If the context ends first, it closes the connections that are left.
//
// # Errors
//
// The context's error, if the context ended first.
func (s *Server) Shutdown(ctx context.Context) error {
	s.start()
	ended := make(chan struct{})
	for _, run := range s.takeOnShutdown() {
		run()
	}
	for _, c := range s.stopTaking() {
		c.drain()
	}
	go func() {
		s.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		s.workers.Close()
		return nil
	case <-ctx.Done():
	}
	s.closeAll()
	return ctx.Err()
}

// takeOnShutdown returns the functions that are to be called at shutdown, once.
func (s *Server) takeOnShutdown() []func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.onShutdown
	s.onShutdown = nil
	return all
}

// Close ends the server at once: calls in flight lose their connections, and their contexts end. It does not wait for handlers.
func (s *Server) Close() {
	s.start()
	s.closeAll()
}

// stopTaking ends the listeners, and returns the present connections.
func (s *Server) stopTaking() []*serverConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isEnding.Store(true)
	for listener := range s.listeners {
		(*listener).Close()
	}
	var all []*serverConn
	for c := range s.connections {
		all = append(all, c)
	}
	return all
}

func (s *Server) closeAll() {
	for _, c := range s.stopTaking() {
		c.link.Close(ErrServerClosed)
	}
	s.workers.Close()
}

// lose reports an error that no caller gets.
func (s *Server) lose(err error) {
	if s.Lost != nil {
		s.Lost(err)
		return
	}
	log.Print(err)
}

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
	// Interceptors stand around every call, the first outermost.
	Interceptors []Interceptor
	// Limits bound what the server takes on.
	Limits Limits
	// MaxConnections is how many connections are served at a time; others wait in the listener's queue. 0 is no limit.
	MaxConnections int
	// MaxCallsPerConnection is how many calls of one connection are answered at a time: no more are read meanwhile. 0 is 4,096.
	MaxCallsPerConnection int
	// MessageBytes is how long a message may be, in both directions, with its headers. 0 is 16 MiB.
	MessageBytes int
	// Thrift says how messages of Thrift are read.
	Thrift thrift.Options
	// IdleTimeout is how long a connection may be without a call before it is closed; 0 is for ever.
	IdleTimeout time.Duration
	// FirstByteTimeout is how long a TLS handshake may take, and how long the first bytes of a connection, which say what it speaks and whether it
	// goes through shared memory, once the first of them has come. 0 is 10 s.
	FirstByteTimeout time.Duration
	// WriteTimeout is how long a client may take none of the bytes that wait for it before its connection is closed. 0 is 10 s.
	WriteTimeout time.Duration
	// GracePeriod is how long [Server.Run] waits for calls to end once it is told to stop. 0 is 10 s.
	GracePeriod time.Duration
	// KeepAlive is how the server finds out that a client of gRPC has gone without a word, if Every is not 0.
	KeepAlive KeepAlive
	// Compress compresses responses of gRPC, if they are longer than that many bytes and the client reads that; 0 is never.
	Compress int
	// Compressors are read in requests of gRPC, beside gzip. The first one that the client reads compresses responses, and gzip where it reads none of them.
	Compressors []Compressor
	// Pings are how often clients of gRPC may ask whether the server is there.
	Pings Pings
	// SharedMemory gives shared memory to clients of all Unix sockets that ask for it, and counts. Nil gives it at addresses shm:///PATH alone.
	SharedMemory *shm.Server
	// TLS makes all connections secure; those that are not are refused. Clients that ask for protocols by name (ALPN) are told h2, which clients
	// of gRPC insist on, where NextProtos has nothing.
	TLS *tls.Config
	// Lost is told of what no caller is told of: errors of one-way calls, handlers that panic, connections that break. It may be nil, which
	// leaves connections alone and writes the others to Go's standard log.
	Lost func(error)

	methods map[string]*thriftMethod
	twice   map[string]bool
	// protos are functions of services, by /SERVICE/METHOD.
	protos      map[string]*protoMethod
	services    []Service
	chained     Interceptor
	workers     workers.Pool
	thrift      *thriftwire.Protocols
	compression compression
	once        sync.Once
	// admission is nil where there are no limits; limitsErr is what is wrong with them.
	admission *admission
	limitsErr error

	mu sync.Mutex
	// listeners are told apart by where they are kept: they may be of a type that is no key.
	listeners   map[*net.Listener]struct{}
	connections map[*serverConn]struct{}
	isEnding    atomic.Bool
	running     sync.WaitGroup
	// places are taken by connections, where their number is limited.
	places chan struct{}
	// sharesAll is whether there is shared memory at all Unix sockets.
	sharesAll bool
	// secure is TLS with what is added to it, and onShutdown what is called when the server begins to end.
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

// start settles what was left to defaults. The error is that of limits that cannot be.
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

// withHTTP2 is a configuration that agrees to HTTP/2.
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
// [Server.Shutdown] is called. Then it ends calls in order, as Shutdown within GracePeriod.
//
// # Errors
//
// An address that cannot be listened on; a listener that fails. Nil after a shutdown.
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
	// A second signal ends the process as it would without us.
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

// Listen listens on tcp://HOST:PORT, unix:///PATH or shm:///PATH; the last is a Unix socket too, whose clients get shared memory if they ask for
// it. A socket that this process was given for that address is used, as systemd and [Server.Restart] give them. A socket file that no process
// listens on any more is replaced.
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

// isAbandoned is whether a socket file is there that nobody listens on.
func isAbandoned(at endpoint) bool {
	conn, err := net.Dial(at.network, at.address)
	if err == nil {
		conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Serve takes connections of a listener, and returns when that fails or the server ends. Several listeners may be served at a time.
//
// # Errors
//
// [ErrServerClosed]; the listener's; what is wrong with the server's limits.
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

// givePlace lets another connection be taken, where their number is limited.
func (s *Server) givePlace() {
	if s.places != nil {
		<-s.places
	}
}

// accept takes a connection. It waits a while and tries again where there is want of something that others may give back, such as file
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
		// Linux passes on what a connection failed by that nobody has taken yet (accept(2)).
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

// OnShutdown has a function called when [Server.Shutdown] begins, before clients are told to go: by what answers calls that do not end by
// themselves. It must not wait.
func (s *Server) OnShutdown(run func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onShutdown = append(s.onShutdown, run)
}

// Shutdown ends the server in order: it takes no more connections, tells clients that understand it to go elsewhere, answers the calls that
// have come, and returns when all connections have ended. When the context ends first it closes those that are left.
//
// # Errors
//
// The context's, if it ended first.
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

// takeOnShutdown gives what is to be called, once.
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

// stopTaking ends the listeners, and gives the connections there are.
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

// lose tells of an error that no caller is told of.
func (s *Server) lose(err error) {
	if s.Lost != nil {
		s.Lost(err)
		return
	}
	log.Print(err)
}

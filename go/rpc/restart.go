package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Sockets are passed to another process as systemd passes them (sd_listen_fds(3)): from descriptor 3 on, with their number and names in the
// environment. So a server may be started by a socket unit or by [Server.Restart], and cannot tell the difference.
const (
	firstPassed   = 3
	passedProcess = "LISTEN_PID"
	passedCount   = "LISTEN_FDS"
	passedNames   = "LISTEN_FDNAMES"
	// readyDescriptor names the environment variable with the number of the descriptor that a process closes once it serves.
	readyDescriptor = "HONE_RPC_READY_FD"
	// namesSeparator separates the names of sockets, which are their addresses with this character replaced.
	namesSeparator = ":"
)

// passed returns the sockets that this process was given, by their addresses.
var passed = sync.OnceValue(func() map[string]net.Listener {
	listeners := map[string]net.Listener{}
	count, err := strconv.Atoi(os.Getenv(passedCount))
	owner := os.Getenv(passedProcess)
	if err != nil || owner != "" && owner != strconv.Itoa(os.Getpid()) {
		return listeners
	}
	for descriptor := firstPassed; descriptor < firstPassed+count; descriptor++ {
		closeOnExec(descriptor)
		file := os.NewFile(uintptr(descriptor), "passed")
		listener, err := net.FileListener(file)
		file.Close()
		if err == nil {
			listeners[addressOf(listener)] = listener
		}
	}
	for _, name := range []string{passedProcess, passedCount, passedNames} {
		os.Unsetenv(name)
	}
	return listeners
})

// addressOf returns a listener's address as [Listen] takes it.
func addressOf(listener net.Listener) string {
	at := listener.Addr()
	return endpoint{at.Network(), at.String()}.String()
}

// takePassed returns a socket that this process was given for an address; each only once.
func takePassed(at endpoint) net.Listener {
	passedMu.Lock()
	defer passedMu.Unlock()
	for address, listener := range passed() {
		if sameAddress(address, at) {
			delete(passed(), address)
			return listener
		}
	}
	return nil
}

var passedMu sync.Mutex

// sameAddress reports whether a socket's own address is the requested one, whose host may be a name or left out.
func sameAddress(address string, at endpoint) bool {
	if address == at.String() {
		return true
	}
	if at.network != "tcp" {
		return false
	}
	asked, err := net.ResolveTCPAddr("tcp", at.address)
	return err == nil && address == endpoint{"tcp", asked.String()}.String()
}

// ready tells the process that started this one by Restart, if there is one, that this process serves.
func ready() {
	descriptor, err := strconv.Atoi(os.Getenv(readyDescriptor))
	if err != nil {
		return
	}
	os.Unsetenv(readyDescriptor)
	file := os.NewFile(uintptr(descriptor), "ready")
	file.Write([]byte{1})
	file.Close()
}

// Restart starts this program once more with the same arguments, passes it the sockets on which the server listens, waits until the new process
// serves, and then ends this server as [Server.Shutdown] does: no connection is refused meanwhile. The new process takes a socket if its [Listen]
// or [Server.Run] gets the same address.
//
// # Errors
//
// An error if the new process does not serve; this one then goes on. The context's error, if the context ends while connections end.
func (s *Server) Restart(ctx context.Context) error {
	s.start()
	files, names, err := s.socketFiles()
	defer closeFiles(files)
	if err != nil {
		return fmt.Errorf("pass the sockets on: %w", err)
	}
	tells, told, err := os.Pipe()
	if err != nil {
		return err
	}
	defer tells.Close()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(program, os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.ExtraFiles = append(files, told)
	command.Env = append(os.Environ(), passedCount+"="+strconv.Itoa(len(files)), passedNames+"="+strings.Join(names, namesSeparator),
		readyDescriptor+"="+strconv.Itoa(firstPassed+len(files)))
	err = command.Start()
	told.Close()
	if err != nil {
		return err
	}
	if err := awaitReady(ctx, tells, command); err != nil {
		return err
	}
	return s.Shutdown(ctx)
}

// awaitReady waits until the new process serves or has ended.
func awaitReady(ctx context.Context, tells *os.File, command *exec.Cmd) error {
	stop := context.AfterFunc(ctx, func() { tells.Close() })
	defer stop()
	var said [1]byte
	if n, _ := tells.Read(said[:]); n == 1 {
		// This process ends first, so it need not know how the new process ends.
		go command.Wait()
		return nil
	}
	command.Process.Kill()
	err := command.Wait()
	return errors.Join(fmt.Errorf("the new process did not come to serve: %w", err), ctx.Err())
}

// socketFiles returns copies of the sockets on which the server listens. The files of Unix sockets stay when this process closes them.
func (s *Server) socketFiles() (files []*os.File, names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.listeners {
		listener := *at
		withFile, ok := listener.(interface{ File() (*os.File, error) })
		if !ok {
			return files, nil, fmt.Errorf("a listener of type %T has no file", listener)
		}
		if unix, ok := listener.(interface{ SetUnlinkOnClose(bool) }); ok {
			unix.SetUnlinkOnClose(false)
		}
		file, err := withFile.File()
		if err != nil {
			return files, nil, err
		}
		files = append(files, file)
		names = append(names, strings.ReplaceAll(addressOf(listener), namesSeparator, "_"))
	}
	return files, names, nil
}

func closeFiles(files []*os.File) {
	for _, file := range files {
		file.Close()
	}
}

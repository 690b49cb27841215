package workers

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Listening is the beginning of an address at which the runner itself is the server.
const Listening = "listen:"

// Server is a NATS server inside this process.
type Server struct {
	server *server.Server
	url    string
	folder string
}

const (
	defaultPort = 4222
	mostPayload = 8 << 20 // bytes of one message
	mostQueued  = 1 << 30 // bytes of all jobs or of all answers at a server of ours
	startsIn    = 30 * time.Second
)

// Listen runs a server at HOST:PORT that keeps its files in a folder. Without credentials the host must be of the
// loopback. The port may be 0 for any free one.
func Listen(address, folder string, c Credentials) (*Server, error) {
	host, port, err := checkListening(address, c)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if err := os.MkdirAll(folder, 0o700); err != nil { // bots' files and answers are in it
		return nil, fmt.Errorf("the folder of the server for workers: %w", err)
	}
	o := &server.Options{
		Host: host, Port: port, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true, MaxPayload: mostPayload,
		ServerName: "sembra", AuthTimeout: answersWithin.Seconds(), // on a busy machine, 2 s are not enough
	}
	if err := c.server(o); err != nil {
		return nil, fmt.Errorf("the credentials: %w", err)
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("the server for workers: %w", err)
	}
	// The server logs why it does not start, and otherwise nothing that people need.
	why := new(reasons)
	s.SetLoggerV2(why, false, false, false)
	go s.Start()
	ready := false
	for begun := time.Now(); !ready && !why.any() && time.Since(begun) < startsIn; {
		ready = s.ReadyForConnections(startsIn / 100)
	}
	if !ready || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the server for workers does not start at %s: %w", net.JoinHostPort(host, strconv.Itoa(max(0, port))), why.first())
	}
	return &Server{server: s, url: s.ClientURL(), folder: folder}, nil
}

// checkListening returns the host and the port of an address to listen at.
func checkListening(address string, c Credentials) (host string, port int, err error) {
	host, port, err = splitAddress(address)
	switch {
	case err != nil:
		return "", 0, err
	case !c.given() && !loopback(host):
		return "", 0, fmt.Errorf("listen:%s is open to other machines, and needs --credentials FILE, so that only your workers can "+
			"connect (hint: the file may hold one line: token = \"a long random text\")", address)
	case c.user:
		return "", 0, fmt.Errorf("the credentials in %s are a .creds file, which is for a NATS server of its own "+
			"(hint: for listen: write a file with token or nkey)", c.file)
	}
	return host, port, nil
}

// URL returns the address for clients.
func (s *Server) URL() string { return s.url }

// queueSpace returns how many bytes the stream of the jobs may have, and that of the answers. The server reserves them, so
// on a small disk it is less than usual.
func (s *Server) queueSpace() int64 {
	return max(1, min(mostQueued, s.server.JetStreamConfig().MaxStore/4))
}

// Close stops the server. Its files stay.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// Remove removes the files of a server that is closed. Other files in its folder stay.
func (s *Server) Remove() error {
	err := os.RemoveAll(filepath.Join(s.folder, server.JetStreamStoreDir))
	_ = os.Remove(s.folder) // fails if there is something else
	return err
}

// splitAddress reads HOST:PORT or HOST.
func splitAddress(address string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		host, digits = strings.Trim(address, "[]"), strconv.Itoa(defaultPort)
	}
	port, wrong := strconv.Atoi(digits)
	_, number := strconv.Atoi(host) // a port without a host
	if host == "" || number == nil || wrong != nil || port < 0 || port > 65535 || strings.ContainsAny(host, "/ ") {
		return "", 0, fmt.Errorf("%q is not an address to listen at; it must be HOST:PORT, as in listen:127.0.0.1:4222", address)
	}
	return host, port, nil
}

// loopback reports whether only this machine reaches a host.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

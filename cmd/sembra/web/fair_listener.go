package web

import (
	"net"
	"sync"
)

// fairListener closes a new connection from an address that has as many open ones as it may. So one client cannot keep
// the others out.
type fairListener struct {
	net.Listener
	most int

	mu   sync.Mutex // guards open
	open map[string]int
}

func newFairListener(of net.Listener, most int) *fairListener {
	return &fairListener{Listener: of, most: most, open: make(map[string]int)}
}

// Accept returns the next connection whose address may have another one.
func (l *fairListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address, _, err := net.SplitHostPort(conn.RemoteAddr().String())
		if err != nil {
			return conn, nil // it has no address, such as that of a test
		}
		if l.count(address, 1) <= l.most {
			return &countedConn{Conn: conn, closed: sync.OnceFunc(func() { l.count(address, -1) })}, nil
		}
		l.count(address, -1)
		conn.Close()
	}
}

// count changes the number of connections of an address, and returns the new one.
func (l *fairListener) count(address string, change int) (now int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now = l.open[address] + change; now == 0 {
		delete(l.open, address)
	} else {
		l.open[address] = now
	}
	return now
}

// countedConn is a connection that counts until it is closed.
type countedConn struct {
	net.Conn
	closed func()
}

// Close closes the connection.
func (c *countedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

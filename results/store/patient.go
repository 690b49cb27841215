package store

import (
	"net"
	"time"
)

// patient is a connection that is closed when a read or a write makes no progress for a time. It may be idle
// for as long as its user wants.
type patient struct {
	net.Conn
	after time.Duration
}

// limit closes the connection after the time, unless the returned function is called first.
func (p patient) limit() (stop func() bool) {
	return time.AfterFunc(p.after, func() { p.Conn.Close() }).Stop
}

// Read waits for the first byte for a limited time.
func (p patient) Read(b []byte) (int, error) {
	defer p.limit()()
	return p.Conn.Read(b)
}

// Write writes in parts, each of which has a limited time.
func (p patient) Write(b []byte) (written int, err error) {
	const most = 256 << 10 // bytes
	for err == nil && written < len(b) {
		var n int
		n, err = p.writePart(b[written:min(len(b), written+most)])
		written += n
	}
	return written, err
}

func (p patient) writePart(b []byte) (int, error) {
	defer p.limit()()
	return p.Conn.Write(b)
}

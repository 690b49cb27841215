package store

import (
	"net"
	"time"
)

// patient is a connection whose reads and writes fail when no byte moves for a time.
type patient struct {
	net.Conn
	after time.Duration
}

// Read waits for the first byte only as long as the patience lasts.
func (p patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(p.after)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

// Write writes in parts, and has patience for each part.
func (p patient) Write(b []byte) (written int, err error) {
	const part = 256 << 10 // bytes
	for err == nil && written < len(b) {
		if err := p.SetWriteDeadline(time.Now().Add(p.after)); err != nil {
			return written, err
		}
		var n int
		n, err = p.Conn.Write(b[written:min(len(b), written+part)])
		written += n
	}
	return written, err
}

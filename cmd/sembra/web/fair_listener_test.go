package web

import (
	"errors"
	"io"
	"net"
	"testing"
)

// TestFairListener: an address has at most so many connections, and another one when it has closed one.
func TestFairListener(t *testing.T) {
	t.Parallel()
	const most = 3
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := newFairListener(plain, most)
	defer listener.Close()
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", plain.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	var held []net.Conn
	for range most {
		dial()
		held = append(held, <-accepted)
	}
	if _, err := dial().Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("one too many: %v, want its end", err)
	}
	held[0].Close()
	held[0].Close() // counts once
	dial()
	held[0] = <-accepted
	if _, err := dial().Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("one too many again: %v, want its end", err)
	}
	for _, conn := range held {
		conn.Close()
	}
	if len(listener.open) != 0 {
		t.Errorf("left: %v", listener.open)
	}
}

package guest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"sembra/arena/protocol"
)

// sized is a bot that tells how much memory it holds.
type sized struct {
	Bot
	bytes   int64
	known   bool
	told    strings.Builder
	stopped int
}

func (s *sized) Memory() (int64, bool)       { return s.bytes, s.known }
func (s *sized) CPU() (time.Duration, bool)  { return 0, false }
func (s *sized) Write(b []byte) (int, error) { return s.told.Write(b) }
func (s *sized) SetDeadline(time.Time)       {}
func (s *sized) Pause()                      {}
func (s *sized) Resume()                     {}
func (s *sized) Stop(time.Duration)          { s.stopped++ }

// TestPoolBounds: a full pool keeps the bots that it has, and sends others away.
func TestPoolBounds(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no bot is kept where none can be stopped")
	}
	for _, test := range []struct {
		name  string
		bytes int64
		known bool
		kept  int
	}{
		{"number", 1 << 20, true, mostIdle},
		{"memory", 300 << 20, true, 3},
		{"memory of one", mostIdleMemory + 1, true, 0},
		{"unknown memory", 0, false, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := NewSpawner(nil)
			p := NewPool(n)
			var bots [200]sized
			for i := range bots {
				bots[i].bytes, bots[i].known = test.bytes, test.known
				bot := &Player{Entry: &Entry{Name: fmt.Sprint(i)}, Bot: &bots[i], Host: protocol.MBI.NewHost(&bots[i])}
				p.Put(bot)
			}
			for i := range bots {
				if left := bots[i].told.String() == "quit\n"; left != (i >= test.kept) {
					t.Errorf("whether bot %d was sent away is %v; the pool keeps %d", i, left, test.kept)
				}
			}
			for range 2 { // there is room again for what was taken
				if test.kept == 0 {
					break
				}
				bot := p.Take("1")
				if bot == nil || p.Take("1") != nil {
					t.Fatal("there should be one bot of that name")
				}
				p.Put(bot)
			}
			p.Close()
			n.Close()
			for i := range bots {
				if bots[i].told.String() != "quit\n" || bots[i].stopped != 1 {
					t.Errorf("bot %d was not sent away at the end", i)
				}
			}
		})
	}
}

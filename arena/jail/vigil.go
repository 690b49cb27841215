package jail

import (
	"sync"
	"time"

	"sembra/arena/jail/procfs"
)

// vigil looks after a bot that was stopped by signals. It stops the bot again if a
// process of the bot has arranged to be woken, and measures how much processor
// time the bot uses although it is paused.
type vigil struct {
	below bool // the root itself is no part of the bot
	stop  func(running []int)

	mu     sync.Mutex // guards the fields below; held while the bot is stopped again
	closed bool
	root   int // the first process of the bot's family
	paused bool
	timer  *time.Timer
	looks  int
	before map[int]time.Duration // the processor times of the processes when they had stopped; nil: not yet
	used   time.Duration         // in the last pause that was measured
	guilty int                   // how many pauses in a row were not kept
}

const (
	// A bot has this long to stop, and a pause that is shorter is not measured.
	firstLook = 5 * time.Millisecond
	longest   = time.Second // between two looks, which grow rarer
	manyLooks = 8           // after them, the time between two looks does not grow any more

	// Within three looks, a bot has stopped, even if it had no processor before.
	// Otherwise it is woken again and again.
	looksToStop = 3

	// A bot that was stopped uses no processor time. This is much more than the
	// kernel may need for what a bot asked of it before.
	tolerated = 10 * time.Millisecond
)

// begin begins a pause of the bot with this first process. The bot was just stopped.
func (v *vigil) begin(root int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.paused || v.closed {
		return
	}
	v.root, v.paused, v.before, v.looks = root, true, nil, 0
	if v.timer == nil {
		v.timer = time.AfterFunc(firstLook, v.look)
	} else {
		v.timer.Reset(firstLook)
	}
}

// look stops the bot again if one of its processes runs.
func (v *vigil) look() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.paused {
		return
	}
	now, running := v.census()
	v.looks++
	if v.before == nil && (len(running) == 0 || v.looks >= looksToStop) {
		v.before = now
	}
	if len(running) > 0 {
		v.stop(running)
	}
	v.timer.Reset(min(firstLook<<min(v.looks, manyLooks), longest))
}

// end ends a pause, before the bot goes on.
func (v *vigil) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.paused {
		return
	}
	v.paused = false
	v.timer.Stop()
	if v.before == nil {
		return
	}
	now, _ := v.census()
	init := 0
	if v.below {
		init = v.root
	}
	if v.used = usedSince(v.before, now, init); v.used > tolerated {
		v.guilty++
	} else {
		v.guilty = 0
	}
}

// usedSince returns the processor time that a bot used between two censuses. The
// time of the jail's init, if there is one, is that of the bot's orphans that have
// ended, with what these had used before.
func usedSince(before, now map[int]time.Duration, init int) (used time.Duration) {
	ended := time.Duration(0)
	for pid, had := range before {
		if _, lives := now[pid]; !lives {
			ended += had
		}
	}
	for pid, has := range now {
		more := has - before[pid]
		if pid == init {
			more -= ended
		}
		used += max(0, more)
	}
	return used
}

// close ends the vigil of a bot that is killed: soon, its number may be another's.
func (v *vigil) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed, v.paused = true, false; v.timer != nil {
		v.timer.Stop()
	}
}

// awake is [Inmate.Awake].
func (v *vigil) awake() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	const inARow = 2
	if v.guilty < inARow {
		return 0
	}
	return v.used
}

// census returns the processor times of the bot's processes, with those of their
// dead children, and the processes that have not stopped. It finds none where the
// kernel does not list the children of a process.
func (v *vigil) census() (used map[int]time.Duration, running []int) {
	used = make(map[int]time.Duration)
	procfs.Walk(v.root, func(p procfs.Process, threads []int) {
		if v.below && p.PID == v.root { // the init reaps the orphans of the bot
			used[p.PID] = p.Reaped
			return
		}
		exact, ok := procfs.CPU(p.PID)
		if !ok {
			exact = p.Used
		}
		used[p.PID] = exact + p.Reaped
		if !procfs.Stopped(p.PID, threads) {
			running = append(running, p.PID)
		}
	})
	return used, running
}

package guest

import (
	"fmt"
	"runtime"
	"slices"
)

// ShareProcessors claims processors for the tables of a run, so many for each of them. The bots of a match take turns.
// So one processor serves both of them and the runner's thread, and each wakes up sooner on the processor on which the
// other one has just gone to sleep. No two tables have the same processor, not even in different runs.
//
// An error says why no table gets any: the run can have too few. Systems that do not bind processes to processors give
// none without an error. Release gives all of them back.
func ShareProcessors(each, tables int) (shares [][]int, release func(), err error) {
	return shareProcessors(each, tables, AllowedProcessors(), claimProcessor)
}

func shareProcessors(
	each, tables int, allowed []int, claim func(int) (release func(), ok bool),
) (shares [][]int, release func(), err error) {
	shares = make([][]int, tables)
	needed, own := each*tables, []int(nil)
	var claims []func()
	release = func() {
		for _, giveBack := range claims {
			giveBack()
		}
	}
	for _, n := range allowed {
		if len(own) == needed {
			break
		}
		if giveBack, ok := claim(n); ok {
			own, claims = append(own, n), append(claims, giveBack)
		}
	}
	if len(own) < needed {
		release()
		if len(allowed) > 0 {
			err = fmt.Errorf("%s needed, and %s free", are(needed), are(len(own)))
		}
		return shares, func() {}, err
	}
	for i := range shares {
		shares[i] = own[i*each : (i+1)*each]
	}
	return shares, release, nil
}

// are says how many there are.
func are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// Bind lets a bot that has run elsewhere run only on these processors from now on.
func (p *Player) Bind(processors []int) {
	if !slices.Equal(p.on, processors) {
		p.on = processors
		p.Bot.Bind(processors)
	}
}

// Thread is a thread of the system that lives until Close. A bot dies with the thread that started it, and Go ends other
// threads at any time.
type Thread struct{ work chan func() }

// NewThread returns an open thread that runs only on these processors, if the system can; none are any.
func NewThread(processors []int) *Thread {
	t := &Thread{make(chan func())}
	go func() { // until Close
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if len(processors) > 0 {
			bindThread(processors)
		}
		for do := range t.work {
			do()
		}
	}()
	return t
}

// Do calls a function on the thread, and returns after it.
func (t *Thread) Do(do func()) {
	done := make(chan struct{})
	t.work <- func() {
		defer close(done)
		do()
	}
	<-done
}

// Close ends the thread, with all bots that it has started.
func (t *Thread) Close() { close(t.work) }

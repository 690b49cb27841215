package guest

import "time"

// A bot runs only while it is waited for: while it starts, while it gets ready or thinks, and when it is sent away. Its
// opponent is frozen meanwhile, so that it takes no CPU time from it. To freeze a bot and to let it run again takes
// longer than an instant bot thinks, so between such bots that is left out: who waits freezes the other one only once
// the wait has lasted some time. A bot that has just been slow will most likely be slow again. Then the other one is
// frozen before the clock starts, because beside hundreds of busy threads the runner itself can wait long for a processor.
const (
	quick   = time.Millisecond // a quicker answer takes less time
	slowFor = 8                // answers for which a bot counts as slow after one that was not quick
)

// Freeze stops a bot until it is waited for.
func (p *Player) Freeze() {
	if !p.frozen {
		p.frozen = true
		p.Bot.Pause()
	}
}

// thaw lets a bot run.
func (p *Player) thaw() {
	if p.frozen {
		p.frozen = false
		p.Bot.Resume()
	}
}

// Ready lets a bot run that will be waited for, before its clock starts. If one of the two bots of the match is slow, the
// other one is frozen.
func (p *Player) Ready() {
	if o := p.Opponent; o != nil && (p.slow > 0 || o.slow > 0) {
		o.Freeze()
	}
	p.thaw()
}

// Await sets the deadline of a wait for the bot that has begun. If the wait lasts some time, the opponent is frozen.
func (p *Player) Await(begun time.Time, patience time.Duration) {
	p.Bot.SetDeadline(begun.Add(patience))
	if o := p.Opponent; o != nil && !o.frozen {
		p.Bot.Meanwhile(begun.Add(quick), o.Freeze)
	}
}

// Answered notes how long the answer to a question took.
func (p *Player) Answered(took time.Duration) {
	if took >= quick {
		p.slow = slowFor
	} else {
		p.slow = max(0, p.slow-1)
	}
}

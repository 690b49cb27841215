package arena

import "sembra/results"

// Event is one thing that happens in a run: exactly one of its pointers is set.
// Nobody may change what it points to.
type Event struct {
	Isolated   *IsolationFound
	Unbound    *NotBound
	BotFailed  *BotFailed
	RunBegun   *RunBegun
	MatchEnded *MatchEnded
	MatchVoid  *MatchVoid
}

// IsolationFound reports, before the bots start, what they are isolated from.
type IsolationFound struct {
	Line  string // for people
	Brief string // the same in few words: whole, or what is missing
	More  string // the end of the line, which says what some bots may use beside what all may; "": nothing
	Less  bool   // bots can do harm that a whole sandbox keeps them from

	Strict  bool // it holds all that strict isolation demands
	Shields bool // bots are kept from the user's files and, unless they may use it, from the network
}

// NotBound says that bots are not bound to processors, because the run can have too few.
type NotBound struct{ Why error }

// BotFailed is a bot that did not start before the first match.
type BotFailed struct {
	Bot  string
	What string // for people, with the bot's name

	Stderr   []byte // the end of its standard error
	Forfeits bool   // it loses its matches; if not, nothing is played
}

// RunBegun says that the bots have started, so that the first match begins.
type RunBegun struct{}

// MatchEnded is a match whose record is safe.
type MatchEnded struct {
	Number int
	Record results.Record // its evidence says what a bot at fault did
}

// MatchVoid is a match without a record because the runner itself failed.
type MatchVoid struct {
	Job    Job
	Reason string
	Again  bool // the match is played again; if not, the run ends
}

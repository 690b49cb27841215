package results

import "time"

// Evidence is what is kept of a match that a bot lost by a fault, apart from its record: what the
// arena and the bots last said to each other. It is bounded. All that comes from a bot in it is a
// stranger's bytes as they came: see Visible.
type Evidence struct {
	What  string `json:"what"` // what the bot at fault did, for people
	South Talk   `json:"south"`
	North Talk   `json:"north"`
}

// Talk is the end of the conversation with one bot.
type Talk struct {
	Lines      []TalkLine `json:"lines"`       // the last, in the order in which they were written or came
	Left       int        `json:"left"`        // lines before those
	Stderr     []byte     `json:"stderr"`      // the end of what the bot's process wrote to its standard error
	StderrLeft int64      `json:"stderr_left"` // bytes before that
}

// TalkLine is one line on the wire.
type TalkLine struct {
	At   time.Duration `json:"at"`   // since the match was begun at its table, before its bots were called
	Said bool          `json:"said"` // by the bot; false: to it
	Text []byte        `json:"text"` // the line without its end, or its beginning
	Cut  int           `json:"cut"`  // bytes of it after Text

	Left int `json:"left,omitempty"` // lines between the one before and this that are not kept; of the first see Talk
}

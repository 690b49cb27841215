package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/safe"
	"sembra/results/store"
)

type roundView struct {
	results.Round
	Number int
	URL    string // of its first board
	Opens  int    // the number of its first ply
	Moves  template.HTML
}

// match returns the match with a number, which is read from an address.
func (r *reader) match(text string) (report.Match, results.Replay) {
	none := missing(fmt.Sprintf("%q is not the number of a match", text), hyperlink{"All matches", r.toMatches(nil)})
	number, err := strconv.Atoi(text)
	if err != nil {
		check(none)
	}
	m := report.Match{Tournament: r.Tournament, Number: number, Matches: r.Schedule.Known()}
	found := false
	if number >= 1 && number <= m.Matches {
		m.Record, found, err = r.Record(number)
		check(err)
	}
	if !found {
		none.what = fmt.Sprintf("tournament %q has no match %d so far", r.Tournament.Name, number)
		check(none)
	}
	return m, got(r.Tournament.Replay(r.ruleset(), m.Record))
}

func (r *reader) matchPage(text string) content {
	m, replay := r.match(text)
	title := fmt.Sprintf("Match %d: %s – %s", m.Number, m.Record.South, m.Record.North)
	view := r.matchView(m, replay)
	view["Before"], view["After"] = r.neighbour("Previous match", m.Number-1), r.neighbour("Next match", m.Number+1)
	return r.below("match", title, view)
}

// inPlayPage returns the page of a match in play, which is its replay so far.
func (s *Server) inPlayPage(tournament string, begun arena.MatchBegun) content {
	all := got(s.library.Tournaments())
	t := all[slices.IndexFunc(all, func(t results.Tournament) bool { return t.Name == tournament })]
	rules := got(t.Rules())
	match := t.Begin(rules, got(engine.ParsePosition(rules, begun.Opening)))
	last := begun.At
	for _, ply := range begun.Plies {
		check(match.Play(ply.Token, ply.Elapsed, ply.Score))
		last = begun.Moved
	}
	record := match.Record(begun.Key, results.Verdict{})
	r := s.reader(&store.Records{Tournament: t})
	view := r.matchView(report.Match{Tournament: t, Number: begun.Number, Record: record}, results.Replay{Match: match, Record: record})
	view["Place"] = fmt.Sprintf("Match %d, pair %d", begun.Number, begun.Pair)
	view["Outcome"], view["Facts"], view["Save"], view["Live"] = "The match is being played", nil, "", true
	view["Data"].(templateData)["idle"] = milliseconds(max(0, time.Since(last))) // since the last move
	title := fmt.Sprintf("Match %d: %s – %s", begun.Number, begun.South, begun.North)
	return r.below("match", title, view)
}

// answerMatch answers with a match as a file to save: its boards as text, or its JSON line.
func (s *Server) answerMatch(w http.ResponseWriter, request *http.Request) {
	name, number := unsegment(request.PathValue("tournament")), request.PathValue("number")
	var text bytes.Buffer
	kind, ending := "text/plain; charset=utf-8", ".txt"
	check(s.library.Read(request.Context(), name, func(b *store.Records) (err error) {
		defer catch(&err)
		m, replay := s.reader(b).match(number)
		if request.PathValue("format") == "json" {
			kind, ending = "application/jsonl", ".jsonl"
			return m.WriteJSON(&text)
		}
		return m.WriteBoards(&text, replay, show.Unicode)
	}))
	save(w, kind, name+"-match-"+number+ending, text.Bytes())
}

func (r *reader) matchView(m report.Match, replay results.Replay) templateData {
	t, record, number := m.Tournament, m.Record, m.Number
	here := r.toMatch(number)
	address := func(ply int) string { return r.ply(here, ply) }
	left := replay.TimeLeft()
	frames := boardFrames(replay)
	frames[len(frames)-1].End = stoppedBy(m, replay)
	data := templateData{ // for the script
		"layout": newBoardLayout(replay.Rules(), record.South, record.North), "frames": frames,
	}
	if len(left) > 0 { // what the clocks of South and of North showed on each board
		var clocks [][2]float64
		for _, now := range left {
			clocks = append(clocks, [2]float64{milliseconds(now[engine.South]), milliseconds(now[engine.North])})
		}
		data["left"] = clocks
	}
	facts, stderr := m.Facts(), faultStderr(record)
	for i := range facts {
		if facts[i].Name == "what" && stderr != "" { // which follows whole
			facts[i].Text, _, _ = strings.Cut(facts[i].Text, "; it wrote: ")
		}
	}
	if clock := t.Time.String(); clock != "" {
		facts = append(facts, report.Fact{Name: "clock", Text: clock})
	}
	opening := "" // of a match that did not begin with the start of the ruleset
	if replay.Start != replay.Rules().Start() {
		opening = record.Opening
	}
	view := templateData{
		"Ruleset": hyperlink{t.Ruleset, r.rules(t.Ruleset)},
		"Place":   fmt.Sprintf("Match %d of %d, pair %d", number, m.Matches, record.Pair),
		"Seats":   [2]hyperlink{engine.South: r.toBot(record.South), engine.North: r.toBot(record.North)},
		"Outcome": m.Outcome(), "Ending": m.Explain(replay),
		"Board": report.Draw(replay, len(replay.Plies), show.Unicode), // the last one
		"Data":  data, "Opening": opening, "Plies": len(replay.Plies), "PlyAddress": address(len(replay.Plies)),
		"Rounds": roundViews(replay, address), "Charts": matchCurves(replay, left), "Facts": facts, "Talk": r.talk(m),
		"Stderr": stderr, "Save": "", "Play": "",
		"Before": hyperlink{}, "After": hyperlink{}, "Live": false,
	}
	if r.playing != nil {
		view["Save"] = here
		if len(r.playing.Opponents) > 0 {
			view["Play"] = r.play(choices{"ruleset": t.Ruleset})
		}
	}
	return view
}

// stoppedBy says what ended a match that did not end by the rules; "" if it did.
func stoppedBy(m report.Match, replay results.Replay) string {
	if replay.Over() {
		return ""
	}
	facts := make(map[string]string)
	for _, fact := range m.Facts() {
		facts[fact.Name] = fact.Text
	}
	if facts["fault"] == "nobody" {
		return m.Explain(replay)
	}
	what, _, _ := strings.Cut(cmp.Or(facts["what"], facts["ending"]), "; it wrote: ")
	return fmt.Sprintf("%s was at fault: %s.", facts["fault"], strings.TrimSuffix(what, "."))
}

// faultStderr returns the end of the standard error of the bot at fault, or of both if both were.
func faultStderr(record results.Record) string {
	if record.Evidence == nil {
		return ""
	}
	var text []byte
	if record.Fault != results.NorthFault {
		text = append(text, record.Evidence.South.Stderr...)
	}
	if record.Fault != results.SouthFault {
		text = append(text, record.Evidence.North.Stderr...)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := range lines {
		lines[i] = safe.Line(strings.TrimSuffix(lines[i], "\r"))
	}
	return strings.Join(lines, "\n")
}

// neighbour returns a link to a match, if it is recorded.
func (r *reader) neighbour(text string, number int) hyperlink {
	if number < 1 || number > r.Schedule.Known() {
		return hyperlink{}
	}
	if _, found, err := r.Record(number); found || err != nil { // its page says what is wrong with it
		return hyperlink{text, r.toMatch(number)}
	}
	return hyperlink{}
}

// roundViews returns the rounds with their moves. address writes the address of the board after a number of plies. A
// template would take several times as long to write the moves, which a report of many matches shows.
func roundViews(replay results.Replay, address func(ply int) string) []roundView {
	var rounds []roundView
	ply := 0
	record := replay.Record
	for i, round := range record.Body.Rounds {
		v := roundView{Round: round, Number: i + 1, URL: address(ply), Opens: ply + 1}
		var moves strings.Builder
		for ; ply < len(replay.Plies) && replay.Plies[ply].Round == i; ply++ {
			p := replay.Plies[ply]
			moves.WriteString(`<li><a href="` + template.HTMLEscapeString(address(ply+1)) + `" class="` + p.Before.Side().String() +
				`"><b>` + template.HTMLEscapeString(safe.Line(p.Token)) + "</b></a></li>\n")
		}
		if i == len(record.Body.Rounds)-1 && record.Fault != results.NoFault {
			moves.WriteString(`<li class="fault"><b>` + record.Ending.String() + "</b> " +
				template.HTMLEscapeString(safe.Line(record.FaultName())) + "</li>\n")
		}
		v.Moves = template.HTML(moves.String()) //nolint:gosec // all texts are escaped
		rounds = append(rounds, v)
	}
	return rounds
}

// boardLayout describes the board of a ruleset to the script that draws it. With the layout, the script reads position
// texts and moves seeds, but it knows no rules.
type boardLayout struct {
	Ruleset string       `json:"ruleset"`
	Seats   [2]boardSeat `json:"seats"` // South and North
	Rounds  int          `json:"rounds"`
	Single  bool         `json:"single,omitempty"`  // a match is a single round
	Donkeys bool         `json:"donkeys,omitempty"` // players owe donkeys
	// Signs says what each sign of a hole means. The script shows the meaning of those that are on the board.
	Signs map[string]string `json:"signs"`
	// Phases says what the side to move does in each phase of a position.
	Phases map[string]string `json:"phases"`
}

type boardSeat struct {
	Name  string   `json:"name"`          // South or North
	Bot   string   `json:"bot,omitempty"` // who plays there
	Holes []string `json:"holes"`         // the names, from the owner's left
}

// newBoardLayout returns the layout of a ruleset. The bots may be "" if nobody plays.
func newBoardLayout(rules engine.Ruleset, south, north string) boardLayout {
	info := rules.Info()
	layout := boardLayout{
		Ruleset: info.Name, Rounds: info.Rounds, Single: info.Single, Donkeys: info.Donkeys,
		Seats: [2]boardSeat{
			engine.South: {Name: "South", Bot: safe.Line(south)},
			engine.North: {Name: "North", Bot: safe.Line(north)},
		},
		Signs: map[string]string{
			"mark": "sown from in this round", "start": "start hole", "take": "the player to move may take this seed",
			"missed": "a capture was missed here; the player to move may claim it",
			"closed": "out of play in this round",
			"donkey": "owed to this player by the other one; donkeys decide a match that reaches its last round",
		},
		Phases: map[string]string{
			"sow": "to sow", "fill": "to fill its row for the new round", "start": "to choose a start hole",
			"over": "the match is over",
		},
	}
	if info.Closed != "" {
		layout.Signs["closed"] = info.Closed + ": out of play in this round"
	}
	for seat := range layout.Seats {
		for hole := range info.Holes {
			layout.Seats[seat].Holes = append(layout.Seats[seat].Holes, engine.Seat(seat).HoleName(hole))
		}
	}
	return layout
}

// boardFrame is the board of a match after a ply, with what led to it. The first frame of a match has only the
// position.
type boardFrame struct {
	Position string `json:"position"` // text

	Token string `json:"token,omitempty"`
	Mover string `json:"mover,omitempty"` // S or N, as in position texts

	// Steps is how the seeds move from the frame before to this one, in order. It is a list of words with single spaces
	// between them. A word is a sign, a number of seeds, which is left out if it is 1, and names of holes:
	//
	//	-C    the mover lifts all seeds of C
	//	+2Da  the mover drops two seeds in D, then two in a
	//	+FSa  the mover drops one in F, one in South's store, and one in a; N is North's
	//	>ab   the mover takes all seeds of a, then those of b
	//	<ab   the other player takes them
	//	=AB   the owner sweeps all seeds of A, then those of B, at the end of a round
	//	~6AB  six seeds go from the owner's store to A, then six to B, before a round
	Steps string `json:"steps,omitempty"`

	Text    string   `json:"text,omitempty"`    // sentences about the ply
	End     string   `json:"end,omitempty"`     // what ended the match here, if the rules did not
	Elapsed float64  `json:"elapsed,omitempty"` // the thinking time in milliseconds, with three or more digits
	Score   *float64 `json:"score,omitempty"`   // in seeds from the mover's side; nil: none
}

// boardFrames returns the frames of a match: the first board, and one for each ply.
func boardFrames(replay results.Replay) []boardFrame {
	frames := []boardFrame{{Position: engine.Text(replay.Rules(), replay.Start)}}
	for _, ply := range replay.Plies {
		frame := newBoardFrame(replay.Rules(), ply.Ply)
		frame.Elapsed, frame.Score = milliseconds(ply.Elapsed), ply.Score
		frames = append(frames, frame)
	}
	return frames
}

// newBoardFrame returns the frame of a ply, without time and score.
func newBoardFrame(rules engine.Ruleset, ply engine.Ply) boardFrame {
	side := ply.Before.Side()
	return boardFrame{
		Position: engine.Text(rules, ply.After),
		Token:    ply.Move.Token(side),
		Mover:    seatLetter(side),
		Steps:    steps(engine.Trace(rules, ply)),
		Text:     show.Describe(rules, ply),
	}
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond).Microseconds()) / 1000
}

// steps returns the words of [boardFrame.Steps].
func steps(trace []engine.Transfer) string {
	var b strings.Builder
	before := ""
	for _, transfer := range trace {
		word := stepSign(transfer.Kind)
		if (transfer.Kind == engine.Drop || transfer.Kind == engine.Fill) && transfer.Seeds > 1 {
			word += strconv.Itoa(transfer.Seeds)
		}
		if word != before {
			if before != "" {
				b.WriteByte(' ')
			}
			b.WriteString(word)
			before = word
		}
		if transfer.Hole == engine.InStore {
			b.WriteString(seatLetter(transfer.Seat))
			continue
		}
		b.WriteString(transfer.Seat.HoleName(transfer.Hole))
	}
	return b.String()
}

func stepSign(kind engine.TransferKind) string {
	switch kind {
	case engine.Lift:
		return "-"
	case engine.Drop:
		return "+"
	case engine.Take:
		return ">"
	case engine.Give:
		return "<"
	case engine.Sweep:
		return "="
	}
	return "~" // Fill
}

// seatLetter returns the letter of a seat in position texts.
func seatLetter(seat engine.Seat) string {
	if seat == engine.South {
		return "S"
	}
	return "N"
}

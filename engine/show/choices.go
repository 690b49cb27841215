package show

import (
	"fmt"
	"slices"
	"strings"

	"sembra/engine"
)

// Question is one thing that the side to move decides next. A move that decides more
// than one thing is chosen with several questions, one after the other.
type Question struct {
	Text    string   `json:"text"` // for a newcomer
	Choices []Choice `json:"choices"`
}

// Choice is one answer to a question.
type Choice struct {
	Key   string    `json:"key"`             // what a person types for it, such as "C", "+" or "take"
	Text  string    `json:"text"`            // what it means, for a newcomer
	Hole  string    `json:"hole,omitempty"`  // the name of the hole of the board that it stands for; "": none
	Token string    `json:"token,omitempty"` // the move; "" if there is more to decide
	Next  *Question `json:"next,omitempty"`  // nil if Token is the move
}

// Ask returns what the side to move decides. Each legal move is at the end of exactly
// one way through the questions. A question has more than one choice, except the first.
// There are no choices if the match is over.
func Ask(r engine.Ruleset, p engine.Position) Question {
	a := asker{rules: r, p: p}
	side := p.Side()
	q := Question{Text: "Which hole do you sow?"}
	switch p.Phase() {
	case engine.PhaseStart:
		q.Text = "Which hole is your start hole? You sow from no other."
	case engine.PhaseFill:
		return *a.question(a.described(), 0)
	}
	var rest []described // a take, claims, a pass, a swap
	sowings := make([][]described, r.Info().Holes)
	for _, d := range a.described() {
		hole, ofHole := d.move.Hole()
		if ofHole && (d.move.Sowing() || p.Phase() == engine.PhaseStart) {
			sowings[hole] = append(sowings[hole], d)
		} else {
			rest = append(rest, d)
		}
	}
	for hole, moves := range sowings {
		if len(moves) == 0 {
			continue
		}
		c := a.choice(moves, 0)
		c.Key = side.HoleName(hole)
		c.Hole = c.Key
		if c.Next != nil {
			c.Text = Count(p.Seeds(side, hole), "seed", "seeds") + ", and more to choose"
		}
		q.Choices = append(q.Choices, c)
	}
	switch {
	case len(rest) == 0 || rest[0].move.Pass():
	case rest[0].move.Swap():
		q.Text += " Or do you swap sides?"
	default:
		q.Text += " Or do you take something?"
	}
	for _, d := range rest {
		c := Choice{Key: d.token, Token: d.token, Text: Preview(r, p, d.move)}
		if hole, ok := d.move.Hole(); ok {
			c.Hole = side.Other().HoleName(hole)
		}
		q.Choices = append(q.Choices, c)
	}
	return q
}

// Barred says in a sentence each why the side to move cannot choose the holes that the first question about a position
// does not offer, by their names. There is none while rows are filled.
func (q Question) Barred(r engine.Ruleset, p engine.Position) map[string]string {
	barred := make(map[string]string)
	if p.Phase() != engine.PhaseSow && p.Phase() != engine.PhaseStart {
		return barred
	}
	for _, s := range seats() {
		for hole := range r.Info().Holes {
			name := s.HoleName(hole)
			if !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Hole == name }) {
				barred[name] = bar(r.Info(), p, s, hole)
			}
		}
	}
	return barred
}

// bar says why the side to move cannot choose a hole. The engine has said that it cannot; each ruleset has so few
// reasons that the position shows which one it is.
func bar(info engine.Info, p engine.Position, owner engine.Seat, hole int) string {
	side, name := p.Side(), owner.HoleName(hole)
	other, otherEmpty := player(side.Other()), true
	for i := range info.Holes {
		if p.Seeds(side.Other(), i) > 0 {
			otherEmpty = false
		}
	}
	start, hasStart := p.StartHole(side)
	switch {
	case owner != side:
		first, last := side.HoleName(0), side.HoleName(info.Holes-1)
		return fmt.Sprintf("%s is in the row of %s: you choose from your own row, %s to %s.", name, other, first, last)
	case p.Closed(owner, hole):
		return fmt.Sprintf("%s is %s: it is out of play in this round.", name, info.Closed)
	case p.Seeds(owner, hole) == 0:
		return name + " is empty."
	case hasStart:
		return fmt.Sprintf("In this round you sow only from %s, your start hole.", side.HoleName(start))
	case !info.Single:
		return name + " holds a single seed: only a hole with two or more is sown."
	case otherEmpty:
		return fmt.Sprintf("The row of %s is empty: you must sow a seed into it, and %s does not reach it.", other, name)
	}
	return fmt.Sprintf("%s would capture all seeds in the row of %s (a grand slam), which is not allowed.", name, other)
}

// Preview says in a few words what a legal move would do.
func Preview(r engine.Ruleset, p engine.Position, m engine.Move) string {
	effect := engine.EffectOf(r, p, m)
	hole, ofHole := m.Hole()
	switch {
	case m.Pass():
		return "there is nothing to sow"
	case m.Swap():
		return "swap sides: you get the row and the store of South, South gets yours and moves"
	case m.Sowing():
		what := sowing(effect, p.Side(), "takes")
		if again(effect, p.Side(), engine.Step(r, p, m)) {
			what += "; you move again"
		}
		return what
	case p.Phase() == engine.PhaseFill:
		return seedsTo(effect.Dropped)
	case p.Phase() == engine.PhaseStart:
		return "the start hole, with " + Count(p.Seeds(p.Side(), hole), "seed", "seeds")
	case ofHole:
		return fmt.Sprintf("the capture missed from %s: takes %d from %s, then you sow",
			p.Side().Other().HoleName(hole), total(effect.Took), claimed(effect))
	}
	if _, wholeTurn, _ := p.OpenSeed(); wholeTurn {
		return fmt.Sprintf("the open seed in %s, and nothing else in this turn", names(effect.Took))
	}
	return fmt.Sprintf("the open seed in %s, then you sow", names(effect.Took))
}

// asker asks about the moves of a position.
type asker struct {
	rules engine.Ruleset
	p     engine.Position
}

// described is a legal move, taken apart. Two moves of one hole, or two fillings,
// differ in at least one part.
type described struct {
	move  engine.Move
	token string
	parts []part
}

// part is one thing that a move decides: for example the direction, "+".
type part struct{ what, value string }

// described returns the legal moves.
func (a asker) described() []described {
	var all []described
	side := a.p.Side()
	for _, m := range a.rules.Legal(a.p, nil) {
		d := described{move: m, token: m.Token(side)}
		if text, ok := strings.CutPrefix(d.token, "fill="); ok {
			for hole, seeds := range strings.Split(text, ".") {
				d.parts = append(d.parts, part{partFill + side.HoleName(hole), seeds})
			}
		} else if hole, ok := m.Hole(); ok && m.Sowing() {
			d.parts = partsOfSowing(strings.TrimPrefix(d.token, side.HoleName(hole)))
		}
		all = append(all, d)
	}
	return all
}

// What a part of a move decides, apart from the letters of redu, which stand for
// themselves.
const (
	partWith      = "with"      // the other hole of a pair
	partDirection = "direction" // + or -
	partLap       = "lap"       // seeds for each hole
	partFill      = "fill "     // before the name of a hole: the seeds that it gets
)

// partsOfSowing takes apart what follows the hole in the token of a sowing.
func partsOfSowing(text string) []part {
	if text != "" && '1' <= text[0] && text[0] <= '9' {
		var parts []part
		for _, digit := range text {
			parts = append(parts, part{partLap, string(digit)})
		}
		return parts
	}
	cut := func(what, values string) part {
		if text == "" || !strings.Contains(values, text[:1]) {
			return part{what: what}
		}
		value := text[:1]
		text = text[1:]
		return part{what, value}
	}
	with := part{what: partWith}
	if at := strings.IndexAny(text, "+-"); at > 0 {
		with.value, text = text[:at], text[at:]
	}
	return []part{with, cut(partDirection, "+-"), cut("o", "o"), cut("b", "b"), cut("k", "k"), cut("x", "x")}
}

// choice returns the choice of these moves, which are alike before a part.
func (a asker) choice(moves []described, at int) Choice {
	if len(moves) == 1 {
		return Choice{Token: moves[0].token, Text: Preview(a.rules, a.p, moves[0].move)}
	}
	return Choice{Next: a.question(moves, at)}
}

// question asks for the first part, from one on, in which the moves differ.
func (a asker) question(moves []described, at int) *Question {
	value := func(d described) string { return d.parts[at].value }
	for !slices.ContainsFunc(moves, func(d described) bool { return value(d) != value(moves[0]) }) {
		at++
	}
	var values []string
	groups := map[string][]described{}
	for _, d := range moves {
		if _, there := groups[value(d)]; !there {
			values = append(values, value(d))
		}
		groups[value(d)] = append(groups[value(d)], d)
	}
	text, _ := a.explain(moves[0], at)
	q := &Question{Text: text}
	for _, v := range values {
		c := a.choice(groups[v], at+1)
		c.Key = v
		if v == "" {
			c.Key = "."
		}
		_, words := a.explain(groups[v][0], at)
		if c.Next == nil && c.Text != "" {
			words += ": " + c.Text
		}
		c.Text = words
		q.Choices = append(q.Choices, c)
	}
	return q
}

// explain returns the question about a part of a move, and what its value means.
func (a asker) explain(d described, at int) (question, meaning string) {
	side, info := a.p.Side(), a.rules.Info()
	hole, _ := d.move.Hole()
	first, last, across := side.HoleName(0), side.HoleName(info.Holes-1), side.Other().HoleName(info.Holes-1-hole)
	what, value := d.parts[at].what, d.parts[at].value
	either := func(with, without string) string {
		if value != "" {
			return with
		}
		return without
	}
	switch what {
	case partWith:
		return "Which seeds do you sow?",
			either(fmt.Sprintf("those of %s and %s together", side.HoleName(hole), value), "only that of "+side.HoleName(hole))
	case partDirection:
		question = "In which direction do you sow?"
		if value == "+" {
			return question, fmt.Sprintf("forwards, from %s towards %s", first, last)
		}
		return question, fmt.Sprintf("backwards, from %s towards %s", last, first)
	case partLap:
		question = "How many seeds does each hole get"
		if len(d.parts) > 1 {
			question += fmt.Sprintf(" in lap %d", at+1)
		}
		return question + "?", value + " each"
	case "o":
		return "Where does the first seed fall?", either("across, in "+across, "on the path, as usual")
	case "b":
		return "How does the sowing continue at the end of the board?", either("it turns back", "it continues from the other end")
	case "k":
		return "Where does the last seed fall?",
			either("across, in the row of "+player(side.Other()), "in the row of "+player(side))
	case "x":
		return "Do you leave the third-last seed open? The other player may take it, but only as a whole turn.",
			either("yes", "no")
	}
	question = fmt.Sprintf("How many seeds do you set in %s?", strings.TrimPrefix(what, partFill))
	if value == "0" && info.Closed != "" {
		return question, "none, so that it is " + info.Closed + " in this round"
	}
	return question, value + " seeds"
}

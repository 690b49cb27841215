package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/safe"
)

// TestRoundTrip: what WriteJSON writes, ReadMatches and Check read back, in every ruleset and with every ending.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		for seed := range uint64(8) {
			want := randomMatch(t, rules.Info().Name, seed)
			var text strings.Builder
			must(t, want.WriteJSON(&text))
			matches, problems := readAll(strings.ReplaceAll(text.String(), "\n", "\r\n"))
			if diff := cmp.Diff([]Match{want}, matches); diff != "" || len(problems) > 0 {
				t.Fatalf("%s:\n%v\n%s\n%s", rules.Info().Name, problems, text.String(), diff)
			}
		}
	}
}

// TestRulesetNames: a file may call a ruleset by the name with its sizes; the match is the same.
func TestRulesetNames(t *testing.T) {
	t.Parallel()
	want := randomMatch(t, "kalah", 0)
	var text strings.Builder
	must(t, want.WriteJSON(&text))
	got, problems := readAll(strings.Replace(text.String(), `"kalah"`, `"kalah-6x4"`, 1))
	if diff := cmp.Diff([]Match{want}, got); diff != "" || len(problems) > 0 {
		t.Errorf("%v\n%s", problems, diff)
	}
}

// TestAllFields: no field of a match is forgotten, whichever there are, in what WriteJSON writes nor in what is read.
func TestAllFields(t *testing.T) {
	t.Parallel()
	rules := must2(engine.Lookup("awale"))
	want := Match{Tournament: results.Tournament{Plan: results.Plan{Conditions: results.Conditions{Ruleset: "awale", Rounds: rules.Info().Rounds}}}, Number: 7}
	r := &want.Record
	expect.FillNonZero(r)
	r.Result, r.Ending, r.Fault = results.NorthWins, results.EndTime, results.SouthFault // valid ones
	begun := want.Tournament.Begin(rules, rules.Start())                                 // what a line does not tell follows from a match without moves
	r.Summary.Rounds, r.Hash = len(r.Body.Rounds), begun.Record(r.Key, results.Verdict{}).Hash
	r.Forfeit, r.Evidence = 0, &results.Evidence{What: r.Evidence.What} // a line does not tell the rest
	var text strings.Builder
	must(t, want.WriteJSON(&text))
	for line, err := range ReadMatches(strings.NewReader(text.String()), "games") {
		must(t, err)
		equal(t, "the match", want, line.complete(begun))
	}
}

// randomMatch is a match of random moves. All but some of them end by a fault, a resignation or an adjudication.
func randomMatch(t *testing.T, ruleset string, seed uint64) Match {
	t.Helper()
	plan := results.Tournament{Plan: results.Plan{Name: "spring", Conditions: results.Conditions{Ruleset: ruleset}}}
	rules := must2(engine.Lookup(ruleset))
	plan.Rounds = min(1+int(seed)%3, rules.Info().Rounds)
	rules = must2(engine.WithRounds(rules, plan.Rounds))
	random := rand.New(rand.NewPCG(seed, 1))
	game := plan.Begin(rules, rules.Start())
	ending := []results.Ending{0, results.EndResign, results.EndTime, results.EndCrash, results.EndAdjudicated}[seed%5]
	for cut := 20; !game.Over() && (ending == 0 || cut > 0 || game.MustPass()); cut-- {
		token := game.Legal()[random.IntN(len(game.Legal()))].Token(game.Position().Side())
		var elapsed time.Duration
		var score *float64
		if !game.MustPass() {
			elapsed = time.Duration(random.IntN(1e9))
			if told := float64(random.IntN(100))/4 - 12; random.IntN(2) == 0 {
				score = &told
			}
		}
		must(t, game.Play(token, elapsed, score))
	}
	verdict, over := game.Verdict()
	if !over && ending == results.EndAdjudicated {
		verdict = results.Verdict{Result: results.Draw, Ending: ending}
	} else if !over {
		verdict = results.Lost(game.Position().Side(), ending)
	}
	r := game.Record(results.Key{South: "Ada \x1b", North: "Ñandú", Pair: 3}, verdict)
	if r.Fault != results.NoFault {
		r.Evidence = &results.Evidence{What: "it said «␛»"}
	}
	r.CPU[0], r.CPU[1] = results.UnknownCPU, time.Duration(random.IntN(1e9))
	r.Seeds = [2]uint64{seed, 1 << 63}
	done, problems := MatchLine{Match: Match{Tournament: plan, Number: int(seed) + 1, Record: r}}.Check()
	if len(problems) > 0 {
		t.Fatalf("%s, seed %d: %v", ruleset, seed, problems)
	}
	return done
}

// readAll reads and referees a file, and lists what is wrong.
func readAll(text string) (matches []Match, problems []string) {
	for line, err := range ReadMatches(strings.NewReader(text), "games") {
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		match, wrong := line.Check()
		for _, problem := range wrong {
			problems = append(problems, problem.Error())
		}
		matches = append(matches, match)
	}
	return matches, problems
}

// TestReadMatches: what other programs write, and what is wrong with it. The letters are those of matches of oware.
func TestReadMatches(t *testing.T) {
	t.Parallel()
	const head = `{"south":"Ada","north":"Bob","ruleset":"oware",`
	for _, test := range []struct {
		text string
		want string // the beginning of the problems, a line each; or the matches as digest tells them
	}{
		{"", ""},
		{" \r\n\n", ""},
		// what is not said follows from the moves
		{
			head + `"moves":["A","a"],"result":"north","ending":"resign","more":[]}` + "\r\n\r\n" +
				head + `"moves":[],"result":"void","ending":"start","fault":"both"}`,
			"A a north resign 0-0\n void start 0-0 both",
		},
		{head + `"moves":["F"],"opening":"1,0,0,0,0,1/1,0,0,0,0,1 24-20 S sow 1 0","result":"south"}`, "F south early 26-20"},
		{head + `"moves":["A"],"result":"south","ending":"crash","elapsed_ms":[0.25],"scores":[1.5]}`, "A south crash 0-0 north 250µs +1.5"},

		// illegal moves and wrong claims
		{head + `"moves":["A","b","Z"],"result":"north"}`, `games:1: Ada - Bob: move 3: illegal move "Z" (legal: `},
		{head + `"moves":["\u001b[2J"],"result":"north"}`, `games:1: Ada - Bob: move 1: illegal move "\x1b[2J" (legal: `},
		{head + `"moves":["A"],"result":"south"}`, `games:1: Ada - Bob: the rules do not end the match after its last move, so the record needs an ending, such as resign`},
		{head + `"moves":["A"],"result":"north","ending":"resign"}`, `games:1: Ada - Bob: it ended by resign, with result north, but north was to move`},
		{head + `"moves":["A"],"result":"south","ending":"resign","pair":2,"south_store":3,"north_store":0}`, `games:1: Ada - Bob, pair 2: its stores are 3-0, but its moves make them 0-0`},
		{head + `"moves":["A"],"result":"south","ending":"resign","plies":2}`, `games:1: Ada - Bob: 1 moves but 2 plies`},
		{head + `"moves":[],"opening":"4,4","result":"south"}`, `games:1: Ada - Bob: the opening "4,4": bad position text at column 4: `},
		{
			head + `"moves":["F","A"],"opening":"1,0,0,0,0,1/1,0,0,0,0,1 24-20 S sow 1 0","result":"south"}`,
			`games:1: Ada - Bob: move 2: "A" comes after the end of the match (early)`,
		},
		{head + `"moves":[],"round_limit":2,"result":"south"}`, `games:1: Ada - Bob: 2 rounds asked for, but a match of oware is a single round`},
		{strings.Replace(head, "oware", "awari", 1) + `"moves":[],"result":"south"}`, `games:1: Ada - Bob: unknown ruleset "awari" (known: `},
		{strings.Replace(head, "Bob", "Ada", 1) + `"moves":[],"result":"south","ending":"resign"}`, `games:1: Ada - Ada: `},
		{strings.Replace(head, "Bob", `\u001b[2J`, 1) + `"moves":[],"result":"south"}`, "games:1: Ada - ␛[2J: the rules do not"},
		{
			head + `"moves":["A","a","B"],"result":"south","ending":"resign","elapsed_ms":[9000000000000,0,9000000000000]}`,
			`games:1: the times must be from 0 to 1000000000 ms, together`,
		},

		// what is no record; the next record is read
		{`{"south":"Ada","ruleset":"oware","moves":["A"],"result":"north"}`, `games:1: it lacks the field "north"`},
		{head + `"moves":null,"result":"north"}`, `games:1: it lacks the field "moves"`},
		{"\n" + `{"south":"Ada",}`, `games:2: it is not a JSON object: `},
		{"{\n\"south\":\"Ada\"}", `games:1: it is not a JSON object: unexpected end of JSON input (hint: each line holds a whole match)`},
		{"null", `games:1: it lacks the field "south"`},
		{"[1]", `games:1: a match cannot be a JSON array`},
		{`{"moves":"A"}`, `games:1: moves cannot be a JSON string`},
		{`{"match":1.5}`, `games:1: match cannot be a JSON number 1.5`},
		{`{"south":7}`, `games:1: south cannot be a JSON number`},
		{`{"south":"Ada","north":"Bob","South":"Eve"}`, `games:1: the field "South" appears twice`},
		{`{"rounds":[{"plies":1},{"plies":1}],"south":"a\",b","x":{"x":1},"\u0073outh":"b"}`, `games:1: the field "south" appears twice`},
		{`{"south_ms":"NaN"}`, `games:1: south_ms cannot be a JSON string`},
		{"{\"south\":\"\xff\"}", `games:1: it is not UTF-8`},
		{"\xff\xfe{\x00\"\x00", `games:1: it is not UTF-8`},
		{head + `"moves":["A"],"result":"won"}`, `games:1: result: unknown result "won" (known: `},
		{head + `"moves":["A"],"result":"north","ending":"mate"}`, `games:1: ending: unknown ending "mate" (known: `},
		{head + `"moves":["A"],"result":"north","ending":"time","fault":"Eve"}`, `games:1: fault is "Eve"; it must be one of the two bots, or both`},
		{head + `"moves":["A"],"result":"north","elapsed_ms":[1,2]}`, `games:1: 2 times in elapsed_ms but 1 moves`},
		{head + `"moves":["A"],"result":"north","elapsed_ms":[-1e-6]}`, `games:1: the times must be from 0 to 1000000000 ms, together`},
		{head + `"moves":[],"pair":-1,"result":"south"}`, `games:1: match, pair and round_limit must be from 0 to `},
		{"x\n" + head + `"moves":[],"result":"won"}`, "games:1: it is not a JSON object: invalid character 'x' looking for beginning of value (hint: each line holds a whole match)\ngames:2: "},
		{strings.Repeat(" ", mostLine+1), "games:1: the line has more than 16777216 bytes, so the rest of the file is not read"},
	} {
		matches, problems := readAll(test.text)
		got := strings.Join(problems, "\n")
		if len(problems) == 0 {
			var lines []string
			for _, match := range matches {
				lines = append(lines, digest(match.Record))
			}
			got = strings.Join(lines, "\n")
		}
		if got != test.want && (len(problems) == 0 || test.want == "" || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%.200q:\n%s\nwant\n%s", test.text, got, test.want)
		}
	}
}

// digest tells a record in a line: moves, result, ending, stores, who was at fault, and times and scores that are there.
func digest(r results.Record) string {
	line := fmt.Sprintf("%s %s %v %d-%d", strings.Join(r.Moves, " "), r.Result, r.Ending, r.Stores[0], r.Stores[1])
	switch r.Fault {
	case results.SouthFault:
		line += " south"
	case results.NorthFault:
		line += " north"
	case results.BothFault:
		line += " both"
	}
	for i := range r.Moves {
		if r.Elapsed[i] > 0 {
			line += " " + r.Elapsed[i].String()
		}
		if r.Scores != nil && r.Scores[i] != nil {
			line += fmt.Sprintf(" %+g", *r.Scores[i])
		}
	}
	return line
}

// TestIsMatches: a file is told by its content.
func TestIsMatches(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                              false,
		"{\"south\":1}":                 true,
		" \n{ \"south\":1}":             true,
		"[South \"Ada\"]\n":             false, // of another notation
		"[tournament]\nname = \"x\"":    false,
		"[[bot]]\nname = \"x\"":         false,
		"{a comment}":                   false,
		"first,second,result\n":         false,
		"\xed\x0c\xda\xed[South \"x\"]": false,
	} {
		equal(t, text, want, IsMatches([]byte(text)))
	}
}

// FuzzReadMatches: whatever is read without an error is written so that it reads back as the same, and no problem has a
// control character.
func FuzzReadMatches(f *testing.F) {
	f.Add(`{"south":"Ada","north":"B","ruleset":"bechi","moves":["A-"],"result":"north","ending":"resign","elapsed_ms":[0.5],"scores":[1e99]}`)
	f.Add(`{"south":"Ada","north":"B","ruleset":"oware","moves":[],"result":"north","ending":"crash","reason":"\u001b"}` + "\r\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		matches, problems := readAll(text)
		for _, problem := range problems {
			if strings.ContainsFunc(problem, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("a control character in %q", problem)
			}
		}
		if len(problems) > 0 {
			return
		}
		var written strings.Builder
		for i := range matches {
			if e := matches[i].Record.Evidence; e != nil {
				e.What = safe.Line(strings.TrimSpace(e.What))
			}
			must(t, matches[i].WriteJSON(&written))
		}
		again, problems := readAll(written.String())
		if diff := cmp.Diff(matches, again); diff != "" || len(problems) > 0 {
			t.Errorf("%v\n%s\n%s", problems, written.String(), diff)
		}
	})
}

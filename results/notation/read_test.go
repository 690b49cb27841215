package notation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
)

// TestRoundTrip: what Write writes, Read and Check read back, in every ruleset and with every ending.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, rules := range engine.Rulesets() {
		for seed := range uint64(8) {
			want := randomGame(t, rules.Info().Name, seed)
			var text strings.Builder
			must(t, Write(&text, want))
			for line := range strings.Lines(text.String()) {
				if !strings.HasPrefix(line, "[") && len(line) > lineWidth+20 {
					t.Errorf("a line of %d columns: %s", len(line), line)
				}
			}
			for _, form := range []string{
				text.String(),
				"\uFEFF; by hand\n{ a comment\nof two lines }\n" + strings.ReplaceAll(text.String(), "\n", "\r\n"),
				strings.ReplaceAll(text.String(), "\n", "\r"),
			} {
				games, problems := readAll(form)
				if diff := cmp.Diff([]Game{want}, games); diff != "" || len(problems) > 0 {
					t.Fatalf("%s:\n%v\n%s\n%s", rules.Info().Name, problems, form, diff)
				}
			}
		}
	}
}

// randomGame is a match of random moves. All but some of them end by a fault, a resignation or an adjudication.
func randomGame(t *testing.T, ruleset string, seed uint64) Game {
	t.Helper()
	g := Game{
		Tournament: "spring", Date: "2026-11-22", Slot: int(seed) + 1, Ruleset: ruleset, TimeControl: "10s+100ms",
		Record: results.Record{Summary: results.Summary{Key: results.Key{South: "Ada \x1b", North: "Ñandú", Pair: 3}}},
	}
	rules, err := engine.Lookup(ruleset)
	must(t, err)
	g.Rounds = min(1+int(seed)%3, rules.Info().Rounds)
	rules, err = engine.WithRounds(rules, g.Rounds)
	must(t, err)
	random := rand.New(rand.NewPCG(seed, 1))
	match, r := engine.NewMatch(rules, rules.Start()), &g.Record
	ending := []results.Ending{0, results.EndResign, results.EndTime, results.EndCrash, results.EndAdjudicated}[seed%5]
	for cut := 20; !match.Over() && (ending == 0 || cut > 0 || match.Legal()[0].Pass()); cut-- {
		side, move := match.Position().Side(), match.Legal()[random.IntN(len(match.Legal()))]
		r.Moves, r.Elapsed, r.Scores = append(r.Moves, move.Token(side)), append(r.Elapsed, 0), append(r.Scores, nil)
		if !move.Pass() {
			r.Elapsed[len(r.Elapsed)-1] = time.Duration(random.IntN(1e9))
			if score := float64(random.IntN(100))/4 - 12; random.IntN(2) == 0 {
				r.Scores[len(r.Scores)-1] = &score
			}
		}
		match.Play(move)
	}
	r.Result = results.Draw
	if o, over := match.Outcome(); over {
		r.Result = results.ResultOf(o.Result)
	} else if ending != results.EndAdjudicated {
		r.Result = results.NorthWins
		if match.Position().Side() == engine.North {
			r.Result = results.SouthWins
		}
	}
	if !match.Over() {
		r.Ending, r.Fault = ending, faultOf(ending, r.Result)
		g.Reason = "it said «\x1b»"
	}
	r.SouthCPU, r.NorthCPU, r.SouthBurnt = results.UnknownCPU, time.Duration(random.IntN(1e9)), seed == 2
	r.Seeds = [2]uint64{seed, 1 << 63}
	done, problems := NewReferee().Check(Claim{Game: g})
	if len(problems) > 0 {
		t.Fatalf("%s, seed %d: %v", ruleset, seed, problems)
	}
	return done
}

// readAll reads and referees a file, and lists what is wrong.
func readAll(text string) (games []Game, problems []string) {
	referee := NewReferee()
	for claim, err := range Read(strings.NewReader(text), "games.txt") {
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		game, wrong := referee.Check(claim)
		for _, problem := range wrong {
			problems = append(problems, problem.Error())
		}
		games = append(games, game)
	}
	return games, problems
}

const head = `[South "Ada"]
[North "Bob"]
[Ruleset "oware"]
`

// TestRead: what people write by hand, and what is wrong with it. The letters are those of matches of oware.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want string // problems, a line each; or the game as digest tells it
	}{
		{"", ""},
		{" \r\n; nothing\n", ""},
		// what is not said follows from the moves
		{head + `[Ending "resign"] 1. A a 2. B 1-0`, "A a B 1-0 resign 0-0"},
		{head + "[Ending \"resign\"]\n1.A 1...a ; a note [\n2. B {good} 1-0\n", "A a B 1-0 resign 0-0"},
		{head + "[Ending \"time\"] A {0.5s} a {+1.5/12 2s} {0.1s} B {0.25} 1-0", "A a B 1-0 time 0-0 north 500ms 2s +1.5"},
		{head + "[ Ending\t\"resign\" ]\n[Opening \"0,0,0,0,0,1/1,0,0,0,0,0 23-23 S sow 1 0\"] 0-1", " 0-1 resign 23-23"},
		{head + "[Opening \"1,0,0,0,0,1/1,0,0,0,0,1 24-20 S sow 1 0\"] F 1-0", "F 1-0 early 26-20"},
		{head + "[Result \"0-1\"][Ending \"resign\"] 0-1\n\n" + head + "[Ending \"crash\"] 0-1", " 0-1 resign 0-0\n 0-1 crash 0-0 south"},
		{head + "[Ending \"start\"] 0-0", " 0-0 start 0-0 both"},

		// illegal moves and wrong claims
		{head + "A a\nB c D\nX 1-0", `games.txt:6: Ada - Bob: move 6: illegal move "X" (legal: a b c d e f)`},
		{head + "A a\n\x1b[2J 1-0", `games.txt:5:2: the record that begins in line 1 has no result at its end (`},
		{head + "A a\n\x1b2J 1-0", `games.txt:5: Ada - Bob: move 3: illegal move "\x1b2J" (legal: B C D E F)`},
		{head + "A a B 1-0", "games.txt:4: Ada - Bob: the rules do not end the match after its last move, so the record needs an ending, such as resign"},
		{head + "[Ending \"resign\"] A a B 0-1", "games.txt:1: Ada - Bob: it ended by resign, with result north, but north was to move"},
		{head + "[Ending \"normal\"] A 0-1", "games.txt:1: Ada - Bob: it ended by normal, but by the rules it is not over after its last move"},
		{head + "[Pair \"2\"] [Stores \"3-0\"] [Ending \"resign\"] A 1-0", "games.txt:1: Ada - Bob, pair 2: its stores are 3-0, but its moves make them 0-0"},
		{head + "[Fault \"north\"] [Ending \"resign\"] A 0-1", "games.txt:1: Ada - Bob: result \"north\" does not go with fault \"Bob\"\n" +
			"games.txt:1: Ada - Bob: it ended by resign, with result north, but north was to move"},
		{head + "[Opening \"4,4\"] 1-0", "games.txt:1: Ada - Bob: the opening \"4,4\": bad position text at column 4: "},
		{head + "[Opening \"1,0,0,0,0,1/1,0,0,0,0,1 24-20 S sow 1 0\"]\nF\nA 0-1", "games.txt:6: Ada - Bob: move 2 \"A\" comes after the end of the match"},
		{head + "[Rounds \"2\"] 1-0", "games.txt:1: Ada - Bob: 2 rounds asked for, but a match of oware is a single round"},
		{strings.Replace(head, "oware", "awari", 1) + "1-0", "games.txt:1: Ada - Bob: unknown ruleset \"awari\" (known: "},
		{strings.Replace(head, "Bob", "Ada", 1) + "[Ending \"resign\"] 0-1", "games.txt:1: Ada - Ada: bot \"Ada\" cannot play against itself"},
		{strings.Replace(head, "Bob", `\x1b[2J`, 1) + "1-0", "games.txt:1: Ada - ␛[2J: the rules do not"},

		// what is no record; the next record is read
		{"A a 1-0\n" + head + "[Ending \"resign\"] A 1-0", "games.txt:1:1: found \"A\", but a record begins with tags, such as [South \"Ada\"]"},
		{"[South \"Ada\"]\n[North \"Bob\"]\nA", "games.txt:3:1: the record that begins in line 1 lacks the tag Ruleset"},
		{head + "A a\n" + head + "1-0", "games.txt:5:1: the record that begins in line 1 has no result at its end (1-0, 0-1, 1/2-1/2, 0-0)"},
		{head + "A a", "games.txt:4: the record that begins in line 1 has no result at its end (1-0, 0-1, 1/2-1/2, 0-0)"},
		{head + "A *", "games.txt:4:3: a match without a result (*) is not read"},
		{head + "A (a B) 1-0", "games.txt:4:3: found \"(a\", but moves and comments in { } are expected"},
		{head + "A } 1-0", "games.txt:4:3: found \"}\", but moves and comments in { } are expected"},
		{head + "  {ñ} A { 1-0", "games.txt:4:9: the comment that begins here has no end: } is missing"},
		{head + "[Result \"1-0\"] A 0-1", "games.txt:4:18: the result is 0-1, but the tag Result in line 4 says 1-0"},
		{head + "[Rated \"yes\"]", "games.txt:4:2: unknown tag Rated (known: Tournament, Date, "},
		{head + "[South \"Eve\"]", "games.txt:4:2: the tag South is there twice, also in line 1"},
		{"[South Ada]", `games.txt:1:1: a tag is written [Name "value"]`},
		{"[South \"Ada]\n[North \"Bob\"]", "games.txt:1:8: the value of the tag South is no text in quotes "},
		{"[South \"Ada\"\n", "games.txt:1:13: the tag South has no ] after its value"},
		{"[South \"A\xffda\"]", "games.txt:1:8: the value of the tag South is not UTF-8"},
		{"[Pair \"0\"]", `games.txt:1:8: Pair is "0"; it must be a whole number from 1 to 2147483647`},
		{"[Stores \"25\"]", `games.txt:1:10: Stores is "25"; it must be two whole numbers, such as "25-18"`},
		{"[Ending \"mate\"]", `games.txt:1:10: Ending is "mate"; it must be normal, cycle, `},
		{"[Fault \"Ada\"]", `games.txt:1:9: Fault is "Ada"; it must be south, north or both`},
		{"[Result \"2-0\"]", `games.txt:1:10: Result is "2-0"; it must be 1-0, 0-1, 1/2-1/2, 0-0`},
		{"[SouthTime \"-1s\"]", `games.txt:1:13: SouthTime is "-1s"; it must be a time in seconds, such as "0.25s"`},
		{"[Seeds \"1\"]", `games.txt:1:9: Seeds is "1"; it must be two whole numbers, such as "12 34"`},
		{head + strings.Repeat("A", 300) + " 1-0", "games.txt:4:1: found a word of 300 bytes, but moves are expected"},

		// JSON lines
		{
			`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A","a"],"result":"north","ending":"resign","more":[]}` + "\r\n\r\n" +
				`{"south":"Ada","north":"Bob","ruleset":"oware","moves":[],"result":"void","ending":"start","fault":"both"}`,
			"A a 0-1 resign 0-0\n 0-0 start 0-0 both",
		},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A","b","Z"],"result":"north"}`, `games.txt:1: Ada - Bob: move 3: illegal move "Z" (legal: `},
		{`{"south":"Ada","ruleset":"oware","moves":["A"],"result":"north"}`, `games.txt:1: it lacks the field "north"`},
		{"\n" + `{"south":"Ada",}`, `games.txt:2:16: it is no JSON object: `},
		{"{\n\"south\":\"Ada\"}", `games.txt:1:1: it is no JSON object: unexpected end of JSON input (hint: each line holds a whole match)`},
		{`{"moves":"A"}`, `games.txt:1:12: moves is a JSON string; it must be a list`},
		{`{"slot":1.5}`, `games.txt:1:11: slot is a JSON number 1.5; it must be a whole number`},
		{`{"south":"Ada","north":"Bob","South":"Eve"}`, `games.txt:1: the field "South" is there twice`},
		{`{"rounds":[{"plies":1},{"plies":1}],"south":"a\",b","x":{"x":1},"\u0073outh":"b"}`, `games.txt:1: the field "south" is there twice`},
		{`{"south_ms":"NaN"}`, `games.txt:1: a time in it is no number`},
		{"{\"south\":\"\xff\"}", `games.txt:1: it is not UTF-8`},
		{"\xff\xfe[\x00S\x00", `games.txt:1: the file is UTF-16; save it as UTF-8`},
		{`{"south":7}`, `games.txt:1:10: south is a JSON number; it must be a string`},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A"],"result":"won"}`, `games.txt:1: result: unknown result "won" (known: `},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A"],"result":"north","ending":"time","fault":"Eve"}`, `games.txt:1: fault is "Eve"; it must be one of the two bots, or both`},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A"],"result":"north","elapsed_ms":[1,2]}`, `games.txt:1: 2 times in elapsed_ms but 1 moves`},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A"],"result":"north","elapsed_ms":[1e9]}`, `games.txt:1: elapsed_ms is "1e9"; it must be a time in milliseconds`},
		{
			`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A","a","B"],"result":"south","ending":"resign",` +
				`"elapsed_ms":[9000000000000,0,9000000000000]}`,
			`games.txt:1: Ada - Bob: move 3: the times of south add up to more than 290 years`,
		},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","moves":["A"],"result":"south","ending":"resign","plies":2}`, `games.txt:1: Ada - Bob: 1 moves but 2 plies`},
		{`{"south":"Ada","north":"Bob","ruleset":"oware","pair":-1,"moves":[],"result":"south"}`, `games.txt:1: pair is -1; it must be from 0 to `},
	} {
		games, problems := readAll(test.text)
		got := strings.Join(problems, "\n")
		if len(problems) == 0 {
			var lines []string
			for _, game := range games {
				lines = append(lines, digest(game))
			}
			got = strings.Join(lines, "\n")
		}
		if got != test.want && (len(problems) == 0 || test.want == "" || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%q:\n%s\nwant\n%s", test.text, got, test.want)
		}
	}
}

// digest tells a game in a line: moves, result, ending, stores, who was at fault, and times and scores that are there.
func digest(g Game) string {
	r := g.Record
	line := fmt.Sprintf("%s %s %v %d-%d", strings.Join(r.Moves, " "), resultText(r.Result), r.Ending, r.SouthStore, r.NorthStore)
	if r.Fault != results.NoFault {
		line += " " + seatsText(r.Fault.Blames(engine.South), r.Fault.Blames(engine.North))
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

// TestReadOn: after a record that cannot be read, Read goes on with the next one.
func TestReadOn(t *testing.T) {
	t.Parallel()
	good := head + "[Ending \"resign\"]\nA a B 1-0\n\n"
	for _, bad := range []string{
		"A a 1-0\n", "[South Ada]\n[North \"Bob\"]\n\nA a\nB 1-0\n", head + "\nA a (B)\nc 1-0\n", head + "\nA a\n", head + "[Rated \"\"]\n\nA\n",
	} {
		games, problems := readAll(good + bad + good + bad + good)
		if len(games) != 3 || len(problems) != 2 {
			t.Errorf("%q: %d games, problems %q", bad, len(games), problems)
		}
	}
}

// TestKinds: a file is told by its content.
func TestKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{ // text records, JSON lines
		"":                                         {},
		"[South \"Ada\"]":                          {true, false},
		"\uFEFF\r\n; x\n{x}\n[South \"\"]":         {true, false},
		"[tournament]\nname = \"x\"":               {},
		"[[bot]]\nname = \"x\"":                    {},
		"{\"south\":1}":                            {false, true},
		" \n{ \"south\":1}":                        {false, true},
		"{a comment}\n[South \"Ada\"]":             {true, false},
		"first,second,result\n":                    {},
		"\xed\x0c\xda\xed[South \"x\"]":            {},
		"\xff\xfe[\x00S\x00 \x00\"\x00\"\x00]\x00": {true, false},
		"\xfe\xff\x00{\x00\"\x00s\x00\"":           {false, true},
	} {
		if got := [2]bool{IsText([]byte(text)), IsJSONLines([]byte(text))}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzRead: whatever is read without an error is written so that it reads back as the same, and nothing that is told or
// written has a control character.
func FuzzRead(f *testing.F) {
	f.Add(head + "[Ending \"time\"] A {0.5s} a {+1.5/12 2s} 1. B {0.25} 0-1")
	f.Add("\uFEFF{c}\r\n" + head + "[Reason \"\\x1b\"][Burnt \"both\"] A a\r1-0 ; c\n[South \"")
	f.Add(`{"south":"Ada","north":"B","ruleset":"bechi","moves":["A-"],"result":"north","ending":"resign","elapsed_ms":[0.5],"scores":[1e99]}`)
	f.Fuzz(func(t *testing.T, text string) {
		games, problems := readAll(text)
		for _, problem := range problems {
			if strings.ContainsFunc(problem, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("a control character in %q", problem)
			}
		}
		if len(problems) > 0 {
			return
		}
		var written strings.Builder
		for _, game := range games {
			must(t, Write(&written, game))
		}
		if strings.ContainsFunc(written.String(), func(r rune) bool { return r != '\n' && r < ' ' || r == 0x7f }) {
			t.Errorf("a control character in %q", written.String())
		}
		again, problems := readAll(written.String())
		if diff := cmp.Diff(games, again); diff != "" || len(problems) > 0 {
			t.Errorf("%v\n%s\n%s", problems, written.String(), diff)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGuide: the example in the guide is a record, and Write writes it so.
func TestGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../README.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(guide), "```games\n; a comment up to the end of the line\n")
	example, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("there is no example in the guide")
	}
	games, problems := readAll(example)
	if len(games) != 1 || len(problems) > 0 {
		t.Fatalf("%d games, problems %q", len(games), problems)
	}
	var written strings.Builder
	must(t, Write(&written, games[0]))
	if diff := cmp.Diff(example+"\n", written.String()); diff != "" {
		t.Error(diff)
	}
	for _, name := range tagNames() {
		if !strings.Contains(string(guide), "`"+name+"`") {
			t.Errorf("the guide does not describe the tag %s", name)
		}
	}
}

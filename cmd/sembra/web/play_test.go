package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/bots"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

// builtin is a built-in bot in memory.
func builtin(t *testing.T, name string) botInMemory {
	t.Helper()
	b := must2(bots.Lookup(name))
	return func(in io.Reader, out io.Writer) { _ = bots.Serve(in, out, b.New()) }
}

// botAnswering is a bot in memory that answers each question with a line; without one it exits instead.
func botAnswering(line string) botInMemory {
	return func(in io.Reader, out io.Writer) {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			said := map[string]string{"mbi": "mbiok", "isready": "readyok", "go": line, "quit": ""}
			word, _, _ := strings.Cut(lines.Text(), " ")
			if reply, known := said[word]; known && reply == "" {
				return
			} else if known {
				fmt.Fprintln(out, reply)
			}
		}
	}
}

// botInMemory is a bot that runs as a goroutine, so that hours pass in no time.
type botInMemory func(in io.Reader, out io.Writer)

// Launch starts the goroutine, which ends at the latest when its input does.
func (run botInMemory) Launch(context.Context, *guest.Spawner) (guest.Bot, error) {
	ours, its := net.Pipe()
	go func() {
		defer its.Close()
		run(its, its)
	}()
	return &memoryBot{wire: ours}, nil
}

// memoryBot is the program's end of a bot in memory.
type memoryBot struct {
	guest.Bot // nil: nobody asks for what is missing below
	wire      net.Conn
}

func (b *memoryBot) Read(p []byte) (int, error)  { return b.wire.Read(p) }
func (b *memoryBot) Write(p []byte) (int, error) { return b.wire.Write(p) }
func (b *memoryBot) SetDeadline(t time.Time)     { _ = b.wire.SetDeadline(t) }
func (b *memoryBot) Arrived() time.Time          { return time.Now() }
func (b *memoryBot) Pending() (int, error)       { return 0, nil }
func (b *memoryBot) Stop(time.Duration)          { b.wire.Close() }
func (b *memoryBot) Exit() string                { return "" }
func (b *memoryBot) Stderr() ([]byte, int64)     { return nil, 0 }
func (b *memoryBot) WhyEnded() string            { return "" }
func (b *memoryBot) Drain(time.Time)             {}
func (b *memoryBot) CPU() (time.Duration, bool)  { return 0, false }

// visitor is a browser of a person who plays. It knows what the script of the page knows.
type visitor struct {
	*testing.T
	server  *Server
	address string // of the match
	state   playState
}

// visit returns a visitor of a page on which these bots can be played. All matches end with the test.
func visit(t *testing.T, launchers map[string]guest.Launcher) *visitor {
	t.Helper()
	server := must2(NewServer(nil))
	var p Play
	for name, launcher := range launchers {
		p.Opponents = append(p.Opponents, Opponent{Entry: guest.Entry{Name: name, Launcher: launcher}, Group: "Bots"})
	}
	t.Cleanup(server.Play(context.Background(), p))
	return &visitor{T: t, server: server}
}

// ask sends a request.
func (v *visitor) ask(method, address, kind, body string) *httptest.ResponseRecorder {
	v.Helper()
	return ask(v.server, method, address, func(r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(body))
		if kind != "" {
			r.Header.Set("Content-Type", kind)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
	})
}

const formKind = "application/x-www-form-urlencoded"

// begin begins a match with the fields of the form, and waits until the person is to move.
func (v *visitor) begin(fields url.Values) {
	v.Helper()
	answer := v.ask("POST", "/play/", formKind, fields.Encode())
	if answer.Code != http.StatusSeeOther {
		v.Fatalf("the match does not begin: %d %s", answer.Code, answer.Body)
	}
	v.address = answer.Header().Get("Location")
	v.state = playState{}
	v.settle()
}

// settle reads states until the bot does not think.
func (v *visitor) settle() {
	v.Helper()
	for v.state.Number == 0 || v.state.Turn == "bot" {
		v.read()
	}
}

// read waits for the next state, and reads it. It returns the status of the answer.
func (v *visitor) read() int {
	v.Helper()
	answer := v.ask("GET", fmt.Sprintf("%s/state?seen=%d", v.address, v.state.Number), "", "")
	if answer.Code == http.StatusOK {
		v.state = playState{}
		if err := json.Unmarshal(answer.Body.Bytes(), &v.state); err != nil {
			v.Fatal(err)
		}
	}
	return answer.Code
}

// act does something in the match, and returns the status and the text of the answer.
func (v *visitor) act(a action) (int, string) {
	v.Helper()
	body := must2(json.Marshal(a))
	answer := v.ask("POST", v.address, "application/json", string(body))
	return answer.Code, strings.TrimSpace(answer.Body.String())
}

// do does something that the page allows, and reads the state after it.
func (v *visitor) do(what, token string) {
	v.Helper()
	if status, text := v.act(action{Do: what, Number: v.state.Number, Token: token}); status != http.StatusNoContent {
		v.Fatalf("%s %s: %d %s", what, token, status, text)
	}
	v.read()
	v.settle()
}

// choose answers the questions at random until there is a move.
func (v *visitor) choose(random *rand.Rand) string {
	v.Helper()
	q := v.state.Question
	for range 20 {
		c := q.Choices[random.IntN(len(q.Choices))]
		if c.Next == nil {
			return c.Token
		}
		q = c.Next
	}
	v.Fatal("the questions do not end")
	return ""
}

// record reads the JSON line of the match, and referees it.
func (v *visitor) record() report.Match {
	v.Helper()
	answer := v.ask("GET", v.address+"/record.jsonl", "", "")
	if answer.Code != http.StatusOK || !strings.HasPrefix(answer.Header().Get("Content-Disposition"), "attachment; filename=") {
		v.Fatalf("the record: %d %v", answer.Code, answer.Header())
	}
	for line, err := range report.ReadMatches(answer.Body, "record") {
		must(v, err)
		game, problems := line.Check()
		if len(problems) > 0 {
			v.Errorf("the referee finds %v", problems)
		}
		return game
	}
	v.Fatal("no record")
	return report.Match{}
}

// TestPlayMatches plays whole matches of every ruleset with random answers to the questions of the page.
func TestPlayMatches(t *testing.T) {
	t.Parallel()
	all := append(engine.Rulesets(), must2(engine.Lookup("kalah-7x7-full-stuck-swap")), must2(engine.Lookup("kalah-swap")))
	for i, rules := range all {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, uint64(i)))
			v := visit(t, map[string]guest.Launcher{"bot": builtin(t, []string{"random", "greedy"}[i%2])})
			v.begin(url.Values{"ruleset": {name}, "bot": {"bot"}, "seat": {[]string{"south", "north"}[i/2%2]}, "rounds": {"3"}})
			if name == "awale" && len(v.state.Barred) != rules.Info().Holes {
				t.Errorf("at the start, barred are %q", v.state.Barred)
			}
			for undos := 0; v.state.Turn == "person"; {
				if undos < 5 && v.state.Undo && random.IntN(10) == 0 {
					undos++
					v.do("undo", "")
					continue
				}
				v.do("move", v.choose(random))
			}
			if v.state.Turn != "nobody" || len(v.state.Outcome) != 2 || v.state.Question != nil {
				t.Fatalf("the match ends with %+v", v.state)
			}
			game := v.record()
			var tokens []string
			for _, frame := range v.state.Frames[1:] {
				tokens = append(tokens, frame.Token)
			}
			if !slices.Equal(tokens, game.Record.Moves) {
				t.Errorf("the frames have the moves %v, the record has %v", tokens, game.Record.Moves)
			}
			shown := v.state.Frames
			v.state = playState{} // as after a reload
			v.read()
			for i := range shown {
				if shown[i].Position != v.state.Frames[i].Position {
					t.Fatalf("after ply %d: %s, and after a reload %s", i, shown[i].Position, v.state.Frames[i].Position)
				}
			}
		})
	}
}

// refused checks that an action is refused with a status, and with an error that contains a text.
func (v *visitor) refused(a action, status int, text string) {
	v.Helper()
	if got, body := v.act(a); got != status || !strings.Contains(body, text) {
		v.Errorf("%+v: %d %s; want %d and %q", a, got, body, status, text)
	}
}

// TestPlayWrongActions: what a person cannot do is refused with a reason, and changes nothing.
func TestPlayWrongActions(t *testing.T) {
	t.Parallel()
	thinks := make(chan struct{})
	v := visit(t, map[string]guest.Launcher{"bot": botInMemory(func(in io.Reader, out io.Writer) {
		_ = bots.Serve(in, out, waiting{thinks})
	})})
	v.begin(url.Values{"bot": {"bot"}, "name": {"ann"}})
	now := v.state.Number
	v.refused(action{Do: "move", Number: now, Token: "a"}, http.StatusBadRequest, "illegal move")
	v.refused(action{Do: "move", Number: now - 1, Token: "A"}, http.StatusConflict, "moved on")
	v.refused(action{Do: "undo", Number: now}, http.StatusConflict, "no move of yours")
	v.refused(action{Do: "fly", Number: now}, http.StatusBadRequest, "known: move, undo")
	if status := v.ask("POST", v.address, "text/plain", `{"do":"resign"}`).Code; status != http.StatusUnsupportedMediaType {
		t.Errorf("a text that is not JSON: %d", status)
	}
	if status := v.ask("POST", v.address, "application/json", strings.Repeat(" ", 2*mostBody)).Code; status != http.StatusBadRequest {
		t.Errorf("a long body: %d", status)
	}
	for _, address := range []string{v.address, "/play/"} {
		if w := ask(v.server, "POST", address, header("Origin", "http://elsewhere.example")); w.Code != http.StatusForbidden {
			t.Errorf("from another site to %s: %d", address, w.Code)
		}
	}
	equal(t, "the record of a match in play", http.StatusNotFound, v.ask("GET", v.address+"/record.jsonl", "", "").Code)
	if got := v.server.playing.find(strings.TrimPrefix(v.address, "/play/")).match.State().Number; got != now {
		t.Errorf("the match has moved on from %d to %d", now, got)
	}
	if status, _ := v.act(action{Do: "move", Number: now, Token: "A"}); status != http.StatusNoContent {
		t.Fatalf("a legal move: %d", status)
	}
	v.read()
	v.refused(action{Do: "move", Number: v.state.Number, Token: "B"}, http.StatusConflict, "not your turn")
	v.refused(action{Do: "hint", Number: v.state.Number}, http.StatusConflict, "not your turn")
	close(thinks)
	v.settle()
	if status, text := v.act(action{Do: "hint", Number: v.state.Number}); status != http.StatusOK || !strings.Contains(text, `"token":"`) {
		t.Errorf("a hint: %d %s", status, text)
	}
	v.do("resign", "")
	if v.state.Result != "lost" || v.record().Record.Ending != results.EndResign {
		t.Errorf("after resigning: %+v", v.state)
	}
	v.do("close", "")
	v.refused(action{Do: "undo", Number: v.state.Number}, http.StatusGone, "You ended this match")
	v.record()
}

// waiting is a bot that answers once a channel is closed.
type waiting struct{ until chan struct{} }

func (waiting) Identity() protocol.Identity {
	return protocol.Identity{Name: "waiting", Author: "test"}
}
func (waiting) SetOption(protocol.OptionValue) error { return nil }
func (waiting) NewMatch(protocol.NewMatch)           {}
func (w waiting) Choose(m *engine.Match, _ protocol.Limits, _ func(protocol.Info)) engine.Move {
	<-w.until
	return m.Legal()[0]
}

// TestPlayWrongChoices: a form with wrong fields comes back with the reason and with the other fields as they were.
func TestPlayWrongChoices(t *testing.T) {
	t.Parallel()
	silent := botInMemory(func(io.Reader, io.Writer) {})
	v := visit(t, map[string]guest.Launcher{"bot": builtin(t, "greedy"), "silent": silent})
	for name, test := range map[string]struct {
		fields url.Values
		status int
		want   string
	}{
		"ruleset":  {url.Values{"ruleset": {"chess"}}, http.StatusBadRequest, "known: awale"},
		"size":     {url.Values{"other": {"kalah-13x4"}}, http.StatusBadRequest, "1 to 12 holes a side"},
		"switches": {url.Values{"other": {"kalah-swap-full"}}, http.StatusBadRequest, "write kalah-full-swap"},
		"by name":  {url.Values{"ruleset": {"kalah-7x7"}, "seat": {"west"}}, http.StatusBadRequest, `value="kalah-7x7"`},
		"seat":     {url.Values{"seat": {"west"}}, http.StatusBadRequest, "south, north, either"},
		"bot":      {url.Values{"bot": {"<b>"}}, http.StatusBadRequest, "Unknown bot &#34;&lt;b&gt;&#34;"},
		"time":     {url.Values{"time": {"2h"}}, http.StatusBadRequest, "50ms to 30s"},
		"rounds":   {url.Values{"ruleset": {"bechi"}, "rounds": {"0"}}, http.StatusBadRequest, "1 to 100"},
		"position": {url.Values{"position": {"4/4"}}, http.StatusBadRequest, "position"},
		"decided":  {url.Values{"position": {"0,0,0,0,0,0/1,1,1,0,0,6 20-19 S sow 1 1"}}, http.StatusBadRequest, "no legal move"},
		"name":     {url.Values{"name": {"bot"}}, http.StatusBadRequest, "both have the name"},
		"hidden":   {url.Values{"name": {"\u202ex"}}, http.StatusBadRequest, "Your name"},
		"start":    {url.Values{"bot": {"silent"}}, http.StatusInternalServerError, "did not start"},
	} {
		t.Run(name, func(t *testing.T) {
			fields := url.Values{"bot": {"bot"}, "name": {"zoe"}}
			for key, value := range test.fields {
				fields[key] = value
			}
			answer := v.ask("POST", "/play/", formKind, fields.Encode())
			body := answer.Body.String()
			if answer.Code != test.status || !strings.Contains(body, test.want) {
				t.Errorf("%d %s", answer.Code, body)
			}
			if name != "name" && name != "hidden" && !strings.Contains(body, `value="zoe"`) {
				t.Error("the form forgets the name")
			}
			page := v.ask("GET", "/play/?"+fields.Encode(), "", "")
			if name != "start" && (page.Code != test.status || !strings.Contains(page.Body.String(), test.want)) {
				t.Errorf("the address of the form: %d %s", page.Code, page.Body)
			}
		})
	}
	page := v.ask("GET", "/play/?bot=bot&time=5s", "", "")
	if page.Code != http.StatusOK || !strings.Contains(page.Body.String(), `<option value="5s" selected>5s</option>`) {
		t.Errorf("a time that the form does not offer: %d %s", page.Code, page.Body)
	}
	if page := v.ask("GET", "/play/nobody", "", ""); page.Code != http.StatusNotFound {
		t.Errorf("the page of no match: %d", page.Code)
	}
}

// TestPlayHostileBots: a bot at fault loses, the page says why, and what the bot wrote is not trusted.
func TestPlayHostileBots(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer, want string
	}{
		"crash":   {"", "The bot exited or closed"},
		"illegal": {"bestmove \x1b[31m<script>", "Illegal move"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := visit(t, map[string]guest.Launcher{"bot": botAnswering(test.answer)})
			v.begin(url.Values{"bot": {"bot"}})
			v.do("move", "A")
			said := strings.Join(v.state.Outcome, "\n")
			if v.state.Turn != "nobody" || v.state.Result != "won" || !strings.Contains(said, test.want) || strings.Contains(said, "\x1b") {
				t.Errorf("%s, %s: %q", v.state.Turn, v.state.Result, said)
			}
			v.record()
		})
	}
}

// TestPlayLimits: no more than a few bots run at a time, a match that is over gives up its place, and idle matches end.
func TestPlayLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		running := new(atomic.Int32)
		greedy := builtin(t, "greedy")
		v := visit(t, map[string]guest.Launcher{"bot": botInMemory(func(in io.Reader, out io.Writer) {
			running.Add(1)
			defer running.Add(-1)
			greedy(in, out)
		})})
		fields := url.Values{"bot": {"bot"}}
		var addresses []string
		for range mostPlaying {
			v.begin(fields)
			addresses = append(addresses, v.address)
		}
		full := func() *httptest.ResponseRecorder { return v.ask("POST", "/play/", formKind, fields.Encode()) }
		if answer := full(); answer.Code != http.StatusServiceUnavailable || !strings.Contains(answer.Body.String(), "5 minutes after its page was closed, and 15 minutes") ||
			answer.Header().Get("Retry-After") == "" {
			t.Fatalf("one match too many: %d %v %s", answer.Code, answer.Header(), answer.Body)
		}

		v.do("resign", "")
		over := v.address
		v.begin(fields) // takes the place of the match that is over
		synctest.Wait()
		if running.Load() != mostPlaying {
			t.Errorf("%d bots run", running.Load())
		}
		v.address, v.state = over, playState{}
		v.read()
		if v.state.Ended != sayReplaced || v.state.Result != "lost" {
			t.Errorf("the match that is over: %+v", v.state)
		}
		v.record()

		// The page of the first match stays open, and the others are left.
		v.address, v.state = addresses[0], playState{}
		v.read()
		for since := time.Now(); time.Since(since) < leftLimit+time.Minute; {
			if status := v.read(); status != http.StatusNoContent {
				t.Fatalf("news of an idle match: %d %+v", status, v.state)
			}
		}
		synctest.Wait()
		if running.Load() != 1 {
			t.Errorf("%d bots run after the other pages were closed", running.Load())
		}
		for v.state.Ended == "" {
			v.read()
		}
		if v.state.Ended != sayIdle || v.state.Turn != "nobody" || v.state.Outcome == nil {
			t.Errorf("an idle match ends with %+v", v.state)
		}
		v.refused(action{Do: "move", Number: v.state.Number, Token: "A"}, http.StatusGone, string(sayIdle))
		v.address, v.state = addresses[1], playState{}
		v.read()
		if v.state.Ended != sayLeft {
			t.Errorf("a match that was left ends with %+v", v.state)
		}
		synctest.Wait()
		if running.Load() != 0 {
			t.Errorf("%d bots run at the end", running.Load())
		}
	})
}

// broken is a bot whose start ends in a panic.
type broken struct{}

func (broken) Launch(context.Context, *guest.Spawner) (guest.Bot, error) { panic("no kernel") }

// TestPlayPanic: a bot whose start ends in an error of the program gives its place back.
func TestPlayPanic(t *testing.T) {
	t.Parallel()
	v := visit(t, map[string]guest.Launcher{"bot": builtin(t, "random"), "broken": broken{}})
	for range mostPlaying + 1 {
		answer := v.ask("POST", "/play/", formKind, "bot=broken")
		if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), "no kernel") {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
	v.begin(url.Values{"bot": {"bot"}})
}

// TestPlayMany: more matches than are kept can be played, and the oldest are forgotten.
func TestPlayMany(t *testing.T) {
	t.Parallel()
	v := visit(t, map[string]guest.Launcher{"bot": builtin(t, "random")})
	first := ""
	for range mostKept + 3 {
		v.begin(url.Values{"bot": {"bot"}})
		if first == "" {
			first = v.address
		}
		v.do("close", "")
	}
	if kept := len(v.server.playing.kept); kept != mostKept {
		t.Errorf("%d matches are kept", kept)
	}
	equal(t, "the first match", http.StatusNotFound, v.ask("GET", first, "", "").Code)
}

// TestPlayEnds: when the page ends, all bots are gone, also one that thinks, and no match begins.
func TestPlayEnds(t *testing.T) {
	t.Parallel()
	server := must2(NewServer(nil))
	gone := make(chan struct{}, 2)
	launcher := botInMemory(func(in io.Reader, out io.Writer) {
		botAnswering("thinking")(in, out) // it never moves
		gone <- struct{}{}
	})
	end := server.Play(t.Context(), Play{Opponents: []Opponent{{Entry: guest.Entry{Name: "bot", Launcher: launcher}}}})
	v := &visitor{T: t, server: server}
	v.begin(url.Values{"bot": {"bot"}})
	v.begin(url.Values{"bot": {"bot"}})
	if status, text := v.act(action{Do: "move", Number: v.state.Number, Token: "A"}); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, text)
	}
	end()
	<-gone
	<-gone
	if answer := v.ask("POST", "/play/", formKind, url.Values{"bot": {"bot"}}.Encode()); answer.Code == http.StatusSeeOther {
		t.Error("a match begins after the end")
	}
}

// TestPlayOff: a page on which nobody may play says so.
func TestPlayOff(t *testing.T) {
	t.Parallel()
	v := &visitor{T: t, server: must2(NewServer(nil))}
	if answer := v.ask("GET", "/play/", "", ""); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "Nobody can play") {
		t.Errorf("the page: %d %s", answer.Code, answer.Body)
	}
	for _, address := range []string{"/play/", "/play/x"} {
		if answer := v.ask("POST", address, formKind, ""); answer.Code != http.StatusForbidden && answer.Code != http.StatusNotFound {
			t.Errorf("a match: %d", answer.Code)
		}
	}
}

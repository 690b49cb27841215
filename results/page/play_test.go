package page

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/arena"
	"sembra/arena/jail"
	"sembra/bots"
	"sembra/engine"
	"sembra/results/notation"
)

// piped starts a bot as a goroutine, which talks through a pipe in memory.
type piped func(conn net.Conn)

func (p piped) Launch(context.Context, *arena.Nursery) (arena.Bot, error) {
	ours, its := net.Pipe()
	b := &pipedBot{Conn: ours, gone: make(chan struct{})}
	go func() {
		defer close(b.gone)
		defer its.Close()
		p(its)
	}()
	return b, nil
}

// builtin is a built-in bot in memory.
func builtin(t *testing.T, name string) piped {
	t.Helper()
	b, err := bots.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(conn net.Conn) { _ = bots.Serve(conn, conn, b.New()) }
}

// pipedBot is a bot that runs as a goroutine.
type pipedBot struct {
	net.Conn
	gone chan struct{}
}

func (b *pipedBot) Arrived() time.Time { return time.Now() }

func (b *pipedBot) Pending() (int, error) { return 0, nil }

func (b *pipedBot) Stop(grace time.Duration) {
	if grace > 0 {
		select {
		case <-b.gone:
		case <-time.After(grace):
		}
	}
	_ = b.Conn.Close()
}

func (b *pipedBot) Exit() string { return "" }

func (b *pipedBot) Log() ([]byte, int64) { return nil, 0 }

func (b *pipedBot) Hint(string) string { return "" }

func (b *pipedBot) Watch(func(time.Time, []byte)) {}

func (b *pipedBot) Drain(time.Time) {}

func (b *pipedBot) CPU() (time.Duration, bool) { return 0, false }

func (b *pipedBot) Memory() (int64, bool) { return 0, false }

func (b *pipedBot) Pause() {}

func (b *pipedBot) Resume() {}

func (b *pipedBot) Bind([]int) {}

func (b *pipedBot) Threads() map[int]jail.Thread { return nil }

func (b *pipedBot) Busy() bool { return false }

func (b *pipedBot) Awake() time.Duration { return 0 }

// visitor is a browser of a person who plays. It knows what the script of the page knows.
type visitor struct {
	*testing.T
	server  *Server
	address string // of the match
	state   playState
	frames  []Frame // of the match, as the states told them
}

// visit returns a visitor of a page on which these bots can be played. All matches end with the test.
func visit(t *testing.T, launchers map[string]arena.Launcher) *visitor {
	t.Helper()
	server, err := NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	var p Play
	for name, launcher := range launchers {
		p.Opponents = append(p.Opponents, Opponent{Entry: arena.Entry{Name: name, Launcher: launcher}, Group: "Bots"})
	}
	t.Cleanup(server.Play(context.Background(), p))
	return &visitor{T: t, server: server}
}

// ask sends a request.
func (v *visitor) ask(method, address, kind, body string) *httptest.ResponseRecorder {
	v.Helper()
	r := httptest.NewRequest(method, address, strings.NewReader(body))
	r.Host = "localhost"
	if kind != "" {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	w := httptest.NewRecorder()
	v.server.ServeHTTP(w, r)
	return w
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
	v.state, v.frames = playState{}, nil
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
		if v.state.From == 0 {
			v.frames = v.state.Frames[:1:1]
		}
		if v.state.From >= len(v.frames) || v.frames[v.state.From].Position != v.state.Frames[0].Position {
			v.Fatalf("the state begins after %d plies, with %s", v.state.From, v.state.Frames[0].Position)
		}
		v.frames = append(slices.Clip(v.frames[:v.state.From+1]), v.state.Frames[1:]...)
	}
	return answer.Code
}

// act does something in the match, and returns the status and the text of the answer.
func (v *visitor) act(a action) (int, string) {
	v.Helper()
	body, err := json.Marshal(a)
	if err != nil {
		v.Fatal(err)
	}
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

// record reads the text record of the match, and referees it.
func (v *visitor) record() notation.Game {
	v.Helper()
	answer := v.ask("GET", v.address+"/record.txt", "", "")
	if answer.Code != http.StatusOK || !strings.HasPrefix(answer.Header().Get("Content-Disposition"), "attachment; filename=") {
		v.Fatalf("the record: %d %v", answer.Code, answer.Header())
	}
	for claim, err := range notation.Read(answer.Body, "record") {
		if err != nil {
			v.Fatal(err)
		}
		game, problems := notation.NewReferee().Check(claim)
		if len(problems) > 0 {
			v.Errorf("the referee finds %v", problems)
		}
		return game
	}
	v.Fatal("no record")
	return notation.Game{}
}

// TestPlayMatches plays whole matches of every ruleset with random answers to the questions of the page.
func TestPlayMatches(t *testing.T) {
	t.Parallel()
	for i, rules := range engine.Rulesets() {
		name := rules.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, uint64(i)))
			v := visit(t, map[string]arena.Launcher{"bot": builtin(t, []string{"random", "greedy"}[i%2])})
			v.begin(url.Values{"ruleset": {name}, "bot": {"bot"}, "seat": {[]string{"south", "north"}[i/2%2]}, "rounds": {"3"}})
			for undos := 0; v.state.Turn == "person"; {
				if undos < 5 && v.state.Undo && random.IntN(10) == 0 {
					undos++
					v.do("undo", "")
					continue
				}
				v.do("move", v.choose(random))
			}
			if v.state.Turn != "nobody" || len(v.state.Outcome) != 1 || v.state.Question != nil {
				t.Fatalf("the match ends with %+v", v.state)
			}
			game := v.record()
			var tokens []string
			for _, frame := range v.frames[1:] {
				tokens = append(tokens, frame.Token)
			}
			if !slices.Equal(tokens, game.Record.Moves) {
				t.Errorf("the frames have the moves %v, the record has %v", tokens, game.Record.Moves)
			}
			shown := v.frames
			v.state, v.frames = playState{}, nil // as after a reload
			v.read()
			for i := range shown {
				if shown[i].Position != v.frames[i].Position {
					t.Fatalf("after ply %d: %s, and after a reload %s", i, shown[i].Position, v.frames[i].Position)
				}
			}
		})
	}
}

package workers

import (
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/results"
)

// says reports whether an error says something; "" stands for no error.
func says(err error, want string) bool {
	return want == "" && err == nil || want != "" && err != nil && strings.Contains(err.Error(), want)
}

// TestAddresses: other machines need a user or a .creds file. No error shows a password.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ address, without, with string }{
		{"127.0.0.1:4222", "", ""},
		{"nats://localhost:4222", "", ""},
		{"[::1]:4222", "", ""},
		{"nats://me:pass@10.0.0.1:4222", "", ""},
		{"tls://me:pass@runner.example.org", "", ""},
		{"10.0.0.1:4222", "10.0.0.1 is another machine, and needs a user in its address", ""},
		{"127.0.0.1:4222,runner.example.org:4222", "not the address of a NATS server", "not the address of a NATS server"},
		{"nats://me:pass@10.0.0.1,10.0.0.2", "not the address of a NATS server", "not the address of a NATS server"},
		{"0.0.0.0:4222", "0.0.0.0 is another machine", ""},
		{"http://127.0.0.1:4222", "known: nats, tls, ws, wss", "known: nats, tls, ws, wss"},
		{"", "not the address of a NATS server", "not the address of a NATS server"},
		{"nats://", "not the address of a NATS server", "not the address of a NATS server"},
		{"nats://me:pass@127.0.0.1:4222/x", "not the address of a NATS server", "not the address of a NATS server"},
		{"127.0.0.1:70000", "not the address of a NATS server", "not the address of a NATS server"},
		{"listen:0.0.0.0:4222", "not the address of a NATS server", "not the address of a NATS server"},
	} {
		for want, credentials := range map[*string]string{&test.without: "", &test.with: "me.creds"} {
			if err := CheckAddress(test.address, credentials); !says(err, *want) || err != nil && strings.Contains(err.Error(), "pass@") {
				t.Errorf("%q: error %v, want %q", test.address, err, *want)
			}
		}
	}
	for address, want := range map[string]bool{
		"127.0.0.1:4222": true, "nats://me:pass@localhost": true, "tls://[::1]:4222": true,
		"10.0.0.1": false, "127.0.0.1,10.0.0.1": false, "nats://127.0.0.1@10.0.0.1": false,
	} {
		if onLoopback(address) != want {
			t.Errorf("%s is on the loopback: %t", address, !want)
		}
	}
}

// TestBadServers: an address that is of no use is a sentence, without control characters.
func TestBadServers(t *testing.T) {
	t.Parallel()
	stranger := must2(net.Listen("tcp", "127.0.0.1:0"))
	defer stranger.Close()
	go func() {
		for {
			conn, err := stranger.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "SSH-2.0 \x1b[31m\r\n")
			defer conn.Close()
		}
	}()
	tour := cup(t, 1)
	for _, test := range []struct{ address, err string }{
		{"127.0.0.1:1", "(hint: is nats-server running there"},
		{stranger.Addr().String(), "INFO not received"},
		{serving(t, func(o *server.Options) { o.JetStream = false }), "has no JetStream (hint: nats-server --jetstream"},
		{serving(t, func(o *server.Options) { o.Username, o.Password = "me", "secret" }), "Authorization Violation (hint: the user and password"},
	} {
		_, err := NewRunner(t.Context(), tour, Options{Address: test.address, Report: func(string) {}, timing: quick()})
		if !says(err, test.err) || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%s: error %q, want %q", test.address, err, test.err)
		}
	}
}

// TestSigns: what a worker says of itself never takes more than a bounded space.
func TestSigns(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x1b\u202e", 1000)
	got, err := readSign(text(t, Heartbeat{ID: "x", Who: Who{long, ""}, Leaves: long[:300], Slots: math.MaxInt}))
	if err != nil || len(got.Name) > mostName || got.Machine != "?" || got.Slots != mostSlots || strings.ContainsAny(got.Name+got.Leaves, "\x1b\u202e") {
		t.Errorf("%.300v, %v", got, err)
	}
	for _, bad := range []string{"{", strings.Repeat(" ", mostSign+1)} {
		if _, err := readSign([]byte(bad)); err == nil {
			t.Errorf("no error: %.20q", bad)
		}
	}
}

// TestPlanBounds: a worker refuses a plan that is odd, or that demands more than its owner allows.
func TestPlanBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change func(*Plan)
		err    string
	}{
		{func(*Plan) {}, ""},
		{func(p *Plan) { p.Bots = p.Bots[:1] }, "the plan has 1 bots"},
		{func(p *Plan) { p.Bots[0].Builtin = "" }, `bot "a" of the plan has no command`},
		{func(p *Plan) { p.Bots[1].Name = "a" }, `two bots "a"`},
		{func(p *Plan) { p.Bots[0].Bundle = "../x" }, "which is not a hash"},
		{func(p *Plan) { p.Bots[0].Size = mostBundle + 1 }, "of files (at most 320MiB)"},
		{func(p *Plan) { p.Bots[0].Size = -1 }, "of files (at most 320MiB)"},
		{func(p *Plan) { p.Bots[0].Dialect = "x" }, `speaks "x"`},
		{func(p *Plan) { p.Isolation.Mode = "x" }, `the isolation "x"`},
		{func(p *Plan) { p.Isolation.Memory = -1 }, "a limit of the plan is negative"},
		{func(p *Plan) { p.Time.Watchdog = math.MaxInt64 }, "the plan has the time"},
		{func(p *Plan) { p.Time.Margin = -1 }, "the plan has the time"},
		{func(p *Plan) { p.Ruleset = "x" }, `"x"`},
		{func(p *Plan) { p.Isolation.Mode = arena.NoIsolation }, "your own rights, because its isolation has the mode none (hint: --trust"},
		{func(p *Plan) { p.Isolation.Mode = "" }, "your own rights"},
		{func(p *Plan) { p.Isolation.Network, p.Isolation.Read = true, []string{"/home"} }, "the network; to read /home (hint: --trust"},
		{func(p *Plan) { p.Bots[1].Allowance.Network = true }, "the network, for b (hint: --trust"},
		{func(p *Plan) { p.Bots[1].EnvFrom = []string{"KEY"} }, "your environment variable KEY, for b (hint: --trust"},
		{func(p *Plan) { p.Bots[1].Allowance.Memory = -1 }, "a limit of the plan is negative"},
	} {
		p := Plan{
			Conditions: cup(t, 1).Conditions, Tournament: "cup", Isolation: results.Isolation{Mode: arena.AutoIsolation},
			Bots: []Bot{{Entry: guest.Entry{Name: "a", Builtin: "random"}}, {Entry: guest.Entry{Name: "b", Builtin: "random"}}},
		}
		test.change(&p)
		if err := (&worker{o: WorkerOptions{Options: Options{Address: "tls://runner.example.org:4222"}}}).accept(&p); !says(err, test.err) {
			t.Errorf("error %v, want %q", err, test.err)
		}
		if strings.Contains(test.err, "--trust") && p.Isolation.Read == nil {
			for _, o := range []WorkerOptions{{Options: Options{Address: "x:1"}, Trust: true}, {Options: Options{Address: "127.0.0.1:1"}}} {
				if err := (&worker{o: o}).accept(&p); err != nil {
					t.Errorf("%+v: %v", o, err)
				}
			}
		}
	}
}

// TestShield: a worker does not give its owner's rights to bots of another machine, unless the owner says so.
func TestShield(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o   WorkerOptions
		err string
	}{
		{WorkerOptions{Options: Options{Address: "tls://runner.example.org:4222"}}, "this machine cannot keep bots from your files"},
		{WorkerOptions{Options: Options{Address: "tls://runner.example.org:4222"}, Trust: true}, ""},
		{WorkerOptions{Options: Options{Address: "127.0.0.1:4222"}}, ""},
	} {
		if err := (&worker{o: test.o}).shield(arena.IsolationFound{}); !says(err, test.err) {
			t.Errorf("%+v: error %v, want %q", test.o, err, test.err)
		}
	}
}

// TestGuide: the configuration of arena/WORKERS.md is valid.
func TestGuide(t *testing.T) {
	t.Parallel()
	guide := must2(os.ReadFile(filepath.Join("..", "WORKERS.md")))
	block := regexp.MustCompile("(?s)```conf\n(.*?)```").FindSubmatch(guide)
	conf := filepath.Join(t.TempDir(), "sembra.conf")
	must(t, os.WriteFile(conf, block[1], 0o600))
	o := must2(server.ProcessConfigFile(conf))
	if !o.JetStream || o.MaxPayload != mostPayload || o.Username == "" || !o.SyncAlways {
		t.Errorf("%+v", o)
	}
}

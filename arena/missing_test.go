package arena

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
)

// TestNobodyWinsWithoutStarting: bots that never start win nothing when one of them
// is disqualified before the others. What they said is evidence in all their matches.
func TestNobodyWinsWithoutStarting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := inMemory(func(_ io.Reader, w io.Writer) { fmt.Fprintln(w, "id name dead") })
		tour := tournament(t, 4, unclocked(), dead, dead, dead, scripted{})
		tour.DisqualifyAfter = 3
		kept, _ := tableRun(t, tour)
		settle()
		for _, rec := range kept.records {
			if rec.South != "d" && rec.North != "d" && (rec.Result != results.Void || rec.Fault != results.BothFault) {
				t.Errorf("%v: result %v, fault %q", rec.Key, rec.Result, rec.FaultName())
			}
			if rec.Fault == results.NoFault || rec.Evidence == nil {
				t.Errorf("%v: fault %q, evidence %v", rec.Key, rec.FaultName(), rec.Evidence)
				continue
			}
			said := len(rec.Evidence.South.Lines) + len(rec.Evidence.North.Lines)
			if strings.Contains(rec.Evidence.What, "did not start") && said == 0 {
				t.Errorf("%v: %q without what the bot said", rec.Key, rec.Evidence.What)
			}
		}
	})
}

// TestSecondTry: a bot that does not get ready beside others has a second try alone.
func TestSecondTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &crowded{Launcher: scripted{}}
		tour := tournament(t, 1, unclocked(), slow, scripted{}, slow)
		tour.Missing = RefuseMissing
		kept, told := tableRun(t, tour)
		settle()
		if len(kept.records) != 6 || len(of[BotFailed](told)) != 0 {
			t.Errorf("%d records, %v", len(kept.records), of[BotFailed](told))
		}
	})
}

// crowded starts two bots that are never ready, and then others.
type crowded struct {
	guest.Launcher
	tries atomic.Int32
}

func (c *crowded) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	if c.tries.Add(1) <= 2 {
		return inMemory(func(r io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, r) }).Launch(ctx, n)
	}
	return c.Launcher.Launch(ctx, n)
}

// TestRefusedBots: an option or a ruleset that a bot does not offer is refused before anything is played.
func TestRefusedBots(t *testing.T) {
	t.Parallel()
	const offers = "option name Depth type spin default 4 min 1 max 64\n" +
		"option name Book type check default true\n" +
		"option name Style type combo default calm var calm var very wild\n" +
		"option name Clear type button\noption name Path type string default x"
	for _, test := range []struct {
		hello       string
		name, value string
		want        string // "": it is fine
	}{
		{offers, "Depth", "6", ""},
		{offers, "Clear", "", ""},
		{offers + "\nplays oware kalah", "Depth", "6", "bot b: it does not play awale (it says that it plays: oware kalah) (hint: --ruleset, or ruleset in the tournament file)"},
		{"plays \x1b[31mred", "", "", "bot b: it does not play awale (it says that it plays: ␛[31mred) (hint: --ruleset, or ruleset in the tournament file)"},
		{"option name \x1b[31mred type check", "x", "y", `bot b: unknown option "x" (the bot offers: ␛[31mred)`},
	} {
		inBubble(t, test.name+"="+test.value, func(t *testing.T) {
			var heard transcript
			a := &counted{Launcher: scripted{}}
			tour := tournament(t, 1, unclocked(), a, scripted{Hello: "wants legal\n" + test.hello, Heard: &heard})
			tour.Missing = RefuseMissing
			if test.name != "" {
				tour.Entries[1].Options = []protocol.OptionValue{{Name: test.name, Value: test.value}}
			}
			kept, told, err := run(t, tour)
			settle()
			if test.want == "" {
				if err != nil || len(kept.records) != 2 {
					t.Errorf("error %v, %d records", err, len(kept.records))
				}
				want := "setoption name " + test.name
				if test.value != "" {
					want += " value " + test.value
				}
				if sent := heard.Of("setoption"); !slices.Equal(sent, []string{want, want}) { // at the try and to play
					t.Errorf("it was sent %q, want %q twice", sent, want)
				}
				return
			}
			if asConfigError(t, err); err.Error() != test.want {
				t.Errorf("error is %q, want %q", err, test.want)
			}
			if len(kept.records) != 0 || len(told) != 0 || len(heard.Of("newmatch", "setoption")) != 0 || a.starts.Load() > 1 {
				t.Errorf("something was played: records %v, events %v, b heard %q", kept.records, told, heard.All())
			}
		})
	}
}

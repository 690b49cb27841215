package workers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"sembra/arena"
	"sembra/arena/protocol"
	"sembra/arena/sandbox"
	"sembra/bots"
	"sembra/engine"
	"sembra/results/store"
)

// TestMain lets this test binary also be a bot, a worker or a runner, or check a database, as its first argument says.
func TestMain(m *testing.M) {
	if sandbox.IsChild(os.Args) {
		os.Exit(sandbox.RunChild())
	}
	if store.IsCheckChild(os.Args) {
		os.Exit(store.RunCheckChild(os.Args))
	}
	roles := map[string]func(args []string) error{
		"bot": playBot, "worker": playWorker, "runner": playRunner,
	}
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		if err := roles[os.Args[1]](os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		syscall.Exit(0) // with the race detector, os.Exit waits a second
	}
	_ = flag.Set("test.parallel", "8") // most of these tests wait; the command line overrides it
	os.Exit(m.Run())
}

// playBot is a built-in bot, or the bot slow.
func playBot(args []string) error {
	if args[0] == "slow" {
		random, err := bots.Lookup("random")
		if err != nil {
			return err
		}
		return bots.Serve(os.Stdin, os.Stdout, slow{random.New()})
	}
	player, err := bots.Lookup(args[0])
	if err != nil {
		return err
	}
	return bots.Serve(os.Stdin, os.Stdout, player.New())
}

// slow takes some time for each move.
type slow struct{ bots.Player }

// Choose chooses after a while.
func (s slow) Choose(m *engine.Match, limits protocol.Limits, tell func(protocol.Info)) engine.Move {
	time.Sleep(5 * time.Millisecond)
	return s.Player.Choose(m, limits, tell)
}

// playWorker is a worker: ADDRESS NAME CACHE.
func playWorker(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return Work(ctx, WorkerOptions{
		Options: Options{Address: args[0], Program: "test", Report: telling(args[1]), timing: quick()},
		Name:    args[1], Cache: args[2], Concurrency: 2, Builtin: builtin,
	})
}

// telling writes lines of a process to standard error.
func telling(who string) func(string) {
	return func(line string) { fmt.Fprintln(os.Stderr, who+": "+line) }
}

// playRunner is a runner: ADDRESS DATABASE FORMAT.
func playRunner(args []string) error {
	tour, err := slowCup(args[2], "slow")
	if err != nil {
		return err
	}
	tour.Concurrency = 0
	db, err := store.Open(args[1])
	if err != nil {
		return err
	}
	defer db.Close()
	records, err := db.Begin(tour.Plan, false)
	if err != nil {
		return err
	}
	recorded, err := records.Recorded()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	o := Options{Address: args[0], Program: "test", Report: telling("runner"), timing: quick()}
	r, err := NewRunner(ctx, tour, o)
	if err != nil {
		return err
	}
	tour.Remote = r
	err = tour.Play(ctx, recorded, records, func(arena.Event) {})
	return errors.Join(err, r.Close(err == nil))
}

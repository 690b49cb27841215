package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// claimServer waits until no other runner uses the server.
func (r *Runner) claimServer(ctx context.Context) error {
	deadline := time.Now().Add(r.timing.gone + r.timing.gone/2)
	for told := false; ; told = true {
		revision, err := r.presence.Create(ctx, runnerKey, r.status())
		if err == nil {
			r.claim = revision
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return ofServer("an entry", err, r.conn.ConnectedUrlRedacted())
		}
		var other Status
		if entry, err := r.presence.Get(ctx, runnerKey); err == nil {
			_ = json.Unmarshal(entry.Value(), &other) // an odd entry names nobody
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("another runner plays the tournament %q at this server, on machine %q (hint: one server serves one run at a time)",
				other.Tournament, other.Machine)
		}
		if !told {
			r.tell(fmt.Sprintf("waiting: the server has a runner on machine %q, or one that has just ended", other.Machine))
		}
		select {
		case <-time.After(r.timing.gone / 20):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// machine returns the name of this machine.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

func (r *Runner) status() []byte { // the tallies are not there before the first record
	return encode(Status{Version: valueVersion, Tournament: r.plan.Tournament, Machine: machine(), Tallies: r.Tallies()})
}

// beat renews the runner's entry.
func (r *Runner) beat(ctx context.Context) {
	tick := time.NewTicker(r.timing.gone / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		within, cancel := context.WithTimeout(ctx, r.timing.gone/4)
		revision, err := r.presence.Update(within, runnerKey, r.status(), r.claim)
		if lost := errors.Is(err, jetstream.ErrKeyExists); !lost && ctx.Err() == nil {
			r.notice(err)
		}
		if err == nil {
			r.claim = revision
		} else if errors.Is(err, jetstream.ErrKeyExists) {
			r.renew(within)
		}
		cancel()
	}
}

// renew claims the server again after the entry has vanished, because the server was away. If another runner has the
// server now, the run ends.
func (r *Runner) renew(ctx context.Context) {
	entry, err := r.presence.Get(ctx, runnerKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		if revision, err := r.presence.Create(ctx, runnerKey, r.status()); err == nil {
			r.claim = revision
		}
	case err == nil && entry.Revision() != r.claim:
		var other Status
		_ = json.Unmarshal(entry.Value(), &other) // an odd entry names nobody
		if other.Machine == machine() && other.Tournament == r.plan.Tournament {
			r.claim = entry.Revision() // our own, whose confirmation was lost
			return
		}
		r.stop(fmt.Errorf("another runner on machine %q has taken over the server for the tournament %q", safe(other.Machine), safe(other.Tournament)))
	}
}

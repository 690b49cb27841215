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

// claimServer waits until no other runner uses the server. The entry of a runner that was killed vanishes by itself. If
// the entry is renewed, that runner lives, and claimServer fails.
func (r *Runner) claimServer(ctx context.Context) error {
	seen := uint64(0) // revision of the other one's entry
	for {
		err := r.persist(ctx, func() (err error) {
			r.claim, err = r.presence.Create(ctx, runnerKey, r.status())
			return err
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return ofServer("an entry", err, r.conn.ConnectedUrlRedacted())
		}
		if entry, err := r.presence.Get(ctx, runnerKey); err == nil {
			var other Status
			_ = json.Unmarshal(entry.Value(), &other) // an odd entry names nobody
			switch {
			case other.ID == r.id: // our own, whose confirmation was lost
				r.claim = entry.Revision()
				return nil
			case seen == 0:
				seen = entry.Revision()
				r.tell(fmt.Sprintf("waiting: the server has a runner on machine %q, or one that has just ended", safe(other.Machine)))
			case entry.Revision() != seen:
				return fmt.Errorf("another runner plays the tournament %q at this server, on machine %q (hint: one server serves one run at a time)",
					safe(other.Tournament), safe(other.Machine))
			}
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
	return encode(Status{Version: valueVersion, ID: r.id, Tournament: r.plan.Tournament, Machine: machine(), Tallies: r.Tallies()})
}

// mostLosses is how often in a row the server may say that it has no streams before the run ends.
const mostLosses = 3

// beat renews the runner's entry.
func (r *Runner) beat(ctx context.Context) {
	tick := time.NewTicker(r.timing.gone / 4)
	defer tick.Stop()
	for losses := 0; losses < mostLosses; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		within, cancel := context.WithTimeout(ctx, r.timing.gone/4)
		revision, err := r.presence.Update(within, runnerKey, r.status(), r.claim)
		if !errors.Is(err, jetstream.ErrKeyExists) && ctx.Err() == nil {
			r.notice(err)
		}
		switch {
		case err == nil:
			r.claim, losses = revision, 0
		case errors.Is(err, jetstream.ErrKeyExists):
			r.renew(within)
		default:
			if _, err := r.js.Stream(ctx, streamOf(presenceBucket)); errors.Is(err, jetstream.ErrStreamNotFound) {
				losses++
			}
		}
		cancel()
	}
	r.stop(errors.New("the server came back without what it had kept (hint: the same command begins again; the store of the server " +
		"must be on a disk that stays)"))
}

// streamOf returns the name of the stream that a bucket is.
func streamOf(bucket string) string { return "KV_" + bucket }

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
		if other.ID == r.id {                     // our own, whose confirmation was lost
			r.claim = entry.Revision()
			return
		}
		r.stop(fmt.Errorf("another runner on machine %q has taken over the server for the tournament %q", safe(other.Machine), safe(other.Tournament)))
	}
}

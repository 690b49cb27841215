package workers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"sembra/arena"
)

// sendBots stores the bundles at the server and completes the plan.
func (r *Runner) sendBots(ctx context.Context, entries []arena.Entry, baggage []arena.Baggage) error {
	r.plan.Bots, r.plan.Lanes = nil, nil // of an earlier try
	for i, e := range entries {
		b := Bot{
			Name: e.Name, Builtin: e.Builtin, Environment: e.Environment, Options: e.Options, Dialect: e.Dialect, Restart: e.Restart,
			Command: baggage[i].Args, Need: baggage[i].Need,
			Broken: r.broken[e.Name],
		}
		if b.Builtin == "" && b.Need == "" {
			b.Need = ownProgram
		}
		if len(baggage[i].Files) > 0 {
			var err error
			if b.Bundle, b.Size, err = r.sendBundle(ctx, baggage[i].Files); err != nil {
				return fmt.Errorf("bot %s: its files cannot be sent to workers: %w", e.Name, err)
			}
		}
		r.plan.Bots = append(r.plan.Bots, b)
	}
	r.plan.makeLanes()
	return nil
}

// brokenBots returns the bots of a tournament that do not start on this machine, if the tournament goes on without them.
// A worker that knows them does not take such a bot for a sign that it lacks the bot's interpreter.
func brokenBots(ctx context.Context, t *arena.Tournament) (map[string]bool, error) {
	if t.Missing != arena.ForfeitMissing {
		return nil, nil
	}
	hall, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer hall.Close()
	broken := make(map[string]bool)
	for _, failed := range hall.Failed() {
		broken[failed.Bot] = true
	}
	return broken, nil
}

// sendBundle stores a bundle unless it is there.
func (r *Runner) sendBundle(ctx context.Context, files []arena.Carried) (name string, size int64, err error) {
	temp, err := os.CreateTemp("", "sembra-bundle-")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, temp.Close(), os.Remove(temp.Name())) }()
	if name, size, err = pack(temp, files); err != nil {
		return "", 0, err
	}
	if info, err := r.files.GetInfo(ctx, name); err == nil && info.Size == uint64(size) {
		return name, size, nil
	}
	if _, err := temp.Seek(0, 0); err != nil {
		return "", 0, err
	}
	within, cancel := transfer(ctx, size)
	defer cancel()
	if _, err = r.files.Put(within, jetstream.ObjectMeta{Name: name}, temp); err != nil {
		return "", 0, ofServer("them", err, r.conn.ConnectedUrlRedacted())
	}
	return name, size, nil
}

// announce tells workers the plan. Jobs and answers of another plan are removed; those of the same plan stay, because
// they are of a runner that was killed.
func (r *Runner) announce(ctx context.Context) error {
	text := encode(r.plan)
	r.planHash = hashOf(text)
	entry, err := r.plans.Get(ctx, planKey)
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return err
	}
	announced := err == nil && string(entry.Value()) == r.planHash
	if !announced {
		// A runner may be killed at any point: while a plan is announced, the server has everything that belongs to it.
		if err == nil {
			if err := r.plans.Delete(ctx, planKey); err != nil {
				return err
			}
		}
		if err := errors.Join(r.jobs.Purge(ctx), r.removeLanes(ctx), r.removeFiles(ctx)); err != nil {
			return err
		}
	}
	if _, err := r.files.GetInfo(ctx, planObject(r.planHash)); !announced || err != nil {
		within, cancel := transfer(ctx, int64(len(text)))
		defer cancel()
		if _, err := r.files.PutBytes(within, planObject(r.planHash), text); err != nil {
			return ofServer("the plan", err, r.conn.ConnectedUrlRedacted())
		}
	}
	for n, lane := range r.plan.Lanes {
		const most = 1 << 10 // bytes
		_, err := r.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: laneName(n), Description: fmt.Sprintf("%.*s", most, strings.Join(lane.Needs, ", ")),
			FilterSubject: fmt.Sprintf("%s%d.*", jobSubject, n),
			AckPolicy:     jetstream.AckExplicitPolicy, AckWait: r.timing.ack, MaxDeliver: -1, MaxAckPending: -1,
		})
		if err != nil {
			return ofServer("consumer "+laneName(n), err, r.conn.ConnectedUrlRedacted())
		}
	}
	if announced {
		return nil
	}
	if _, err = r.plans.PutString(ctx, planKey, r.planHash); err != nil {
		return ofServer("the plan", err, r.conn.ConnectedUrlRedacted())
	}
	return nil
}

// removeFiles removes the bundles and plans that this plan does not name, of earlier tournaments.
func (r *Runner) removeFiles(ctx context.Context) error {
	named := map[string]bool{planObject(r.planHash): true}
	for _, b := range r.plan.Bots {
		named[b.Bundle] = true
	}
	objects, err := r.files.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil
	}
	for _, object := range objects {
		if !named[object.Name] {
			err = errors.Join(err, r.files.Delete(ctx, object.Name))
		}
	}
	return err
}

func laneName(n int) string { return fmt.Sprintf("lane-%d", n) }

func planObject(hash string) string { return "plan." + hash }

// removeLanes removes the consumers of another plan.
func (r *Runner) removeLanes(ctx context.Context) error {
	names := r.jobs.ConsumerNames(ctx)
	for name := range names.Name() {
		if err := r.jobs.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
	}
	return names.Err()
}

package workers

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	pauseBetween = time.Second // before something is tried again at the server
	patience     = time.Minute // how long a start goes on if the server does not answer

	// A connection is lost if the server is silent for so many pings. The system may notice much later
	// that a machine is cut off.
	pingsEvery = 5 * time.Second
	mostPings  = 2
)

// pause waits before something is tried again. It reports whether the context is still not done.
func pause(ctx context.Context) bool {
	select {
	case <-time.After(pauseBetween):
		return true
	case <-ctx.Done():
		return false
	}
}

// persist does something at the server. As long as the server is away, persist tries again, for some time.
func (l *link) persist(ctx context.Context, do func() error) error {
	for begun := time.Now(); ; {
		err := do()
		if err == nil || !isAway(err) || l.conn.IsClosed() || time.Since(begun) > patience || !pause(ctx) {
			return err
		}
	}
}

// isAway reports whether an error means that the server is away for now, or that a cluster has no leader.
func isAway(err error) bool {
	if api := new(jetstream.APIError); errors.As(err, &api) {
		const noPeers = 10005 // a server of the cluster is missing
		noJetStream := api.ErrorCode == jetstream.JSErrCodeJetStreamNotEnabled || api.ErrorCode == jetstream.JSErrCodeJetStreamNotEnabledForAccount
		return (api.Code == 503 || api.ErrorCode == noPeers) && !noJetStream && !isFull(err)
	}
	for _, is := range []error{
		nats.ErrTimeout, context.DeadlineExceeded, nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrStaleConnection, nats.ErrReconnectBufExceeded,
	} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

// transfer bounds the transfer of some bytes. Without a deadline of its own, the library allows 5 s for all of it.
func transfer(ctx context.Context, bytes int64) (context.Context, context.CancelFunc) {
	const slowest = 1 << 20 // bytes a second
	return context.WithTimeout(ctx, patience/2+time.Duration(bytes/slowest)*time.Second)
}

// isMissing reports whether an error means that something is not whole at the server. A runner may be about to make it.
func isMissing(err error) bool {
	for _, is := range []error{
		jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound,
		jetstream.ErrDigestMismatch, // it is being replaced
	} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

// closed returns why the connection has ended for good; nil: it has not.
func (l *link) closed() error {
	if !l.conn.IsClosed() {
		return nil
	}
	if err := l.conn.LastError(); err != nil {
		return &serverError{"the NATS server has ended the connection: " + saidBy(err), err}
	}
	return errors.New("the connection to the server is closed")
}

// observe returns the entries of a bucket with a key, which may be a pattern, and then those that change. nil stands
// between the two. All of this begins again when the connection was lost. The channel is closed when the context is done
// or the connection has ended for good.
func (l *link) observe(ctx context.Context, bucket jetstream.KeyValue, key string) <-chan jetstream.KeyValueEntry {
	entries := make(chan jetstream.KeyValueEntry)
	go func() {
		defer close(entries)
		back := l.conn.StatusChanged(nats.CONNECTED, nats.CLOSED)
		defer l.conn.RemoveStatusListener(back)
		for !l.conn.IsClosed() {
			l.observeOnce(ctx, bucket, key, back, entries)
			if !pause(ctx) {
				return
			}
		}
	}()
	return entries
}

// observeOnce observes until the connection was lost and is back.
func (l *link) observeOnce(ctx context.Context, bucket jetstream.KeyValue, key string, back <-chan nats.Status, to chan<- jetstream.KeyValueEntry) {
	ctx, cancel := context.WithCancel(ctx)
	watcher, err := bucket.Watch(ctx, key)
	if err != nil {
		cancel()
		return
	}
	defer func() { // the watcher may be waiting with an entry
		cancel()
		go func() {
			for range watcher.Updates() {
			}
		}()
	}()
	for {
		select {
		case entry, open := <-watcher.Updates():
			if !open {
				return
			}
			select {
			case to <- entry:
			case <-ctx.Done():
				return
			}
		case <-back:
			return
		case <-ctx.Done():
			return
		}
	}
}

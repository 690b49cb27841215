package workers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What a server keeps.
const (
	jobsStream     = "SEMBRA_JOBS"
	answersStream  = "SEMBRA_ANSWERS"
	planBucket     = "SEMBRA_PLAN"
	presenceBucket = "SEMBRA_PRESENCE"
	filesStore     = "SEMBRA_FILES"

	jobSubject    = "sembra.job."
	answerSubject = "sembra.answer."
	answersReader = "runner" // consumer

	planKey   = "plan"
	runnerKey = "runner"
)

// timing is how long one side waits for the other. Both sides get it from the server.
type timing struct {
	ack    time.Duration // a job or an answer is delivered again if nothing was heard of it for so long
	gone   time.Duration // an entry of presence vanishes after that; it is renewed four times as often
	resend time.Duration // a job that is not answered is sent again, in case the server has lost it
}

func defaultTiming() timing {
	return timing{ack: 30 * time.Second, gone: 20 * time.Second, resend: time.Minute}
}

// link is a connection to a NATS server with JetStream.
type link struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	timing   timing
	plans    jetstream.KeyValue
	presence jetstream.KeyValue
}

// answersWithin is how long a server may take for an answer.
const answersWithin = 10 * time.Second

// connect connects to the server at an address: HOST:PORT, a URL, or several with commas between them. Later it
// connects again by itself whenever the connection is lost, and tells so.
func connect(ctx context.Context, address, name string, c Credentials, tell func(string)) (*link, error) {
	if err := checkAddress(address, c); err != nil {
		return nil, err
	}
	options, err := c.client()
	if err != nil {
		return nil, err
	}
	var first error // that the server said
	options = append(
		options, nats.Name("sembra "+name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(answersWithin),
		nats.PingInterval(pingsEvery), nats.MaxPingsOutstanding(mostPings),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				tell(fmt.Sprintf("the connection to the server is lost (%v); trying again until it is back", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { tell("the server is back") }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // whoever asks gets the error
	)
	conn, err := nats.Connect(address, options...)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the NATS server at %s: %w%s", address, err, hintOf(err, c))
	}
	l := &link{conn: conn}
	if l.js, first = jetstream.New(conn); first == nil {
		first = l.persist(ctx, func() error {
			_, err := l.js.AccountInfo(ctx)
			return err
		})
	}
	if first != nil {
		conn.Close()
		return nil, ofServer("", first, address)
	}
	return l, nil
}

// hintOf says what to do about a failed connection.
func hintOf(err error, c Credentials) string {
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return " (hint: is the runner or the server running there, and does a firewall let you through?)"
	case errors.Is(err, nats.ErrAuthorization) && !c.given():
		return " (hint: --credentials FILE)"
	case errors.Is(err, nats.ErrSecureConnRequired):
		return " (hint: the address begins with tls://, and the credentials name the ca)"
	}
	return ""
}

// checkAddress refuses an address with credentials in it, and another machine without credentials.
func checkAddress(address string, c Credentials) error {
	for _, one := range strings.Split(address, ",") {
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		switch {
		case err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/":
			return fmt.Errorf("%q is no address of a NATS server; it must be HOST:PORT or nats://HOST:PORT", address)
		case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return fmt.Errorf("the address %q begins with %s:// (known: nats, tls, ws, wss)", address, u.Scheme)
		case u.User != nil:
			return errors.New("the address has a password in it, which other users of this machine can see (hint: --credentials FILE)")
		case !c.given() && !loopback(u.Hostname()):
			return fmt.Errorf("%s is another machine, and needs --credentials FILE", u.Hostname())
		}
	}
	return nil
}

// ofServer says in a sentence what is wrong with a server. what is what it was asked to make; "": nothing.
func ofServer(what string, err error, address string) error {
	api := new(jetstream.APIError)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders) && what == "":
		return fmt.Errorf("the NATS server at %s has no JetStream (hint: nats-server --jetstream, or --workers listen:HOST:PORT)", address)
	case errors.Is(err, jetstream.ErrStreamNameAlreadyInUse), errors.Is(err, jetstream.ErrBucketExists):
		return fmt.Errorf("the NATS server at %s has a %s of another shape, from another program or another version of Sembra "+
			"(hint: if nothing else uses it, remove it with: nats stream rm)", address, what)
	case errors.As(err, &api):
		return &keepError{fmt.Sprintf("the NATS server at %s cannot keep %s: %s", address, what, api.Description), api}
	}
	return fmt.Errorf("the NATS server at %s: %w", address, err)
}

// keepError says what a server cannot keep.
type keepError struct {
	text string
	err  *jetstream.APIError
}

func (e *keepError) Error() string { return e.text }
func (e *keepError) Unwrap() error { return e.err }

// meet makes the buckets by which runner and workers find each other, unless they are there.
func (l *link) meet(ctx context.Context, t timing) (err error) {
	l.timing = t
	if l.plans, err = l.bucket(ctx, planBucket, "the tournament that Sembra plays", 0); err != nil {
		return err
	}
	l.presence, err = l.bucket(ctx, presenceBucket, "who is there", t.gone)
	return err
}

// bucket opens a bucket whose entries vanish after some time (0: never), or makes it. A bucket that is there may have
// another number of copies: it was made when more or fewer servers were there.
func (l *link) bucket(ctx context.Context, name, about string, ttl time.Duration) (jetstream.KeyValue, error) {
	address := l.conn.ConnectedUrlRedacted()
	bucket, err := l.js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		bucket, err = l.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Description: about, TTL: ttl, Replicas: l.replicas()})
	}
	if err != nil {
		return nil, ofServer("bucket "+name, err, address)
	}
	status, err := bucket.Status(ctx)
	if err == nil && status.TTL() != ttl {
		err = jetstream.ErrBucketExists
	}
	if err != nil {
		return nil, ofServer("bucket "+name, err, address)
	}
	return bucket, nil
}

// replicas is how many servers of a cluster keep everything.
func (l *link) replicas() int {
	if l.conn.ConnectedClusterName() != "" && len(l.conn.Servers()) >= 3 {
		return 3
	}
	return 1
}

// queue opens a stream for messages that are taken once, or makes it. It keeps one message of each subject and refuses
// more.
func (l *link) queue(ctx context.Context, name, subjects string) (jetstream.Stream, error) {
	want := jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, Replicas: l.replicas(),
	}
	s, err := l.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s, err = l.js.CreateStream(ctx, want)
	}
	if err == nil && !sameShape(s.CachedInfo().Config, want) {
		err = jetstream.ErrStreamNameAlreadyInUse
	}
	if err != nil {
		return nil, ofServer("stream "+name, err, l.conn.ConnectedUrlRedacted())
	}
	return s, nil
}

// sameShape reports whether a stream does what it has to do. The number of its copies does not matter.
func sameShape(got, want jetstream.StreamConfig) bool {
	return slices.Equal(got.Subjects, want.Subjects) && got.Retention == want.Retention && got.Storage == want.Storage &&
		got.Discard == want.Discard && got.DiscardNewPerSubject && got.MaxMsgsPerSubject == want.MaxMsgsPerSubject
}

// publish stores a message at the server, once. there says that a message of that subject was there already. publish
// waits as long as the server is away. Other errors are of a server that cannot keep the message.
func (l *link) publish(ctx context.Context, subject string, text []byte) (there bool, err error) {
	for {
		within, cancel := context.WithTimeout(ctx, answersWithin)
		_, err := l.js.Publish(within, subject, text)
		cancel()
		api := new(jetstream.APIError)
		switch {
		case err == nil, isQueued(err):
			return err != nil, nil
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case l.conn.IsClosed():
			return false, l.closed()
		case errors.Is(err, nats.ErrMaxPayload):
			return false, fmt.Errorf("a message has %d bytes, and the NATS server allows %d (hint: max_payload in its configuration)", len(text), l.conn.MaxPayload())
		case errors.As(err, &api) && api.Code < 500 || isFull(err):
			return false, ofServer("a message", err, l.conn.ConnectedUrlRedacted())
		}
		if !pause(ctx) {
			return false, context.Cause(ctx)
		}
	}
}

// isQueued reports whether a message was refused because one of its subject is there.
func isQueued(err error) bool {
	api := new(jetstream.APIError)
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// isFull reports whether a message was refused because a limit of the server is reached.
func isFull(err error) bool {
	api := new(jetstream.APIError)
	return errors.As(err, &api) && (strings.Contains(api.Description, "maximum") || strings.Contains(api.Description, "insufficient") ||
		strings.Contains(api.Description, "exceeded"))
}

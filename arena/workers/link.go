package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sembra/results/safe"
)

// What a server keeps, and the subjects of what it does not keep.
const (
	jobsStream    = "SEMBRA_JOBS"
	answersStream = "SEMBRA_ANSWERS"
	filesStore    = "SEMBRA_FILES"

	jobSubject    = "sembra.job."
	answerSubject = "sembra.answer."
	jobsReader    = "workers" // consumer
	answersReader = "runner"  // consumer

	runSubject    = "sembra.run"     // of the runner's signs
	workerSubject = "sembra.worker." // of those of the worker with that identity
)

// Options is what a runner and a worker need to meet at a server.
type Options struct {
	Address     string            // of the NATS server; see [CheckAddress]
	Credentials string            // .creds file; "": none
	Program     string            // version of this program
	Report      func(line string) // says to people what happens; several goroutines call it

	timing timing // zero: the default
}

// timing is how long one side waits for the other. It is the same for both sides.
type timing struct {
	sign   time.Duration // between two heartbeats
	gone   time.Duration // without a heartbeat, a worker is gone after that, and an unanswered job is sent again
	ack    time.Duration // a job is delivered again if nothing was heard of it for so long
	stores time.Duration // so long may a server that answers store nothing
}

func defaultTiming() timing {
	return timing{sign: time.Second, gone: 10 * time.Second, ack: 30 * time.Second, stores: 6 * time.Second}
}

const (
	answersWithin = 8 * time.Second // for a request to a server
	retryAfter    = time.Second     // until something that failed is tried again
	mostPayload   = 8 << 20         // bytes of a job or an answer
)

// CheckAddress checks the address of a NATS server. Another machine needs credentials: a user in the address, or a
// .creds file. Nothing is done at the address.
func CheckAddress(address, credentials string) error {
	u := serverOf(address)
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "4222"), 10, 16)
	if u.Hostname() == "" || u.Path != "" && u.Path != "/" || err != nil || port == 0 {
		return errors.New("that is not the address of a NATS server; it must be nats://HOST:PORT, or " +
			"nats://USER:PASSWORD@HOST:PORT")
	}
	if !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
		return fmt.Errorf("the address of %s begins with %s:// (known: nats, tls, ws, wss)", u.Host, u.Scheme)
	}
	if u.User == nil && credentials == "" && !onLoopback(address) {
		return fmt.Errorf("%s is another machine, and needs a user in its address, as in nats://USER:PASSWORD@%s, or "+
			"--credentials FILE", u.Hostname(), u.Host)
	}
	return nil
}

// serverOf returns the server of an address. What is not understood has no host, and neither have several servers, which
// the library would take apart.
func serverOf(address string) *url.URL {
	if !strings.Contains(address, "://") {
		address = "nats://" + address
	}
	u, err := url.Parse(address)
	if err != nil || strings.Contains(address, ",") || strings.Contains(u.Hostname(), ":") && u.Host[0] != '[' {
		return new(url.URL) // only an IPv6 address has colons
	}
	return u
}

// onLoopback reports whether only this machine reaches the server of an address.
func onLoopback(address string) bool {
	host := serverOf(address).Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// HiddenFiles returns the files that no bot may read.
func HiddenFiles(credentials string) []string {
	if path, err := filepath.Abs(credentials); credentials != "" && err == nil {
		return []string{path}
	}
	return nil
}

// link is a connection to a NATS server with JetStream.
type link struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	report func(line string) // that of the options
	timing timing
}

// connect connects to a server. Later the library connects again whenever the connection is lost. If wait is set,
// connect waits for a server that cannot be reached yet.
func connect(ctx context.Context, o Options, name string, wait bool) (*link, error) {
	l := &link{report: o.Report, timing: cmp.Or(o.timing, defaultTiming())}
	options := []nats.Option{
		nats.Name("sembra " + name), nats.MaxReconnects(-1), nats.ReconnectWait(retryAfter), nats.Timeout(answersWithin),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), // the system may notice a cut much later
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				l.report(fmt.Sprintf("the connection to the server is lost (%s); waiting until it is back", serverText(err)))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { l.report("the server is back") }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // whoever asks gets the error
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	var err error
	l.conn, err = nats.Connect(o.Address, options...)
	if err != nil && wait && isUnreachable(err) {
		l.report(fmt.Sprintf("no server can be reached yet (%s)%s; waiting for one", serverText(err), hintOf(err)))
		l.conn, err = nats.Connect(o.Address, append(options, nats.RetryOnFailedConnect(true))...)
		for err == nil && !l.conn.IsConnected() && !l.conn.IsClosed() && pause(ctx, retryAfter) {
		}
	}
	if err == nil && l.conn.IsClosed() {
		err = l.conn.LastError()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the NATS server: %s%s", serverText(err), hintOf(err))
	}
	l.js, err = jetstream.New(l.conn, jetstream.WithDefaultTimeout(answersWithin))
	return l, err
}

// isUnreachable reports whether no server listens at an address, or nothing there can be reached. A host without an
// address is another mistake.
func isUnreachable(err error) bool {
	failed, unknown := new(net.OpError), new(net.DNSError)
	if errors.As(err, &unknown) {
		return !unknown.IsNotFound
	}
	return errors.Is(err, nats.ErrNoServers) || errors.As(err, &failed) && failed.Op == "dial"
}

// serverText returns the text of an error of the connection, of which the server may have written a part.
func serverText(err error) string {
	if api := new(jetstream.APIError); errors.As(err, &api) {
		return safe.Short(api.Description)
	}
	return safe.Short(strings.TrimPrefix(err.Error(), "nats: "))
}

// hintOf says what to do about a failed connection.
func hintOf(err error) string {
	switch {
	case isUnreachable(err):
		return " (hint: is nats-server running there, and does a firewall let you through?)"
	case errors.Is(err, nats.ErrAuthorization):
		return " (hint: the user and password in the address, or the .creds file, must be those of the server)"
	}
	return ""
}

// checkServer checks that the server has what a runner needs.
func (l *link) checkServer(ctx context.Context) error {
	_, err := l.js.AccountInfo(ctx)
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrNoResponders) {
		return errors.New("the NATS server has no JetStream (hint: nats-server --jetstream, or jetstream in its " +
			"configuration; if it is there, the server has switched it off, and its log says why)")
	}
	return l.unable(err)
}

// unable says that the server does not do what it is asked, if that is what an error means.
func (l *link) unable(err error) error {
	of := func(target error) bool { return errors.Is(err, target) }
	if !errors.As(err, new(*jetstream.APIError)) && !slices.ContainsFunc([]error{
		nats.ErrTimeout, context.DeadlineExceeded, nats.ErrNoResponders, jetstream.ErrNoStreamResponse,
		nats.ErrConnectionReconnecting,
	}, of) {
		return err
	}
	if l.conn.FlushTimeout(time.Second) != nil {
		return fmt.Errorf("the NATS server does not answer: %s (hint: the same command resumes the run)", serverText(err))
	}
	return fmt.Errorf("the NATS server answers but stores nothing: %s (hint: its log has the reason, such as a full "+
		"disk or max_file_store; give it space, restart it, and the same command resumes the run)", serverText(err))
}

// pause waits for some time. It reports whether the context is still not done.
func pause(ctx context.Context, some time.Duration) bool {
	select {
	case <-time.After(some):
		return true
	case <-ctx.Done():
		return false
	}
}

// queue opens a stream for messages that are taken once, or makes it. It keeps one message of each subject and refuses
// more. Its consumer is made anew: what was not confirmed is delivered again, and a server that has lost messages, but
// not how far they were read, would never deliver what comes in their place.
func (l *link) queue(
	ctx context.Context, name, subjects, consumer string, within time.Duration,
) (jetstream.Stream, error) {
	s, err := l.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: mostPayload,
	})
	if err != nil {
		return nil, fmt.Errorf("the stream %s: %w", name, err)
	}
	if err := s.DeleteConsumer(ctx, consumer); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, err
	}
	_, err = reader(ctx, s, consumer, within)
	return s, err
}

// reader opens a consumer of a stream, or makes it. What it does not confirm within some time comes again.
func reader(ctx context.Context, s jetstream.Stream, name string, within time.Duration) (jetstream.Consumer, error) {
	return s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: within, MaxDeliver: -1, MaxAckPending: -1,
	})
}

// publish stores a message at the server, unless one of that subject is there. It waits as long as the server is away
// or stores nothing: who publishes for a run watches that. The error says that the message is too large, or is that of
// the context or the connection.
func (l *link) publish(ctx context.Context, subject string, text []byte) error {
	for ctx.Err() == nil {
		_, err := l.js.Publish(ctx, subject, text)
		api := new(jetstream.APIError)
		switch {
		case err == nil || isThere(err):
			return nil
		case l.conn.IsClosed():
			return l.closed()
		case errors.Is(err, nats.ErrMaxPayload), errors.As(err, &api) && api.ErrorCode == exceedsStream:
			return fmt.Errorf("a message is larger than the NATS server allows (hint: max_payload in its configuration): "+
				"%d bytes", len(text))
		}
		pause(ctx, retryAfter)
	}
	return context.Cause(ctx)
}

// isThere reports whether a message was refused because one of its subject is there.
func isThere(err error) bool {
	api := new(jetstream.APIError)
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// exceedsStream is the error code of a message that is larger than its stream allows.
const exceedsStream = 10054

// closed returns why the connection has ended for good.
func (l *link) closed() error {
	if err := l.conn.LastError(); err != nil {
		return fmt.Errorf("the NATS server has ended the connection: %s%s", serverText(err), hintOf(err))
	}
	return errors.New("the connection to the NATS server is closed")
}

// transfer bounds the transfer of some bytes.
func transfer(ctx context.Context, bytes int64) (context.Context, context.CancelFunc) {
	const slowest = 1 << 20 // bytes a second
	return context.WithTimeout(ctx, answersWithin+time.Duration(bytes/slowest)*time.Second)
}

// Heartbeat is a heartbeat. A runner says what it plays, and a worker what it can play.
type Heartbeat struct {
	Who
	ID      string `json:"id"`      // unique
	Program string `json:"program"` // version
	Plan    string `json:"plan"`    // hash of the plan that is played; "": none

	Tournament string `json:"tournament,omitempty"` // of a runner
	Slots      int    `json:"slots,omitempty"`      // of a worker: concurrent matches
	Leaves     string `json:"leaves,omitempty"`     // of a worker: why it leaves

	at time.Time // when it came
}

// The bounds of a sign.
const (
	mostSign  = 16 << 10 // bytes
	mostSlots = 4096     // concurrent matches
)

// readSign reads a sign, and cuts what is too long.
func readSign(text []byte) (s Heartbeat, err error) {
	s.at = time.Now()
	if len(text) > mostSign {
		return s, fmt.Errorf("a heartbeat has %d bytes (at most %d)", len(text), mostSign)
	}
	if err := json.Unmarshal(text, &s); err != nil { // another version may have more fields
		return s, fmt.Errorf("a heartbeat is malformed: %w", err)
	}
	s.cut()
	s.Program, s.Tournament, s.Leaves = safe.Short(s.Program), safe.Short(s.Tournament), safe.Short(s.Leaves)
	s.Slots = max(1, min(s.Slots, mostSlots))
	return s, nil
}

// send publishes a sign. A lost one does no harm.
func (l *link) send(subject string, s Heartbeat) {
	if text, err := json.Marshal(s); err == nil && l.conn.IsConnected() { // else it would wait in a buffer
		_ = l.conn.Publish(subject, text)
	}
}

// machine returns the name of this machine.
func machine() string {
	name, _ := os.Hostname()
	return cmp.Or(name, "unknown")
}

package workers

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
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

// timing is how long one side waits for the other. It is the same for both sides.
type timing struct {
	ack    time.Duration // a job or an answer is delivered again if nothing was heard of it for so long
	gone   time.Duration // an entry of presence vanishes after that; it is renewed four times as often
	resend time.Duration // a job that is not answered is sent again, in case the server has lost it
	poll   time.Duration // how long a table waits for a job of one lane, and so how long a worker may take to leave
}

func defaultTiming() timing {
	return timing{ack: 30 * time.Second, gone: 20 * time.Second, resend: time.Minute, poll: 2 * time.Second}
}

// link is a connection to a NATS server with JetStream.
type link struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	tell     func(line string) // tells people what happens; several goroutines call it
	timing   timing
	plans    jetstream.KeyValue
	presence jetstream.KeyValue
	trouble  atomic.Bool // the server does not take messages, and people know
}

// answersWithin is how long a server may take for an answer.
const answersWithin = 10 * time.Second

// leastPayload is how large a message must be allowed to be, in bytes. It is the default of NATS.
const leastPayload = 1 << 20

// connect connects to the server at an address: HOST:PORT, a URL, or several with commas between them. Later it
// connects again by itself whenever the connection is lost, and tells so.
func connect(ctx context.Context, address, name string, c Credentials, tell func(string), more ...nats.Option) (*link, error) {
	if err := checkAddress(address, c); err != nil {
		return nil, err
	}
	options, err := c.client()
	if err != nil {
		return nil, err
	}
	options = append(
		append(options, more...), nats.Name("sembra "+name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(answersWithin),
		nats.PingInterval(pingsEvery), nats.MaxPingsOutstanding(mostPings),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				tell(fmt.Sprintf("the connection to the server is lost (%s); trying again until it is back", saidBy(err)))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { tell("the server is back") }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // whoever asks gets the error
	)
	conn, err := nats.Connect(address, options...)
	if err != nil {
		text := fmt.Sprintf("cannot connect to the NATS server at %s: %s%s", address, saidBy(err), hintOf(err, c))
		return nil, &serverError{text, err}
	}
	l := &link{conn: conn, tell: tell}
	if l.js, err = jetstream.New(conn); err == nil {
		err = l.persist(ctx, func() error {
			_, err := l.js.AccountInfo(ctx)
			return err
		})
	}
	switch {
	case err != nil:
		err = ofServer("", err, address)
	case conn.MaxPayload() < leastPayload:
		err = fmt.Errorf("the NATS server at %s takes messages of at most %d bytes, and Sembra needs %d (hint: max_payload in its configuration)",
			address, conn.MaxPayload(), leastPayload)
	default:
		return l, nil
	}
	conn.Close()
	return nil, err
}

// await connects as connect does, and waits for a server that is not there yet.
func await(ctx context.Context, address, name string, c Credentials, tell func(string)) (*link, error) {
	for told := false; ; told = true {
		l, err := connect(ctx, address, name, c, tell, nats.SetCustomDialer(dialer{ctx}))
		if err == nil || !isAbsent(err) || ctx.Err() != nil {
			return l, err
		}
		if !told {
			tell(err.Error() + "; trying again until it is there")
		}
		if !pause(ctx) {
			return nil, context.Cause(ctx)
		}
	}
}

// dialer connects until a context is done. The library would go on until its own deadline.
type dialer struct{ ctx context.Context }

// Dial connects to an address.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: answersWithin}).DialContext(d.ctx, network, address)
}

// isAbsent reports whether a connection failed because no server is there yet. Something else may accept the connection
// for it and close it, as a tunnel does.
func isAbsent(err error) bool {
	unknown := new(net.DNSError)
	if errors.As(err, &unknown) {
		return !unknown.IsNotFound
	}
	return errors.Is(err, io.EOF) || isUnreachable(err)
}

// isUnreachable reports whether nothing listens at an address, or nothing there can be reached.
func isUnreachable(err error) bool {
	failed := new(net.OpError)
	return errors.Is(err, nats.ErrNoServers) || errors.As(err, &failed) && failed.Op == "dial"
}

// saidBy returns the text of an error of the connection. A server may have written a part of it.
func saidBy(err error) string {
	if api := new(jetstream.APIError); errors.As(err, &api) {
		return safe(api.Description)
	}
	return safe(strings.TrimPrefix(err.Error(), "nats: "))
}

// hintOf says what to do about a failed connection.
func hintOf(err error, c Credentials) string {
	timeout := net.Error(nil)
	switch {
	case isUnreachable(err):
		return " (hint: is the runner or the server running there, and does a firewall let you through?)"
	case errors.Is(err, nats.ErrAuthorization) && !c.given():
		return " (hint: --credentials FILE)"
	case errors.Is(err, nats.ErrAuthorization) && c.user:
		return " (hint: the .creds file of --credentials has expired, or is for another server)"
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrNkeysNotSupported):
		return " (hint: the token or nkey of --credentials is not that of the server)"
	case errors.Is(err, nats.ErrSecureConnRequired):
		return " (hint: the address begins with tls://, and the credentials name the ca)"
	case errors.Is(err, nats.ErrSecureConnWanted):
		return " (hint: the server has no certificate, so the address begins with nats://, and the credentials name no ca)"
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return " (hint: ca in the file of --credentials names who has signed the server's certificate, which must be of this host and valid today)"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, nats.ErrNoInfoReceived):
		return " (hint: is that a NATS server?)"
	}
	return ""
}

// CheckAddress checks an address as [Work] and [Listen] do, with [Listening] before the address of the latter. Nothing
// is done at the address.
func CheckAddress(address string, c Credentials) error {
	if at, listens := strings.CutPrefix(address, Listening); listens {
		_, _, err := checkListening(at, c)
		return err
	}
	return checkAddress(address, c)
}

// checkAddress refuses an address with credentials in it, and another machine without credentials.
func checkAddress(address string, c Credentials) error {
	for _, one := range strings.Split(address, ",") {
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || !validHost(u.Hostname()) || !validPort(u.Port()) {
			return fmt.Errorf("%q is not an address of a NATS server; it must be HOST:PORT or nats://HOST:PORT", address)
		}
		switch {
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

// validHost reports whether a host has colons only if it is an address of IPv6.
func validHost(host string) bool {
	ip, _, _ := strings.Cut(host, "%")
	return !strings.Contains(host, ":") || net.ParseIP(ip) != nil
}

// onLoopback reports whether all servers of an address are on this machine.
func onLoopback(address string) bool { return checkAddress(address, Credentials{}) == nil }

// validPort reports whether an address may have this port; "": the default one.
func validPort(port string) bool {
	n, err := strconv.Atoi(port)
	return port == "" || err == nil && n > 0 && n <= math.MaxUint16
}

// ofServer says in a sentence what is wrong with a server. what is what it was asked to keep; "": nothing.
func ofServer(what string, err error, address string) error {
	return &serverError{sentence(what, err, address), err}
}

func sentence(what string, err error, address string) string {
	api := new(jetstream.APIError)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders) && what == "":
		return fmt.Sprintf("the NATS server at %s has no JetStream (hint: nats-server --jetstream, or --workers listen:HOST:PORT)", address)
	case isOther(err):
		return fmt.Sprintf("the NATS server at %s has a %s of another shape, from another program or another version of Sembra "+
			"(hint: if nothing else uses it, remove it there; what a run with listen: keeps is in a folder beside the database, "+
			"whose name ends in .workers)", address, what)
	case isFull(err):
		return fmt.Sprintf("the NATS server at %s cannot keep %s because it is full: %s "+
			"(hint: give it more space, or remove what it keeps of others)", address, cmp.Or(what, "messages"), saidBy(err))
	case isMissing(err) && what == "":
		return fmt.Sprintf("the NATS server at %s does not have all that belongs to the run", address)
	case errors.As(err, &api):
		return fmt.Sprintf("the NATS server at %s cannot keep %s: %s", address, cmp.Or(what, "messages"), safe(api.Description))
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Sprintf("the NATS server at %s does not answer in time", address)
	case errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrNoResponders):
		return fmt.Sprintf("the NATS server at %s has lost %s (hint: start the run again if it stays like that)", address, cmp.Or(what, "its streams"))
	}
	return fmt.Sprintf("the NATS server at %s: %s", address, saidBy(err))
}

// isOther reports whether an error is that of a stream, bucket or consumer that is there and is not ours.
func isOther(err error) bool {
	return slices.ContainsFunc([]error{
		jetstream.ErrStreamNameAlreadyInUse, jetstream.ErrBucketExists, jetstream.ErrBadBucket, jetstream.ErrConsumerExists,
		jetstream.ErrConsumerNameAlreadyInUse,
	}, func(other error) bool { return errors.Is(err, other) })
}

// serverError says what is wrong with a server.
type serverError struct {
	text string
	err  error
}

func (e *serverError) Error() string { return e.text }
func (e *serverError) Unwrap() error { return e.err }

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
	if err == nil {
		kept, known := status.(*jetstream.KeyValueBucketStatus)
		if status.TTL() != ttl || known && !slices.Equal(kept.StreamInfo().Config.Subjects, []string{"$KV." + name + ".>"}) {
			err = jetstream.ErrBucketExists
		}
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

// queue opens a stream for messages that are taken once, or makes it with space for so many bytes; -1: no limit. It keeps
// one message of each subject and refuses more.
func (l *link) queue(ctx context.Context, name, subjects string, space int64) (jetstream.Stream, error) {
	want := jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, Replicas: l.replicas(),
		MaxMsgSize: mostPayload, MaxBytes: space,
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

// store opens the object store, or makes it.
func (l *link) store(ctx context.Context) (jetstream.ObjectStore, error) {
	files, err := l.js.ObjectStore(ctx, filesStore)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		files, err = l.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: filesStore, Description: "the bots that Sembra plays", Replicas: l.replicas(),
		})
	}
	if err == nil {
		var s jetstream.Stream
		if s, err = l.js.Stream(ctx, "OBJ_"+filesStore); err == nil &&
			!slices.Equal(s.CachedInfo().Config.Subjects, []string{"$O." + filesStore + ".C.>", "$O." + filesStore + ".M.>"}) {
			err = jetstream.ErrBucketExists
		}
	}
	if err != nil {
		return nil, ofServer("object store "+filesStore, err, l.conn.ConnectedUrlRedacted())
	}
	return files, nil
}

// sameShape reports whether a stream does what it has to do. The number of its copies does not matter, and its limits may
// be narrower.
func sameShape(got, want jetstream.StreamConfig) bool {
	return slices.Equal(got.Subjects, want.Subjects) && got.Retention == want.Retention && got.Storage == want.Storage &&
		got.Discard == want.Discard && got.DiscardNewPerSubject && got.MaxMsgsPerSubject == want.MaxMsgsPerSubject &&
		got.MaxMsgSize > 0 && got.MaxMsgSize <= want.MaxMsgSize && got.MaxAge == 0 && !got.NoAck && !got.Sealed && !got.DenyPurge && !got.DenyDelete
}

// publish stores a message at the server, once. there says that a message of that subject was there already. publish
// waits as long as the server is away. Other errors are of a server that cannot keep the message.
func (l *link) publish(ctx context.Context, subject string, text []byte) (there bool, err error) {
	for {
		within, cancel := context.WithTimeout(ctx, answersWithin)
		_, err := l.js.Publish(within, subject, text)
		cancel()
		there := isQueued(err)
		if there {
			err = nil
		}
		api := new(jetstream.APIError)
		switch {
		case err == nil:
			l.notice(nil)
			return there, nil
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case l.conn.IsClosed():
			return false, l.closed()
		case errors.Is(err, nats.ErrMaxPayload), errors.As(err, &api) && api.ErrorCode == exceedsStream:
			return false, &tooLarge{len(text)}
		case isFull(err):
			return false, &full{ofServer("a message", err, l.conn.ConnectedUrlRedacted())}
		case errors.As(err, &api) && api.Code < 500:
			return false, ofServer("a message", err, l.conn.ConnectedUrlRedacted())
		}
		l.notice(err)
		if !pause(ctx) {
			return false, context.Cause(ctx)
		}
	}
}

// notice tells people that the server does not take messages, and later that it does. err is the error of a message;
// nil: none. That the connection is lost is told elsewhere.
func (l *link) notice(err error) {
	if err != nil && !l.conn.IsConnected() {
		return
	}
	switch changed := l.trouble.Swap(err != nil) != (err != nil); {
	case changed && err != nil:
		l.tell(fmt.Sprintf("%v; trying again", ofServer("", err, l.conn.ConnectedUrlRedacted())))
	case changed:
		l.tell("the server takes messages again")
	}
}

// full is the error of a server that has no space for a message.
type full struct{ error }

// tooLarge is the error of a message that is larger than the server allows.
type tooLarge struct{ bytes int }

// Error names the size.
func (e *tooLarge) Error() string {
	return fmt.Sprintf("a message has %d bytes, which is more than the NATS server allows (hint: max_payload in its configuration)", e.bytes)
}

// exceedsStream is the error code of a message that is larger than its stream allows.
const exceedsStream = 10054

// isQueued reports whether a message was refused because one of its subject is there.
func isQueued(err error) bool {
	api := new(jetstream.APIError)
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// isFull reports whether something was refused because a limit of the server is reached.
func isFull(err error) bool {
	api := new(jetstream.APIError)
	return errors.As(err, &api) && (strings.Contains(api.Description, "maximum") || strings.Contains(api.Description, "insufficient") ||
		strings.Contains(api.Description, "exceeded"))
}

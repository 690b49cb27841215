// Package web shows tournaments in a browser. A person can also play a bot there.
//
// A Server answers the requests of browsers. It reads tournaments from a Library and never writes to a database.
//
// A Report writes the same pages as files, which need no server.
//
// Each kind of page is in a file named after it: tournament_page.go has tournaments and their list, match_page.go has
// matches. It makes a view: all that the page shows. The template of the same name in the folder templates turns a view
// into the main part of a page; layout.html puts everything else around it. A view has the addresses of other pages as
// texts, which links write, so the same view and template also serve a report on the disk.
//
// The package computes nothing that other packages compute: figures and their texts come from the packages results and
// report, moves and boards from engine.
package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/net/netutil"

	"sembra/results/store"
)

// Server answers the requests of browsers for the pages of a library.
type Server struct {
	library *Library
	links   links
	painter painter
	assets  map[string]answer // by name
	hosts   []string          // names of this machine, beside localhost
	handler http.Handler
	playing playing
	drawn   drawn
	lives   lives
}

// drawn is the pages that were drawn since the library changed, for all browsers. They are drawn one at a time, so
// that a tournament keeps the other processors.
type drawn struct {
	sync.Mutex           // is held while a page is drawn, and guards what follows
	version    Version   // of the library before they were drawn
	at         time.Time // then
	answers    map[string]answer
	size       int     // of all answers, in bytes
	reader     *reader // of the tournament of the last page, which has read what its other pages need too; nil: none
}

// freshTime is how long pages are shown unchanged while a run changes what they show.
const freshTime = time.Second

// mostDrawn is the size of the pages above which a server forgets them, in bytes.
const mostDrawn = 64 << 20

type answer struct {
	text []byte
	tag  string // for the header ETag
}

func newAnswer(text []byte) answer {
	sum := sha256.Sum256(text)
	return answer{text, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// NewServer returns a server of a library. A browser may use hosts, localhost or an IP address as the name of the
// machine.
func NewServer(library *Library, hosts ...string) (*Server, error) {
	s := &Server{library: library, hosts: hosts, assets: make(map[string]answer)}
	s.lives.streams = make(map[string]*eventStream)
	assets, err := readAssets("assets/[0-9]*.js")
	if err != nil {
		return nil, err
	}
	for name, text := range assets {
		s.assets[name] = newAnswer(text)
	}
	l := s.links
	s.painter, err = newPainter(assetsHead,
		navigationLink{tournamentsSection, hyperlink{"Tournaments", l.tournaments()}},
		navigationLink{playSection, hyperlink{"Play", l.play(nil)}},
		navigationLink{rulesSection, hyperlink{"Rules", l.rules("")}})
	if err != nil {
		return nil, err
	}
	zip, err := gzhttp.NewWrapper(gzhttp.ExceptContentTypes([]string{"text/event-stream"}))
	if err != nil {
		return nil, err
	}
	s.handler = zip(s.guarded(s.routes()))
	return s, nil
}

// routes says which function answers which request. The pattern is that of [http.ServeMux].
func (s *Server) routes() *http.ServeMux {
	routes := http.NewServeMux()
	for pattern, find := range map[string]finder{ // pages that depend on nothing but the address and the library
		"GET /{$}":             s.tournamentsPage,
		"GET /rules/{$}":       s.rulesetsPage,
		"GET /rules/{ruleset}": s.rulesPage,
	} {
		routes.HandleFunc(pattern, s.kept(find))
	}
	routes.HandleFunc("GET /t/{tournament}/{page...}", s.orInPlay(s.kept(s.tournamentPage)))
	routes.HandleFunc("GET /t/{tournament}/live", s.watch)
	routes.HandleFunc("GET /t/{tournament}/match/{number}/{format}", s.answerMatch)
	routes.HandleFunc("GET /play/{$}", s.page(s.playPage))
	routes.HandleFunc("POST /play/{$}", s.beginMatch)
	routes.HandleFunc("GET /play/{id}", s.page(s.playMatchPage))
	routes.HandleFunc("POST /play/{id}", s.inJSON(s.answerAction))
	routes.HandleFunc("GET /play/{id}/state", s.inJSON(answerState))
	routes.HandleFunc("GET /play/{id}/record.jsonl", s.answerRecord)
	routes.HandleFunc("GET /assets/{name}", s.asset)
	routes.HandleFunc("GET /", func(_ http.ResponseWriter, r *http.Request) { check(noPage(r)) })
	return routes
}

// Play lets people play these bots, until the context is done or end is called. Then all bots are ended; end waits
// for that. Play is called before [Server.Serve].
func (s *Server) Play(ctx context.Context, p Play) (end func()) {
	s.playing.Play = p
	s.playing.ctx, s.playing.cancel = context.WithCancelCause(ctx)
	return s.playing.end
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// finder returns the content of the page that a request asks for, or ends as check does. An error of the type *refusal
// has a page of its own.
type finder func(*http.Request) content

func (s *Server) page(find finder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.answer(w, find(r)) }
}

// tournamentPage returns a page of the tournament that the address names. It is called while drawn is locked.
func (s *Server) tournamentPage(r *http.Request) content {
	name, last := unsegment(r.PathValue("tournament")), s.drawn.reader
	if last == nil || last.Tournament.Name != name {
		check(s.library.Read(r.Context(), name, func(b *store.Records) error {
			last = s.reader(b)
			return nil
		}))
	}
	s.drawn.reader = nil // after an error, the next page reads again
	c, err := last.page(r.PathValue("page"), r.URL.Query())
	check(err)
	s.drawn.reader = last
	return c
}

func (s *Server) reader(b *store.Records) *reader {
	r := newReader(b, s.links)
	r.playing = &s.playing
	r.unfinished = s.library.unfinished(b.Tournament.Name)
	r.inPlay = s.library.feed != nil && r.unfinished == "running"
	return r
}

func (s *Server) answer(w http.ResponseWriter, c content) {
	text, err := s.painter.page(c)
	if err != nil {
		http.Error(w, "Sembra cannot draw this page.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", pageKind)
	w.Header().Set("Cache-Control", "no-store")
	if c.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "60") // seconds
	}
	w.WriteHeader(cmp.Or(c.Status, http.StatusOK))
	_, _ = w.Write(text) // the browser may have gone
}

const pageKind = "text/html; charset=utf-8"

// kept is page for pages that are drawn once for all browsers, until the library changes.
func (s *Server) kept(find finder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { deliver(w, r, pageKind, s.draw(r, find)) }
}

func (s *Server) draw(r *http.Request, find finder) answer {
	d := &s.drawn
	d.Lock()
	defer d.Unlock()
	check(r.Context().Err())
	now := s.library.Now()
	isFresh := d.version == now.Version || now.Version.written && time.Since(d.at) < freshTime
	if !isFresh || d.size > mostDrawn || d.answers == nil {
		d.version, d.at, d.answers, d.size, d.reader = now.Version, time.Now(), make(map[string]answer), 0, nil
	}
	address := r.URL.EscapedPath() + "?" + r.URL.RawQuery
	if a, ok := d.answers[address]; ok {
		return a
	}
	a := newAnswer(got(s.painter.page(find(r))))
	d.answers[address] = a
	d.size += len(address) + len(a.text)
	return a
}

// deliver answers with a text that a browser may keep. It asks each time whether the text has changed.
func deliver(w http.ResponseWriter, r *http.Request, kind string, a answer) {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", a.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.text))
}

// Limits of a server.
const (
	mostConnections = 1000
	mostHeader      = 16 << 10         // bytes
	headerTime      = 5 * time.Second  // to read the header of a request
	readTime        = 10 * time.Second // to read a whole request
	writeTime       = time.Minute      // to write an answer; streams set a limit for each event
	idleTime        = time.Minute      // between two requests
	endTime         = 2 * time.Second  // for answers that are being written at the end
)

// ErrRunEnded is the cause with which a run ends the context of [Server.Serve]: open pages are told so.
var ErrRunEnded = errors.New("the run has ended")

// Serve answers the requests that arrive at a listener, until the context is done. It then ends all answers and
// returns the cause.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    mostHeader,
		ErrorLog:          log.New(io.Discard, "", 0), // it would print what browsers send
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		patience, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		if server.Shutdown(patience) != nil {
			_ = server.Close()
		}
	})
	err := server.Serve(netutil.LimitListener(listener, mostConnections))
	if !stop() {
		<-ended
	}
	return cmp.Or(context.Cause(ctx), err)
}

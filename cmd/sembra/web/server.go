package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"sembra/results/store"
)

// Server answers the requests of browsers for the pages of a library.
type Server struct {
	library   *Library
	links     links
	templates *template.Template
	assets    assets
	hosts     []string // names of this machine, beside localhost
	handler   http.Handler
	playing   *playing // nil: nobody can play
	drawing   limit    // pages are drawn one at a time, so that a tournament keeps the other processors
	lives     lives

	mu    sync.Mutex // guards what follows
	drawn map[string]answer
	size  int // of all drawn pages, in bytes
}

// answer is a drawn page.
type answer struct {
	text    []byte
	packed  []byte // the text compressed; nil: nobody has wanted that yet
	tag     string // for the header ETag
	version Version
	at      time.Time
}

// freshTime is how long a page is shown unchanged while a run changes what it shows, to all who ask for it.
const freshTime = time.Second

// mostDrawn is the size of the pages that a server keeps, in bytes. A larger page is kept alone.
const mostDrawn = 64 << 20

// NewServer returns a server of a library. A browser may use hosts, localhost or an
// IP address as the name of the machine.
func NewServer(library *Library, hosts ...string) (*Server, error) {
	templates, err := parseTemplates()
	if err != nil {
		return nil, err
	}
	files, err := readAssets()
	if err != nil {
		return nil, err
	}
	s := &Server{
		library: library, links: servedLinks{}, templates: templates, assets: files, hosts: hosts,
		drawing: make(limit, 1), drawn: make(map[string]answer),
	}
	s.handler = s.guarded(s.routes())
	return s, nil
}

// routes says which function answers which request. The pattern is that of
// [http.ServeMux].
func (s *Server) routes() *http.ServeMux {
	routes := http.NewServeMux()
	for pattern, find := range map[string]finder{ // pages that depend on nothing but the address and the library
		"GET /{$}":             s.tournamentsPage,
		"GET /rules/{$}":       s.rulesetsPage,
		"GET /rules/{ruleset}": s.rulesPage,
	} {
		routes.Handle(pattern, s.kept(find))
	}
	for pattern, page := range tournamentPages() {
		routes.Handle(pattern, s.kept(s.ofTournament(page)))
	}
	routes.HandleFunc("GET /t/{tournament}/live", s.watch)
	routes.Handle("GET /play/{$}", s.page(s.playPage))
	routes.HandleFunc("POST /play/{$}", s.beginMatch)
	routes.Handle("GET /play/{id}", s.page(s.playMatchPage))
	routes.HandleFunc("POST /play/{id}", s.answerAction)
	routes.HandleFunc("GET /play/{id}/state", s.answerState)
	routes.HandleFunc("GET /play/{id}/record.jsonl", s.answerRecord)
	routes.HandleFunc("GET /assets/{name}", s.asset)
	routes.Handle("/", s.page(s.noPage))
	return routes
}

// Play lets people play these bots, until the context is done or close is called. Then all bots are ended; close waits
// for that. Play is called before [Server.Serve].
func (s *Server) Play(ctx context.Context, p Play) (closePlay func()) {
	s.playing = newPlaying(ctx, p)
	return s.playing.close
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// finder returns the content of the page that a request asks for. An error of the
// type *missingError says that there is no such page.
type finder func(*http.Request) (content, error)

// page answers requests with the page that find returns, or with a page that says
// what went wrong.
func (s *Server) page(find finder) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := find(r)
		s.answer(w, r, c, err)
	})
}

// tournamentPage returns the content of a page about a tournament, for a request that asks for it. The trail is there
// with an error too.
type tournamentPage func(b *reader, r *http.Request, l links) (content, error)

// tournamentPages are the pages about a tournament, which a server shows and a report has.
func tournamentPages() map[string]tournamentPage {
	return map[string]tournamentPage{
		"GET /t/{tournament}/{$}":          summaryPage,
		"GET /t/{tournament}/crosstable":   crosstablePage,
		"GET /t/{tournament}/matches":      matchesPage,
		"GET /t/{tournament}/match/{slot}": matchPage,
		"GET /t/{tournament}/bot/{bot}":    botPage,
	}
}

// ofTournament finds a page about the tournament that the address names.
func (s *Server) ofTournament(page tournamentPage) finder {
	return func(r *http.Request) (c content, err error) {
		name := unsegment(r.PathValue("tournament"))
		err = s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
			c, err = page(newReader(b), r, s.links)
			return err
		})
		return c, err
	}
}

// below returns the content of a page below the one of its tournament.
func below(b *reader, l links, template, title string, view any) content {
	return content{
		Title: title, Section: tournamentsSection, Trail: tournamentTrail(b.Tournament.Name, l), Template: template, View: view,
	}
}

// answer draws a page, or that of an error, and answers with it.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, c content, err error) {
	status := cmp.Or(c.Status, http.StatusOK)
	if err != nil {
		c, status = s.errorPage(err)
	}
	text, err := renderPage(s.templates, s.links, s.assets.head(), c)
	if err != nil {
		http.Error(w, "Sembra cannot draw this page.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	send(w, r, status, text)
}

// kept is page for pages that are drawn once for all browsers, until the library
// changes.
func (s *Server) kept(find finder) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, c, err := s.draw(r, find)
		if r.Context().Err() != nil {
			return // the browser has gone, or the server ends
		}
		if err != nil {
			s.answer(w, r, c, err)
			return
		}
		w.Header().Set("ETag", a.tag)
		w.Header().Set("Cache-Control", "no-cache") // a browser asks each time whether the page has changed
		if r.Header.Get("If-None-Match") == a.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		write(w, r, a.text, func() []byte { return a.packed })
	})
}

// draw returns the page that a request asks for. It draws and compresses one page at a time.
func (s *Server) draw(r *http.Request, find finder) (a answer, c content, err error) {
	leave, err := s.drawing.enter(r.Context())
	if err != nil {
		return a, c, err
	}
	defer leave()
	address, now := r.URL.EscapedPath()+"?"+r.URL.RawQuery, s.library.Now()
	a, ok := s.find(address, now)
	if !ok {
		if c, err = find(r); err != nil {
			return a, c, err
		}
		a = answer{version: now.Version, at: time.Now()}
		if a.text, err = renderPage(s.templates, s.links, s.assets.head(), c); err != nil {
			return a, c, err
		}
		sum := sha256.Sum256(a.text)
		a.tag = `"` + hex.EncodeToString(sum[:16]) + `"`
	}
	if packs := compresses(r) && a.packed == nil; packs || !ok {
		if packs {
			a.packed = compressed(a.text)
		}
		s.keep(address, a)
	}
	return a, c, nil
}

// find returns a page that was drawn before and still shows what the library has.
func (s *Server) find(address string, now Moment) (a answer, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok = s.drawn[address]
	return a, ok && (a.version == now.Version || now.Written && time.Since(a.at) < freshTime)
}

// keep keeps a page for other requests. It forgets the others when they are too large.
func (s *Server) keep(address string, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizeOf := func(a answer) int { return len(address) + len(a.text) + len(a.packed) }
	size := sizeOf(a)
	if old, ok := s.drawn[address]; ok {
		s.size -= sizeOf(old)
		delete(s.drawn, address)
	}
	if s.size+size > mostDrawn {
		clear(s.drawn)
		s.size = 0
	}
	s.drawn[address] = a
	s.size += size
}

// write answers with a text, compressed if it goes to another machine. Nothing is compressed for one answer
// alone: that needs a megabyte for each slow reader.
func write(w http.ResponseWriter, r *http.Request, text []byte, packed func() []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if compresses(r) {
		w.Header().Set("Content-Encoding", "gzip")
		text = packed()
	}
	send(w, r, http.StatusOK, text)
}

// send writes the end of an answer.
func send(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // the browser may have gone
	}
}

// compressed returns a text as gzip writes it.
func compressed(text []byte) []byte {
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, _ = to.Write(text) // a buffer takes everything
	_ = to.Close()
	return packed.Bytes()
}

// compresses reports whether an answer should be compressed. On one machine, that
// takes longer than it saves.
func compresses(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return r.Method != http.MethodHead && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") &&
		(err != nil || !from.Addr().Unmap().IsLoopback())
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

// Serve answers the requests that arrive at a listener, until the context is done.
// It then ends all answers and returns the cause.
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
	if errors.Is(err, http.ErrServerClosed) {
		return context.Cause(ctx)
	}
	return err
}

package page

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"net"
	"net/http"
	"time"
)

// Server answers the requests of browsers for the pages of a library.
type Server struct {
	library   *Library
	links     links
	templates *template.Template
	assets    assets
	hosts     []string // names of this machine, beside localhost
	handler   http.Handler
}

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
	s := &Server{library: library, links: servedLinks{}, templates: templates, assets: files, hosts: hosts}
	s.handler = s.guarded(s.routes())
	return s, nil
}

// routes says which function answers which request. The pattern is that of
// [http.ServeMux].
func (s *Server) routes() *http.ServeMux {
	routes := http.NewServeMux()
	routes.Handle("GET /assets/", s.assets)
	for pattern, find := range map[string]finder{
		"GET /{$}":                         s.tournamentsPage,
		"GET /t/{tournament}/{$}":          s.tournamentPage,
		"GET /t/{tournament}/matches":      s.matchesPage,
		"GET /t/{tournament}/match/{slot}": s.matchPage,
		"GET /t/{tournament}/bot/{bot}":    s.botPage,
		"GET /play/{$}":                    s.playPage,
		"GET /rules/{$}":                   s.rulesetsPage,
		"GET /rules/{ruleset}":             s.rulesPage,
		"/":                                s.noPage,
	} {
		routes.Handle(pattern, s.page(find))
	}
	return routes
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
		status := http.StatusOK
		if err != nil {
			c, status = s.errorPage(err)
		}
		s.write(w, r, c, status)
	})
}

// write renders a page and answers with it.
func (s *Server) write(w http.ResponseWriter, r *http.Request, c content, status int) {
	page, err := renderPage(s.templates, s.links, s.assets.head(), c)
	if err != nil {
		http.Error(w, "This page cannot be drawn: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = bytes.NewReader(page).WriteTo(w) // the browser may have gone
	}
}

// Serve answers the requests that arrive at a listener, until the context is done.
// It then ends all connections and returns the cause.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return context.Cause(ctx)
	}
	return err
}

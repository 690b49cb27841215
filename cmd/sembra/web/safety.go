package web

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"sembra/results/safe"
	"sembra/results/store"
)

// policy is the Content-Security-Policy of all pages: a page loads nothing but our own files.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guarded refuses requests that another site may have sent, and adds the headers that keep a page safe. It answers with
// the page of the error that ended a handler, or ends the connection if the handler had begun to answer.
func (s *Server) guarded(next http.Handler) http.Handler {
	foreign := &refusal{
		status: http.StatusForbidden, title: "Refused",
		what: "another site has sent this request: open the page itself and try again",
	}
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { check(foreign) }))
	next = origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		out := &answering{ResponseWriter: w}
		defer func() {
			trouble := recover()
			switch {
			case trouble == nil:
			case out.begun || trouble == http.ErrAbortHandler:
				panic(http.ErrAbortHandler) // the browser learns that the answer is not whole
			default:
				s.answer(out, s.errorPage(errorOf(trouble)))
			}
		}()
		if !s.knows(r.Host) {
			check(&refusal{
				status: http.StatusMisdirectedRequest, title: "Wrong name",
				what: fmt.Sprintf("%q is not a name of this machine: open the address that sembra has printed", r.Host),
			})
		}
		if embeds(r.Header) {
			check(foreign)
		}
		next.ServeHTTP(out, r)
	})
}

// answering notes whether an answer has begun.
type answering struct {
	http.ResponseWriter
	begun bool
}

func (w *answering) WriteHeader(status int) {
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *answering) Write(text []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(text)
}

// Unwrap is for [http.ResponseController].
func (w *answering) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// embeds reports whether a page of another site loads one of ours as a part of itself. It could not read our page, but
// it could keep the program busy. A link from another site is not such a part.
func embeds(header http.Header) bool {
	switch header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site": // another port of this machine is the same site
		kind := header.Get("Sec-Fetch-Dest")
		return kind != "" && kind != "document"
	}
	return false
}

// knows reports whether a browser may use a name for this server. The name of another site that leads to this machine
// (DNS rebinding) would let that site read our pages. An IP address cannot be the name of another site.
func (s *Server) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(s.hosts, func(known string) bool { return strings.EqualFold(host, known) })
}

// failure is a panic that ends a page with an error, so that what makes the page need not look for one at each step.
type failure struct{ error }

// check ends a page with an error, if there is one.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// got returns a value, or ends the page.
func got[T any](value T, err error) T {
	check(err)
	return value
}

// catch is deferred by what makes a page. A panic becomes its error, also one because of an error in the program: it
// must end neither other pages nor the run that the program plays.
func catch(err *error) {
	if trouble := recover(); trouble != nil {
		*err = errorOf(trouble)
	}
}

// errorOf returns the error of a panic.
func errorOf(trouble any) error {
	if failed, ok := trouble.(failure); ok {
		return failed.error
	}
	return fmt.Errorf("sembra has an error in its own program: %v", trouble)
}

// sentence makes a text for a page from an error, which may quote a bot or a file.
func sentence(err error) string {
	text := safe.Line(err.Error())
	if text != "" && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ")") {
		text += "."
	}
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// refusal is an error of a request that has a page of its own.
type refusal struct {
	status int
	title  string
	what   string    // a whole sentence
	to     hyperlink // where to look next; none: the list of tournaments
}

func (e *refusal) Error() string { return e.what }

// missing says that there is no page for an address, and where to look next.
func missing(what string, to hyperlink) *refusal {
	return &refusal{status: http.StatusNotFound, title: "Not found", what: what, to: to}
}

func noPage(r *http.Request) error {
	return missing(fmt.Sprintf("there is no page %q", r.URL.Path), hyperlink{})
}

func (s *Server) errorPage(err error) content {
	refused := &refusal{status: http.StatusInternalServerError, title: "Something went wrong", what: err.Error()}
	if unknown := new(store.UnknownError); errors.As(err, &unknown) {
		refused = missing(fmt.Sprintf("there is no tournament %q", unknown.Name), hyperlink{})
	}
	errors.As(err, &refused)
	return content{Status: refused.status, Title: refused.title, Template: "error", View: templateData{
		"Title": refused.title, "Sentence": sentence(refused),
		"To": cmp.Or(refused.to, hyperlink{"All tournaments", s.links.tournaments()}),
	}}
}

package web

import (
	"errors"
	"fmt"
	"net/http"

	"sembra/engine"
)

// refusal is an error of a request that has a page of its own.
type refusal struct {
	status int
	title  string
	what   string      // a whole sentence
	known  []hyperlink // the pages that there are
}

func (e *refusal) Error() string { return e.what }

// missing says that there is no page for an address.
func missing(what string, known ...hyperlink) *refusal {
	return &refusal{status: http.StatusNotFound, title: "Not found", what: what, known: known}
}

// noPage is the page for an address that has none.
func (s *Server) noPage(r *http.Request) (content, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		what := fmt.Sprintf("nothing at %q answers to %s", r.URL.Path, r.Method)
		return content{}, &refusal{status: http.StatusMethodNotAllowed, title: "Not allowed", what: what}
	}
	return content{}, missing(fmt.Sprintf("there is no page %q", r.URL.Path))
}

// errorPage returns the page of an error.
func (s *Server) errorPage(err error) content {
	refused := &refusal{status: http.StatusInternalServerError, title: "Something went wrong", what: err.Error()}
	if unknown := new(engine.UnknownError); errors.As(err, &unknown) && unknown.Kind == "tournament" {
		refused = missing(fmt.Sprintf("there is no tournament %q", unknown.Name))
		for _, name := range unknown.Known {
			refused.known = append(refused.known, hyperlink{name, s.links.tournament(name)})
		}
	}
	errors.As(err, &refused)
	return content{Status: refused.status, Title: refused.title, Template: "error", View: templateData{
		"Title": refused.title, "Sentence": sentence(refused), "Known": refused.known, "Home": s.links.tournaments(),
	}}
}

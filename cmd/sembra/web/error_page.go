package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"sembra/results/store"
)

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

// noPage says that there is no page for the address of a request.
func noPage(r *http.Request) error {
	return missing(fmt.Sprintf("there is no page %q", r.URL.Path), hyperlink{})
}

// errorPage returns the page of an error.
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

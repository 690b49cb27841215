package web

import (
	"errors"
	"fmt"
	"net/http"

	"sembra/results/store"
)

// missingError says that there is no page for an address.
type missingError struct {
	what  string // a whole sentence
	known []link // the pages that there are
}

func (e *missingError) Error() string { return e.what }

// errorView is a page that says what went wrong.
type errorView struct {
	Title    string
	Sentence string
	Known    []link // the pages that there are
	Home     string // the address of the first page
}

// noPage is the page for an address that has none.
func (s *Server) noPage(r *http.Request) (content, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		what := fmt.Sprintf("nothing at %q answers to %s", r.URL.Path, r.Method)
		return content{}, &refusal{status: http.StatusMethodNotAllowed, title: "Not allowed", what: what}
	}
	return content{}, &missingError{what: fmt.Sprintf("there is no page %q", r.URL.Path)}
}

// errorPage returns the page of an error, and the status of the answer.
func (s *Server) errorPage(err error) (content, int) {
	var (
		missing *missingError
		unknown *store.UnknownError
		refused *refusal
	)
	view := errorView{Title: "Something went wrong", Sentence: sentence(err), Home: s.links.tournaments()}
	status := http.StatusInternalServerError
	switch {
	case errors.As(err, &missing):
		view.Title, view.Known, status = "Not found", missing.known, http.StatusNotFound
	case errors.As(err, &unknown) && unknown.Name != "":
		view.Title, status = "Not found", http.StatusNotFound
		view.Sentence = sentence(fmt.Errorf("there is no tournament %q", unknown.Name))
		for _, name := range unknown.Known {
			view.Known = append(view.Known, link{name, s.links.tournament(name)})
		}
	case errors.As(err, &refused):
		view.Title, status = refused.title, refused.status
	}
	return content{Title: view.Title, Template: "error", View: view}, status
}

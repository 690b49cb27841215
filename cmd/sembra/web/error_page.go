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
	title, status := "Something went wrong", http.StatusInternalServerError
	var known []link
	switch {
	case errors.As(err, &missing):
		title, known, status = "Not found", missing.known, http.StatusNotFound
	case errors.As(err, &unknown) && unknown.Name != "":
		title, status = "Not found", http.StatusNotFound
		err = fmt.Errorf("there is no tournament %q", unknown.Name)
		for _, name := range unknown.Known {
			known = append(known, link{name, s.links.tournament(name)})
		}
	case errors.As(err, &refused):
		title, status = refused.title, refused.status
	}
	return content{Title: title, Template: "error", View: view{
		"Title": title, "Sentence": sentence(err), "Known": known, "Home": s.links.tournaments(),
	}}, status
}

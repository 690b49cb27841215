package page

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
	Known    []link
}

// noPage is the page for an address that has none.
func (s *Server) noPage(r *http.Request) (content, error) {
	return content{}, &missingError{what: fmt.Sprintf("there is no page %q", r.URL.Path)}
}

// errorPage returns the page of an error, and the status of the answer.
func (s *Server) errorPage(err error) (content, int) {
	var (
		missing *missingError
		unknown *store.UnknownError
	)
	view, status := errorView{Title: "Something went wrong", Sentence: err.Error()}, http.StatusInternalServerError
	switch {
	case errors.As(err, &missing):
		view.Title, view.Known, status = "Not found", missing.known, http.StatusNotFound
	case errors.As(err, &unknown):
		view.Title, status = "Not found", http.StatusNotFound
		for _, name := range unknown.Known {
			view.Known = append(view.Known, link{name, s.links.tournament(name)})
		}
	}
	return content{Title: view.Title, Template: "error", View: view}, status
}

package page

import (
	"context"

	"sembra/results"
	"sembra/results/store"
)

// Library is the database that the pages show. Several goroutines may use it at the
// same time.
type Library struct {
	path string
}

// OpenLibrary returns the library of the database at path. The error says why it
// cannot be read.
func OpenLibrary(path string) (*Library, error) {
	l := &Library{path}
	_, err := l.Tournaments()
	return l, err
}

// Close ends the use of the database.
func (l *Library) Close() error { return nil }

// Tournaments returns all tournaments in order of creation.
func (l *Library) Tournaments() ([]results.Tournament, error) {
	file, err := store.OpenRead(l.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Tournaments()
}

// Read calls f with the tournament of a name, or with the newest one for "". Nobody
// else uses the book meanwhile, and f must not keep it. A *store.UnknownError says
// that there is no such tournament.
func (l *Library) Read(ctx context.Context, name string, f func(*store.Book) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	file, err := store.OpenRead(l.path)
	if err != nil {
		return err
	}
	defer file.Close()
	book, err := file.Book(name)
	if err != nil {
		return err
	}
	return f(book)
}

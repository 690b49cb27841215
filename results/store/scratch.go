package store

import "os"

// scratch is a file that vanishes when it is closed.
type scratch struct {
	*os.File
	left bool // it could not be removed while it was open
}

func newScratch(folder string) (*scratch, error) {
	if file, err := nameless(folder); err == nil {
		return &scratch{file, false}, nil
	}
	file, err := os.CreateTemp(folder, "sembra-copy-*")
	if err != nil {
		return nil, err
	}
	return &scratch{file, os.Remove(file.Name()) != nil}, nil
}

// drop closes and removes the file.
func (s *scratch) drop() {
	_ = s.Close() // there is nothing to lose
	s.remove()
}

// remove removes a closed scratch file, if that could not be done while it was open.
func (s *scratch) remove() {
	if s.left {
		_ = os.Remove(s.Name())
	}
}

package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sembra/arena"
	"sembra/engine"
)

// readOpenings finds the opening of every pair. It is the start position, comes
// from random plies, or comes from a list in a file.
func readOpenings(d *document, f *openingsTable, c *Config) {
	t := &c.Tournament
	pairs, file := t.MostPairs(), f.File
	c.plies = f.Plies
	if d.has("openings.plies") && d.has("openings.file") {
		d.refuse("openings.file", "openings.plies and openings.file are both given; only one of them is allowed")
	}
	if len(d.wrong) > 0 || len(d.missing) > 0 || t.Rules == nil {
		return
	}
	switch {
	case d.has("openings.file"):
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(d.file), file)
		}
		openings, problems, err := CheckOpenings(file, t.Rules)
		if err != nil {
			wrong := d.errorNear("openings.file", fmt.Sprintf("the list of openings cannot be read: %v", err))
			wrong.Err, d.wrong = err, append(d.wrong, wrong)
			return
		}
		d.wrong = append(d.wrong, problems...)
		if len(problems) > 0 {
			return
		}
		if len(openings) < pairs {
			d.refuse("openings.file", "%s has too few openings: %d of %d, one for each pair", file, len(openings), pairs)
			return
		}
		c.list, t.Openings = openings, openings[:pairs]
	case c.plies > 0:
		openings, err := arena.RandomOpenings(t.Rules, t.Seed, c.plies, pairs)
		if err != nil {
			d.refuse("openings.plies", "%v", err)
		}
		t.Openings = openings
	default:
		t.Openings = make([]string, pairs)
	}
}

// CheckOpenings reads a list of openings for a ruleset. It returns the position
// texts of the openings that a match can begin with, and a problem for each of
// the other lines. err is not nil only if the file cannot be read.
func CheckOpenings(path string, rules engine.Ruleset) (openings []string, problems []*Error, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	openings, problems = parseOpenings(path, string(text), rules)
	return openings, problems, nil
}

// parseOpenings reads the text of a list of openings. A line is a position text
// or "startpos moves …"; # begins a comment.
func parseOpenings(path, text string, rules engine.Ruleset) (openings []string, problems []*Error) {
	lineOf := make(map[engine.Position]int)
	for i, source := range strings.Split(text, "\n") {
		source = strings.TrimRight(source, "\r")
		line, _, _ := strings.Cut(source, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		position, err := opening(line, rules)
		if err == nil && lineOf[position] != 0 {
			err = fmt.Errorf("the same opening as in line %d", lineOf[position])
		}
		if err != nil {
			column := strings.Index(source, line) + 1
			if bad := new(engine.TextError); errors.As(err, &bad) {
				column += bad.Column - 1
				err = fmt.Errorf("bad position text: %s", bad.Problem)
			}
			if bad := new(tokenError); errors.As(err, &bad) {
				column += bad.column - 1
			}
			problems = append(problems, &Error{File: path, Line: i + 1, Column: column, Source: source, Problem: err.Error()})
			continue
		}
		lineOf[position] = i + 1
		openings = append(openings, engine.Text(rules, position))
	}
	return openings, problems
}

// tokenError is an illegal move of an opening and its place.
type tokenError struct {
	err    error
	column int // in the line, from 1
}

func (e *tokenError) Error() string { return e.err.Error() }

// column returns the column of a word of a line. Words are counted from 0 and
// columns from 1.
func column(line string, word int) int {
	at := 0
	for n, text := range strings.Fields(line) {
		at += strings.Index(line[at:], text)
		if n == word {
			break
		}
		at += len(text)
	}
	return at + 1
}

// opening reads one opening. The match may not be decided by then.
func opening(line string, rules engine.Ruleset) (engine.Position, error) {
	match := engine.NewMatch(rules, rules.Start())
	if words := strings.Fields(line); words[0] == "startpos" {
		if len(words) > 1 && words[1] != "moves" {
			return engine.Position{}, fmt.Errorf("%q after startpos, where only the word moves may stand", words[1])
		}
		tokens := words[min(2, len(words)):]
		for i, token := range tokens {
			move, err := match.Find(token)
			if err != nil {
				err = fmt.Errorf("move %d of %d: %w", i+1, len(tokens), err)
				return engine.Position{}, &tokenError{err, column(line, i+2)}
			}
			match.Play(move)
		}
	} else {
		position, err := engine.ParsePosition(rules, line)
		if err != nil {
			return engine.Position{}, err
		}
		match = engine.NewMatch(rules, position)
	}
	position := match.Position()
	if len(match.Legal()) == 0 {
		return engine.Position{}, errors.New("the opening is decided: there is no legal move")
	}
	if rules.Info().Decided(position) {
		return engine.Position{}, errors.New("the opening is decided: a store holds more than half of the seeds")
	}
	return position, nil
}

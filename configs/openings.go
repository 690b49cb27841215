package configs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
)

// readOpenings finds the opening of every pair, if nothing else is wrong. It is the start position, comes
// from random plies, or comes from a list in a file. A sequential test has no more pairs than openings, and at least
// one.
func readOpenings(d *document, f *file, p *results.Plan, rules engine.Ruleset) {
	if len(d.wrong) > 0 {
		return
	}
	pairs, file, plies, test := p.MostPairs(), f.Openings.File, f.Openings.Plies, f.Fewer || p.Format == results.Sequential
	least := pairs
	if test {
		least = 1
	}
	list, err := arena.StartPositions(rules, pairs), error(nil)
	switch {
	case d.has("openings.file"):
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(d.file), file)
		}
		list, d.wrong, err = CheckOpenings(file, rules)
		if err != nil {
			wrong := d.errorNear("openings.file", fmt.Sprintf("the list of openings cannot be read: %v", err))
			wrong.Err, d.wrong = err, append(d.wrong, wrong)
		} else if known := len(list); len(d.wrong) == 0 && known < least {
			d.refuse("openings.file", "%s has too few openings: %d of %d, one for each pair", file, known, least)
		}
		if test {
			list = arena.ShuffledOpenings(rules, p.Seed, list)
		}
		list = list[:min(pairs, len(list))]
	case plies > 0:
		if list, err = arena.RandomOpenings(rules, p.Seed, plies, least); err != nil {
			d.refuse("openings.plies", "%v", err)
		} else if test {
			list = arena.RandomOpeningsUpTo(rules, p.Seed, plies, pairs)
		}
	}
	p.Openings = list
	if test {
		p.Pairs = len(list)
	}
}

// CheckOpenings reads the file of a list of openings for a ruleset. It returns the position texts of the openings that
// a match can begin with, and a problem for each of the other lines. err is not nil only if the file cannot be read.
func CheckOpenings(path string, rules engine.Ruleset) (openings []string, problems []*Error, err error) {
	file, err := OpenInput(path, mostOpenings)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return parseOpenings(path, io.LimitReader(file, mostOpenings), rules)
}

// parseOpenings reads the text of a list of openings. A line is a position text
// or "startpos moves …"; # begins a comment. A line that is too long ends the list.
func parseOpenings(path string, text io.Reader, rules engine.Ruleset) (openings []string, problems []*Error, err error) {
	lineOf := make(map[engine.Position]int)
	lines, i := bufio.NewScanner(text), 0
	for ; lines.Scan(); i++ {
		source := strings.TrimRight(lines.Text(), "\r")
		line, _, _ := strings.Cut(source, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		position, column, err := opening(line, rules)
		if err == nil && lineOf[position] != 0 {
			err = fmt.Errorf("the same opening as in line %d", lineOf[position])
		}
		if err != nil {
			column += strings.Index(source, line) + 1
			problems = append(problems, &Error{File: path, Line: i + 1, Column: column, Source: source, Problem: err.Error()})
			continue
		}
		lineOf[position] = i + 1
		openings = append(openings, engine.Text(rules, position))
	}
	if err = lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		problems = append(problems, &Error{File: path, Line: i + 1, Column: 1, Problem: fmt.Sprintf(
			"the line has more than %d KiB, so the rest of the list is not read", bufio.MaxScanTokenSize>>10)})
		err = nil
	}
	return openings, problems, err
}

// opening reads one opening. The match may not be decided by then. column is the place of a mistake, from 0.
func opening(line string, rules engine.Ruleset) (position engine.Position, column int, err error) {
	match := engine.NewMatch(rules, rules.Start())
	if words := strings.Fields(line); words[0] == "startpos" {
		if len(words) > 1 && words[1] != "moves" {
			return position, 0, fmt.Errorf("%q after startpos, where only the word moves may stand", words[1])
		}
		for i, word := range words {
			column += strings.Index(line[column:], word)
			if i > 1 {
				move, err := match.Find(word)
				if err != nil {
					return position, column, fmt.Errorf("move %d of %d: %w", i-1, len(words)-2, err)
				}
				match.Play(move)
			}
			column += len(word)
		}
	} else {
		start, err := engine.ParsePosition(rules, line)
		if bad := new(engine.TextError); errors.As(err, &bad) {
			return position, bad.Column - 1, fmt.Errorf("bad position text: %s", bad.Problem)
		} else if err != nil {
			return position, 0, err
		}
		match = engine.NewMatch(rules, start)
	}
	position = match.Position()
	if len(match.Legal()) == 0 {
		return position, 0, errors.New("the opening is decided: there is no legal move")
	}
	if rules.Info().DecidedEarly(position) {
		return position, 0, errors.New("the opening is decided: a store holds more than half of the seeds")
	}
	return position, 0, nil
}

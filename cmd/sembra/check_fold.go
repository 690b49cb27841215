package main

import (
	"io"
	"strings"

	"sembra/arena"
	"sembra/results/report"
)

// foldedPoints prints the points of a check. Of failures and of warnings that have the
// same reason it prints only the first one, and each text of standard error once.
type foldedPoints struct {
	w       io.Writer
	bot     string
	columns int // the width of a line; 0: any
	reasons []*foldedReason
	stderr  map[string]string // the test that has printed it, by its kind
}

// foldedReason is why a test has failed or warned.
type foldedReason struct {
	kind  string
	mark  string
	first string   // name of the test that has told it
	again []string // names of the later tests
}

func (f *foldedPoints) print(p arena.Point) {
	if p.State != arena.Failed && p.State != arena.Warned {
		printPoint(f.w, p, f.bot, f.columns)
		return
	}
	kind := pointMarks()[p.State] + report.KindOf(p.What)
	for _, r := range f.reasons {
		if r.kind == kind {
			r.again = append(r.again, p.Name)
			return
		}
	}
	f.reasons = append(f.reasons, &foldedReason{kind: kind, mark: pointMarks()[p.State], first: p.Name})
	as := ""
	if p.Talk != nil && len(p.Talk.Stderr) > 0 {
		wrote := report.KindOf(string(p.Talk.Stderr))
		if as = f.stderr[wrote]; as == "" {
			f.stderr[wrote] = p.Name
		} else {
			talk := *p.Talk
			talk.Stderr, p.Talk = nil, &talk
		}
	}
	printPoint(f.w, p, f.bot, f.columns)
	if as != "" {
		printLine(f.w, "     its standard error is as in "+as)
	}
}

// end prints which tests had the same reasons.
func (f *foldedPoints) end() {
	const most = 4
	for _, r := range f.reasons {
		if len(r.again) == 0 {
			continue
		}
		names := strings.Join(r.again[:min(most, len(r.again))], ", ")
		if len(r.again) > most {
			names += ", …"
		}
		text := r.first + ": the same in " + plural(len(r.again), "more test", "more tests") + ": " + names
		printHanging(f.w, r.mark+" ", text, f.columns)
	}
}

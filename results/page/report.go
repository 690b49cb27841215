package page

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/store"
)

// Report is a tournament as HTML files, which a browser opens from a disk without a server and without a network. The
// same tournament always gives the same bytes.
//
// A file has parts, each of which is a page of a Server. A part is written out, or it is packed: compressed until a script
// shows it. All matches are packed. A browser without scripts shows the other parts, one below the other.
type Report struct {
	Progress func(done, total int) // it is told how many matches are written; nil: nobody is

	book      *store.Book
	matches   []results.Slotted
	templates *template.Template
	frame     reportFrame
	reading   sync.Mutex // held by the goroutine that uses the book
	done      int        // matches that are written
}

// mostInFile is the greatest number of matches of a report in one file.
const mostInFile = 5000

// NewReport returns the report of a tournament. The error says why there is none, for example that no match is played.
func NewReport(b *store.Book) (*Report, error) {
	r := &Report{book: b}
	var err error
	if r.matches, err = b.Recorded(); err != nil {
		return nil, err
	}
	if len(r.matches) == 0 {
		return nil, fmt.Errorf("tournament %q has no match so far, so there is nothing to report", b.Tournament.Name)
	}
	if r.templates, err = parseTemplates(); err != nil {
		return nil, err
	}
	r.frame, err = newReportFrame()
	return r, err
}

// Matches returns the number of matches in the report.
func (r *Report) Matches() int { return len(r.matches) }

// CheckFile returns an error if the report has too many matches for one file.
func (r *Report) CheckFile() error {
	if n := len(r.matches); n > mostInFile {
		return fmt.Errorf("tournament %q has %d matches, and a report in one file has at most %d",
			r.book.Tournament.Name, n, mostInFile)
	}
	return nil
}

// WriteFile writes the report as one file.
func (r *Report) WriteFile(ctx context.Context, w io.Writer) error {
	l := newReportLinks(r.book.Tournament, r.matches, false)
	parts := slices.Concat(r.summary(l), r.lists(l, written, matchChoice{}), r.stages(l))
	for _, bot := range r.book.Tournament.Bots {
		parts = append(parts, r.bot(l, bot)...)
	}
	r.done = 0
	return r.write(ctx, w, l, append(parts, r.matchParts(l, r.matches)...))
}

// WriteReportFile writes a file of a report into a folder.
type WriteReportFile func(name string, content func(io.Writer) error) error

// WriteFiles writes the report as files, which are for one folder. FirstReportFile is the last that it writes.
func (r *Report) WriteFiles(ctx context.Context, file WriteReportFile) error {
	l := newReportLinks(r.book.Tournament, r.matches, true)
	write := func(name string, parts ...part) error {
		return file(name, func(w io.Writer) error { return r.write(ctx, w, l, parts) })
	}
	r.done = 0
	lists, page := r.lists(l, written, matchChoice{}), 0
	for some := range slices.Chunk(r.matches, matchesOnPage) {
		page++
		if err := write(matchesFile(page), append(r.matchParts(l, some), lists[page-1])...); err != nil {
			return err
		}
	}
	for i, bot := range r.book.Tournament.Bots {
		if err := write(botFile(i+1), r.bot(l, bot)...); err != nil {
			return err
		}
	}
	return write(FirstReportFile, append(r.summary(l), r.stages(l)...)...)
}

// part is a page inside a file of a report.
type part struct {
	name    string // the fragment of its address
	packing packing
	slot    int // of the match that it is; 0: it is none
	content func() (content, error)
}

// packing says how a part is in a file.
type packing bool

const (
	written packing = false
	packed  packing = true
)

// summary returns the parts that are not about one bot or about single matches.
func (r *Report) summary(l reportLinks) []part {
	t := r.book.Tournament
	return []part{
		{name: tournamentPart, content: func() (content, error) {
			view, err := newTournamentView(r.book, l)
			return content{Title: t.Name, Template: "tournament", View: view}, err
		}},
		{name: rulesPart, content: func() (content, error) {
			rules, err := engine.Lookup(t.Ruleset)
			if err != nil {
				return content{}, err
			}
			view := rulesView{rules.Info(), show.Board(rules, rules.Start(), show.Lines)}
			return content{Title: "Rules of " + t.Ruleset, Template: "rules", View: view}, err
		}},
	}
}

// trail returns the trail of the parts below that of the tournament.
func (r *Report) trail(l reportLinks) []link {
	name := r.book.Tournament.Name
	return []link{{name, l.tournament(name)}}
}

// stages returns the lists of the matches of each stage.
func (r *Report) stages(l reportLinks) (parts []part) {
	for stage := range r.book.Schedule.Stage(r.matches[len(r.matches)-1].Slot) {
		parts = append(parts, r.lists(l, packed, matchChoice{Stage: stage + 1})...)
	}
	return parts
}

// bot returns the parts about a bot: its page and the lists of its matches.
func (r *Report) bot(l reportLinks, bot string) []part {
	parts := []part{{name: l.botPart(bot), content: func() (content, error) {
		view, err := newBotView(r.book, bot, l)
		return content{Title: bot, Trail: r.trail(l), Template: "bot", View: view}, err
	}}}
	parts = append(parts, r.lists(l, packed, matchChoice{Bot: bot})...)
	for _, opponent := range r.book.Tournament.Bots {
		if opponent != bot {
			parts = append(parts, r.lists(l, packed, matchChoice{Bot: bot, Opponent: opponent})...)
		}
	}
	return parts
}

// matchParts returns the parts of some matches.
func (r *Report) matchParts(l reportLinks, matches []results.Slotted) (parts []part) {
	for _, m := range matches {
		parts = append(parts, part{name: matchPart(m.Slot), packing: packed, slot: m.Slot, content: func() (content, error) {
			view, err := newMatchView(r.book, m.Slot, l)
			return content{Title: view.Title, Trail: r.trail(l), Template: "match", View: view}, err
		}})
	}
	return parts
}

// lists returns the parts of a list of matches, one for each of its pages.
func (r *Report) lists(l reportLinks, packing packing, of matchChoice) (parts []part) {
	matches := 0
	for _, m := range r.matches {
		if of.passes(r.book, m) {
			matches++
		}
	}
	for of.Page = 1; (of.Page-1)*matchesOnPage < matches; of.Page++ {
		parts = append(parts, part{name: l.matchesPart(of), packing: packing, content: func() (content, error) {
			view, err := newMatchesView(r.book, of, l)
			return content{Title: view.Title, Trail: r.trail(l), Template: "matches", View: view}, err
		}})
	}
	return parts
}

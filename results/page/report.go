package page

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

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

	book       *reader
	matches    []results.Slotted
	superseded []results.Noted
	templates  *template.Template
	frame      reportFrame
	done       int // matches that are written

	mu   sync.Mutex // guards what follows
	left []error    // why matches are left out
}

// mostInFile is the greatest number of matches of a report in one file.
const mostInFile = 5000

// NewReport returns the report of a tournament. The error says why there is none, for example that no match is played.
func NewReport(b *store.Book) (*Report, error) {
	r := &Report{book: newReader(b)}
	var err error
	if r.matches, err = r.book.recorded(); err != nil {
		return nil, err
	}
	if len(r.matches) == 0 {
		return nil, fmt.Errorf("tournament %q has no match so far, so there is nothing to report", b.Tournament.Name)
	}
	if r.superseded, err = r.book.superseded(); err != nil {
		return nil, err
	}
	if r.templates, err = parseTemplates(); err != nil {
		return nil, err
	}
	r.frame, err = newReportFrame()
	return r, err
}

// Matches returns the number of matches in the report, without superseded ones.
func (r *Report) Matches() int { return len(r.matches) }

// Left returns for each match that the report could not show, because its record is damaged, what is wrong with it, in
// no order. The report has a note in place of the match.
func (r *Report) Left() []error { return r.left }

// CheckFile returns an error if the report has too many matches for one file.
func (r *Report) CheckFile() error {
	if n := len(r.matches) + len(r.superseded); n > mostInFile {
		return fmt.Errorf("tournament %q has %d matches, and a report in one file has at most %d",
			r.book.Tournament.Name, n, mostInFile)
	}
	return nil
}

// WriteFile writes the report as one file.
func (r *Report) WriteFile(ctx context.Context, w io.Writer) error {
	l := newReportLinks(r.book.Tournament, r.matches, r.superseded, false)
	pages, bots, err := r.pages(l)
	if err != nil {
		return err
	}
	r.done, r.left = 0, nil
	return r.write(ctx, w, l, slices.Concat(
		pages[:1], bots, r.list(l, written, matchChoice{}), pages[1:], r.lists(l, ""), r.matchParts(l, r.matches),
		r.supersededParts(l, r.superseded)))
}

// WriteReportFile writes a file of a report into a folder.
type WriteReportFile func(name string, content func(io.Writer) error) error

// WriteFiles writes the report as files, which are for one folder.
func (r *Report) WriteFiles(ctx context.Context, file WriteReportFile) error {
	l := newReportLinks(r.book.Tournament, r.matches, r.superseded, true)
	pages, bots, err := r.pages(l)
	if err != nil {
		return err
	}
	write := func(name string, first, others []part) error {
		parts := slices.Concat(first, others)
		return file(name, func(w io.Writer) error { return r.write(ctx, w, l, parts) })
	}
	r.done, r.left = 0, nil
	if err := write(FirstReportFile, pages, r.lists(l, FirstReportFile)); err != nil {
		return err
	}
	for i := range bots {
		if err := write(botFile(i+1), bots[i:i+1], r.lists(l, botFile(i+1))); err != nil {
			return err
		}
	}
	lists, page := r.list(l, written, matchChoice{}), 0
	for some := range slices.Chunk(r.matches, matchesOnPage) {
		page++
		if err := write(matchesFile(page), lists[page-1:page], r.matchParts(l, some)); err != nil {
			return err
		}
	}
	page = 0
	for some := range slices.Chunk(r.superseded, matchesOnPage) {
		page++
		if err := write(supersededFile(page), nil, r.supersededParts(l, some)); err != nil {
			return err
		}
	}
	return nil
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

// pages returns the parts that are no lists and no matches: of the tournament, of the rules, and of the bots. Then the
// links know which lists these parts lead to.
func (r *Report) pages(l *reportLinks) (pages, bots []part, err error) {
	t := r.book.Tournament
	ready := func(name string, c content) part {
		return part{name: name, content: func() (content, error) { return c, nil }}
	}
	tournament, err := newTournamentView(r.book, l)
	if err != nil {
		return nil, nil, err
	}
	pages = append(pages, ready(tournamentPart, content{Title: t.Name, Template: "tournament", View: tournament}))
	if tournament.CrosstableURL != "" {
		cross, err := newWholeCrossView(r.book, l)
		if err != nil {
			return nil, nil, err
		}
		pages = append(pages, ready(crosstablePart, content{
			Title: "Crosstable of " + t.Name, Trail: r.trail(l), Template: "crosstable", View: cross,
		}))
	}
	rules, err := r.book.rules()
	if err != nil {
		return nil, nil, err
	}
	ruleset := newRulesView(rules, l)
	ruleset.Others = nil // they are not in the report
	pages = append(pages, ready(rulesPart, content{Title: "Rules of " + t.Ruleset, Template: "rules", View: ruleset}))
	for _, bot := range t.Bots {
		view, err := newBotView(r.book, bot, l)
		if err != nil {
			return nil, nil, err
		}
		bots = append(bots, ready(l.botPart(bot), content{Title: bot, Trail: r.trail(l), Template: "bot", View: view}))
	}
	return pages, bots, nil
}

// trail returns the trail of the parts below that of the tournament.
func (r *Report) trail(l *reportLinks) []link {
	name := r.book.Tournament.Name
	return []link{{name, l.tournament(name)}}
}

// lists returns the parts of the lists of matches that other parts lead to, and that are in a file of the folder; "": in
// any. The list of all matches is not among them.
func (r *Report) lists(l *reportLinks, file string) (parts []part) {
	for _, choice := range l.choices() {
		if choice != (matchChoice{}) && (file == "" || file == l.listFile(choice)) {
			parts = append(parts, r.list(l, packed, choice)...)
		}
	}
	return parts
}

// list returns the parts of a list of matches, one for each of its pages.
func (r *Report) list(l *reportLinks, packing packing, of matchChoice) (parts []part) {
	_, found, _ := chosenMatches(r.book, of, 1) // an error comes again when the list is written
	for page := range max(1, (found+matchesOnPage-1)/matchesOnPage) {
		choice := of
		choice.Page = page + 1
		parts = append(parts, part{name: l.listPart(choice), packing: packing, content: func() (content, error) {
			view, err := newMatchesView(r.book, choice, l)
			return content{Title: view.Title, Trail: r.trail(l), Template: "matches", View: view}, err
		}})
	}
	return parts
}

// matchParts returns the parts of some matches.
func (r *Report) matchParts(l *reportLinks, matches []results.Slotted) (parts []part) {
	for _, m := range matches {
		parts = append(parts, part{name: matchPart(m.Slot), packing: packed, slot: m.Slot, content: func() (content, error) {
			return r.match(l, m.Slot, 0), nil
		}})
	}
	return parts
}

// supersededParts returns the parts of some superseded matches.
func (r *Report) supersededParts(l *reportLinks, matches []results.Noted) (parts []part) {
	for _, m := range matches {
		name := supersededPart(m.Slot, m.Superseded)
		parts = append(parts, part{name: name, packing: packed, content: func() (content, error) {
			return r.match(l, m.Slot, m.Superseded), nil
		}})
	}
	return parts
}

// match returns the page of a match, or a note if its record is damaged. See newMatchView.
func (r *Report) match(l *reportLinks, slot, replacement int) content {
	view, err := newMatchView(r.book, slot, replacement, l)
	c := content{Title: view.Title, Trail: r.trail(l), Template: "match", View: view}
	if err != nil {
		r.mu.Lock()
		r.left = append(r.left, err)
		r.mu.Unlock()
		c.Title = fmt.Sprintf("Match %d is left out", slot)
		c.Template, c.View = "error", errorView{Title: c.Title, Sentence: sentence(errors.New(r.book.wrong(err)))}
	}
	return c
}

package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"sembra/results"
	"sembra/results/store"
)

// Report is what a Server shows of one tournament, written to a disk. A browser opens it there, without a server and
// without a network. The same tournament always gives the same bytes.
//
// Each page of the server is a part of the report. In one file, all parts are one below the other, and a script shows
// one of them. In a folder, most parts are a file each. The matches, and the lists of some of them, are packed: in
// files of data, from which one page shows them.
type Report struct {
	Progress func(done, total int) // it is told how many matches are written; nil: nobody is

	records *reader
	matches []results.Numbered
	assets  map[string][]byte // by name
	painter painter
	packer  packer
	links   *reportLinks // of the files that are being written
	done    int          // matches that are written

	mu   sync.Mutex // guards what follows
	left []error    // why matches are left out
}

// mostInFile is the greatest number of matches of a report in one file, which is then about 30 MB.
const mostInFile = 5000

// NewReport returns the report of a tournament. The error says why there is none, for example that no match is played.
func NewReport(b *store.Records) (*Report, error) {
	r := new(Report)
	r.records = newReader(b, links{func(served string) string { return r.links.translate(served) }})
	var err error
	if r.matches, err = r.records.recorded(); err != nil {
		return nil, err
	}
	if len(r.matches) == 0 {
		return nil, fmt.Errorf("tournament %q has no match so far, so there is nothing to report", b.Tournament.Name)
	}
	// There are neither live events nor play.
	r.assets, err = readAssets("assets/0*.js", "assets/report.js", "assets/[1-3]*.js")
	return r, err
}

// Matches returns the number of matches in the report.
func (r *Report) Matches() int { return len(r.matches) }

// Left returns for each match that the report could not show, because its record is damaged, what is wrong with it, in
// no order. The report has a note in place of the match.
func (r *Report) Left() []error { return r.left }

// CheckFile returns an error if the report has too many matches for one file.
func (r *Report) CheckFile() error {
	if n := len(r.matches); n > mostInFile {
		return fmt.Errorf("tournament %q has %d matches, and a report in one file has at most %d",
			r.records.Tournament.Name, n, mostInFile)
	}
	return nil
}

// begin begins a report in a file or a folder. head is what its pages have there.
func (r *Report) begin(folder bool, head string) (err error) {
	t := r.records.Tournament
	r.links, r.done, r.left = newReportLinks(t, r.matches, folder), 0, nil
	r.painter, err = newPainter(head, entry{tournamentsSection, link{"Tournament", r.records.tournament(t.Name)}},
		entry{matchesSection, link{"Matches", r.records.toMatches(nil)}},
		entry{rulesSection, link{"Rules", r.records.rules(t.Ruleset)}})
	return err
}

// WriteFile writes the report as one file.
func (r *Report) WriteFile(ctx context.Context, w io.Writer) error {
	if err := r.begin(false, headInFile(r.assets)); err != nil {
		return err
	}
	const here = "<!-- parts -->"
	script := "\n<script>" + string(r.assets[scriptAsset]) + "</script>"
	frame, err := r.painter.around(content{Title: r.records.Tournament.Name}, inFileNote+here+script)
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(frame, []byte(here))
	if _, err := w.Write(before); err != nil {
		return err
	}
	err = r.write(ctx, func(_ []part, texts [][]byte) error {
		_, err := w.Write(bytes.Join(texts, nil))
		return err
	})
	if err == nil {
		_, err = w.Write(after)
	}
	return err
}

// WriteReportFile writes a file of a report into a folder.
type WriteReportFile func(name string, text []byte) error

// WriteFiles writes the report as files, which are for one folder.
func (r *Report) WriteFiles(ctx context.Context, file WriteReportFile) error {
	if err := r.begin(true, headInFolder()); err != nil {
		return err
	}
	shell, err := r.painter.around(content{Title: r.records.Tournament.Name}, packedNote)
	if err != nil {
		return err
	}
	err = file(packedFile, shell)
	for name, text := range r.assets {
		err = cmp.Or(err, file(name, slices.Concat([]byte(markComment), text)))
	}
	if err != nil {
		return err
	}
	chunk := func(name string, texts [][]byte) error {
		all := [][]byte{[]byte(markComment + "Sembra.parts({\n"), bytes.Join(texts, []byte(",\n")), []byte("\n});\n")}
		return file(name+".js", bytes.Join(all, nil))
	}
	lists := make(map[string][][]byte) // by chunk
	err = r.write(ctx, func(parts []part, texts [][]byte) error {
		if parts[0].number > 0 {
			return chunk(parts[0].chunk, texts)
		}
		for i, p := range parts {
			if p.chunk != "" {
				lists[p.chunk] = append(lists[p.chunk], texts[i])
			} else if err := file(fileOf(p.name), texts[i]); err != nil {
				return err
			}
		}
		return nil
	})
	for name, texts := range lists {
		if err == nil {
			err = chunk(name, texts)
		}
	}
	return err
}

// write renders all parts and gives them to emit, a few at a time.
func (r *Report) write(ctx context.Context, emit func([]part, [][]byte) error) error {
	painters := runtime.GOMAXPROCS(0)
	for parts := range r.parts {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		texts, errs := make([][]byte, len(parts)), make([]error, len(parts))
		var drawing sync.WaitGroup
		for first := range painters {
			drawing.Go(func() {
				for i := first; i < len(parts); i += painters {
					texts[i], errs[i] = r.text(parts[i])
				}
			})
		}
		drawing.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if parts[0].number > 0 {
			r.done += len(parts)
		}
		if r.Progress != nil {
			r.Progress(r.done, len(r.matches))
		}
		if err := emit(parts, texts); err != nil {
			return err
		}
	}
	return nil
}

// parts yields the pages and lists that links lead to, beginning with the page of the tournament, and then all matches,
// those of a file of data together.
func (r *Report) parts(yield func([]part) bool) {
	for found := r.links.take(); len(found) > 0; found = r.links.take() {
		const most = 64 // in memory
		for parts := range slices.Chunk(found, most) {
			if !yield(parts) {
				return
			}
		}
	}
	var parts []part
	for _, match := range r.matches {
		p := r.links.part(r.links.home + "match/" + strconv.Itoa(match.Number))
		if len(parts) > 0 && parts[0].chunk != p.chunk {
			if !yield(parts) {
				return
			}
			parts = nil
		}
		parts = append(parts, p)
	}
	yield(parts)
}

// content returns the content of a part. A note stands in place of a match whose record is damaged.
func (r *Report) content(p part) (content, error) {
	if p.name == rulesPart {
		rules, err := r.records.ruleset()
		if err != nil {
			return content{}, err
		}
		title := "Rules of " + r.records.Tournament.Ruleset
		return content{Title: title, Section: rulesSection, Template: "rules", View: newRulesView(rules, r.records.links)}, nil
	}
	c, err := r.records.page(p.address, p.query)
	if err == nil || p.number == 0 {
		return c, err
	}
	r.mu.Lock()
	r.left = append(r.left, err)
	r.mu.Unlock()
	title := fmt.Sprintf("Match %d is left out", p.number)
	wrong := sentence(errors.New(r.records.wrong(err)))
	return r.records.below("error", title, view{"Title": title, "Sentence": wrong, "Known": nil, "Home": ""}), nil
}

// text returns the text of a part. In a file, that is an element. In a folder, it is a whole page, or an entry of the
// data that one page shows.
func (r *Report) text(p part) ([]byte, error) {
	c, err := r.content(p)
	if err != nil {
		return nil, err
	}
	folder := r.links.folder
	if folder && p.chunk == "" {
		return r.painter.page(c)
	}
	trail, err := r.painter.draw("trail", c)
	if err != nil {
		return nil, err
	}
	main, err := r.painter.draw(c.Template, c.View)
	if err != nil {
		return nil, err
	}
	main = append(trail, main...)
	element := struct {
		Name, Title  string
		Packed, Main template.HTML // one of them
	}{Name: p.name, Title: c.Title}
	if p.chunk == "" {
		element.Main = template.HTML(main) //nolint:gosec // a template wrote it
		return r.painter.draw("part", element)
	}
	packed, err := r.packer.pack(main)
	if err != nil {
		return nil, err
	}
	if !folder {
		element.Packed = template.HTML(packed) //nolint:gosec // base64 has no sign of HTML
		return r.painter.draw("part", element)
	}
	name, _ := json.Marshal(p.chunk + "/" + p.name) // a text has no error
	value, err := json.Marshal([2]string{results.VisibleAll(c.Title), packed})
	return slices.Concat(name, []byte(": "), value), err
}

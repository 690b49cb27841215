package web

import (
	"bytes"
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
	texts   reportTexts
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
	r.texts, err = readReportTexts()
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
	if err := r.begin(false, r.texts.inFile()); err != nil {
		return err
	}
	const here = "<!-- parts -->"
	script := "\n<script>" + string(r.texts.script) + "</script>"
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
	if err := r.begin(true, r.texts.inFolder()); err != nil {
		return err
	}
	shell, err := r.painter.around(content{Title: r.records.Tournament.Name}, packedNote)
	if err != nil {
		return err
	}
	files := map[string][]byte{packedFile: shell}
	for name, text := range map[string][]byte{
		styleAsset: r.texts.style, themeAsset: r.texts.theme, scriptAsset: r.texts.script,
	} {
		files[name] = slices.Concat([]byte(markComment), text)
	}
	for name, text := range files {
		if err := file(name, text); err != nil {
			return err
		}
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

// write renders all parts and gives them to emit: the pages and lists that links lead to, beginning with the page of
// the tournament, and all matches, those of a chunk together.
func (r *Report) write(ctx context.Context, emit func([]part, [][]byte) error) error {
	some := func(parts []part) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		texts, err := atOnce(parts, func(p part) ([]byte, error) {
			c, err := r.content(p)
			if err != nil {
				return nil, err
			}
			return r.text(p, c)
		})
		if err != nil {
			return err
		}
		if parts[0].number > 0 {
			r.done += len(parts)
		}
		if r.Progress != nil {
			r.Progress(r.done, len(r.matches))
		}
		return emit(parts, texts)
	}
	for parts := r.links.take(); len(parts) > 0; parts = r.links.take() {
		const most = 64 // in memory
		for part := range slices.Chunk(parts, most) {
			if err := some(part); err != nil {
				return err
			}
		}
	}
	var parts []part // of a chunk
	for _, match := range r.matches {
		p := r.links.part(r.links.home + "match/" + strconv.Itoa(match.Number))
		if len(parts) > 0 && parts[0].chunk != p.chunk {
			if err := some(parts); err != nil {
				return err
			}
			parts = nil
		}
		parts = append(parts, p)
	}
	return some(parts)
}

// atOnce calls f for all parts, some of them at the same time, and returns the texts in their order.
func atOnce(parts []part, f func(part) ([]byte, error)) ([][]byte, error) {
	texts, errs := make([][]byte, len(parts)), make([]error, len(parts))
	var running sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range parts {
		places <- struct{}{}
		running.Go(func() {
			texts[i], errs[i] = f(p)
			<-places
		})
	}
	running.Wait()
	return texts, errors.Join(errs...)
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
func (r *Report) text(p part, c content) ([]byte, error) {
	folder := r.links.folder
	if folder && p.chunk == "" {
		return r.painter.page(c)
	}
	main, err := r.main(c)
	if err != nil {
		return nil, err
	}
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

// main returns the main part of a page, below its trail.
func (r *Report) main(c content) ([]byte, error) {
	trail, err := r.painter.draw("trail", c)
	if err != nil {
		return nil, err
	}
	main, err := r.painter.draw(c.Template, c.View)
	return append(trail, main...), err
}

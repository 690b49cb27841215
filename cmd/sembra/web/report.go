package web

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/safe"
	"sembra/results/store"
)

// Report is what a Server shows of one tournament, written to a disk. A browser opens it there, without a server and
// without a network. The same tournament always gives the same bytes.
//
// Each page of the server is a part of the report. In one file, all parts are one below the other, and a script shows
// one of them. In a folder, most parts are a file each. The matches, and the lists of some of them, are packed: in
// files of data, from which one page shows them.
type Report struct {
	Progress func(done, total int) // it is told how many pages are written, of those known so far; nil: nobody is

	records *reader
	matches []results.Numbered
	assets  map[string][]byte // by name
	painter painter
	packer  packer
	links   *reportLinks // of the files that are being written
	done    int          // pages that are written
	left    []error      // why matches are left out
}

// mostInFile is the greatest number of matches of a report in one file, which is then about 30 MB.
const mostInFile = 5000

// NewReport returns the report of a tournament. The error says why there is none, for example that no match is played.
func NewReport(b *store.Records) (r *Report, err error) {
	defer catch(&err)
	r = &Report{packer: newPacker()}
	r.records = newReader(b, links{func(served string) string { return r.links.translate(served) }})
	r.matches = r.records.recorded()
	if len(r.matches) == 0 {
		return nil, fmt.Errorf("tournament %q has no match so far, so there is nothing to report", b.Tournament.Name)
	}
	// There are neither live events nor play.
	r.assets, err = readAssets("assets/0*.js", "assets/report.js", "assets/[1-3]*.js")
	return r, err
}

// Matches returns the number of matches in the report.
func (r *Report) Matches() int { return len(r.matches) }

// DamagedMatches returns for each match that the report could not show, because its record is damaged, what is wrong with it.
// The report has a note in place of the match.
func (r *Report) DamagedMatches() []error { return r.left }

// CheckFile returns an error if the report has too many matches for one file.
func (r *Report) CheckFile() error {
	if n := len(r.matches); n > mostInFile {
		return fmt.Errorf("tournament %q has %d matches, and a report in one file has at most %d",
			r.records.Tournament.Name, n, mostInFile)
	}
	return nil
}

func (r *Report) begin(folder bool, head string) (err error) {
	t := r.records.Tournament
	r.links, r.done, r.left = newReportLinks(t, r.matches, folder), 0, nil
	r.painter, err = newPainter(head,
		navigationLink{tournamentsSection, hyperlink{"Tournament", r.records.tournament(t.Name)}},
		navigationLink{matchesSection, hyperlink{"Matches", r.records.toMatches(nil)}},
		navigationLink{rulesSection, hyperlink{"Rules", r.records.rules(t.Ruleset)}})
	return err
}

// WriteFile writes the report as one file.
func (r *Report) WriteFile(ctx context.Context, w io.Writer) (err error) {
	defer catch(&err)
	check(r.begin(false, headInFile(r.assets)))
	const here = "<!-- parts -->"
	script := "\n<script>" + string(r.assets[scriptAsset]) + "</script>"
	frame := got(r.painter.around(content{Title: r.records.Tournament.Name}, inFileNote+here+script))
	before, after, _ := bytes.Cut(frame, []byte(here))
	got(w.Write(before))
	r.write(ctx, func(_ []reportPage, texts [][]byte) { got(w.Write(bytes.Join(texts, nil))) })
	got(w.Write(after))
	return nil
}

// WriteReportFile writes a file of a report into a folder.
type WriteReportFile func(name string, text []byte) error

// WriteFiles writes the report as files, which are for one folder.
func (r *Report) WriteFiles(ctx context.Context, file WriteReportFile) (err error) {
	defer catch(&err)
	check(r.begin(true, headInFolder()))
	check(file(packedFile, got(r.painter.around(content{Title: r.records.Tournament.Name}, packedNote))))
	for name, text := range r.assets {
		check(file(name, slices.Concat([]byte(markComment), text)))
	}
	chunk := func(name string, texts [][]byte) {
		all := [][]byte{[]byte(markComment + "Sembra.parts({\n"), bytes.Join(texts, []byte(",\n")), []byte("\n});\n")}
		check(file(name+".js", bytes.Join(all, nil)))
	}
	lists := make(map[string][][]byte) // by chunk
	r.write(ctx, func(parts []reportPage, texts [][]byte) {
		if parts[0].number > 0 {
			chunk(parts[0].chunk, texts)
			return
		}
		for i, p := range parts {
			if p.chunk != "" {
				lists[p.chunk] = append(lists[p.chunk], texts[i])
			} else {
				check(file(fileOf(p.name), texts[i]))
			}
		}
	})
	for name, texts := range lists {
		chunk(name, texts)
	}
	return nil
}

// write renders all parts and gives them to emit, a few at a time.
func (r *Report) write(ctx context.Context, emit func([]reportPage, [][]byte)) {
	for parts := range r.parts {
		check(context.Cause(ctx))
		var texts [][]byte
		for _, part := range parts {
			texts = append(texts, r.text(part))
		}
		r.done += len(parts)
		if r.Progress != nil {
			r.Progress(r.done, len(r.links.known)+len(r.matches))
		}
		emit(parts, texts)
	}
}

// parts yields the pages and lists that links lead to, beginning with the page of the tournament, and then all matches,
// those of a file of data together.
func (r *Report) parts(yield func([]reportPage) bool) {
	for found := r.links.take(); len(found) > 0; found = r.links.take() {
		const most = 64 // in memory
		for parts := range slices.Chunk(found, most) {
			if !yield(parts) {
				return
			}
		}
	}
	var parts []reportPage
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
func (r *Report) content(p reportPage) content {
	if p.name == rulesPart {
		v := newRulesView(r.records.ruleset(), r.records.links)
		title := "Rules of " + r.records.Tournament.Ruleset
		return content{Title: title, Section: rulesSection, Template: "rules", View: v}
	}
	c, err := r.records.page(p.address, p.query)
	if err == nil {
		return c
	}
	if p.number == 0 {
		check(err)
	}
	r.left = append(r.left, err)
	title := fmt.Sprintf("Match %d is left out", p.number)
	wrong := sentence(errors.New(r.records.wrong(err)))
	return r.records.below("error", title, templateData{"Title": title, "Sentence": wrong, "To": hyperlink{}})
}

// text returns the text of a part. In a file, that is an element. In a folder, it is a whole page, or an entry of the
// data that one page shows.
func (r *Report) text(p reportPage) []byte {
	c, folder := r.content(p), r.links.folder
	if folder && p.chunk == "" {
		return got(r.painter.page(c))
	}
	main := append(got(r.painter.draw("trail", c)), got(r.painter.draw(c.Template, c.View))...)
	element := struct {
		Name, Title  string
		Packed, Main template.HTML // one of them
	}{Name: p.name, Title: c.Title}
	if p.chunk == "" {
		element.Main = template.HTML(main) //nolint:gosec // a template wrote it
		return got(r.painter.draw("part", element))
	}
	packed := got(r.packer.pack(main))
	if !folder {
		element.Packed = template.HTML(packed) //nolint:gosec // base64 has no sign of HTML
		return got(r.painter.draw("part", element))
	}
	name, value := p.chunk+"/"+p.name, [2]string{safe.Line(c.Title), packed}
	return slices.Concat(got(json.Marshal(name)), []byte(": "), got(json.Marshal(value)))
}

// ReportMark is near the beginning of each file of a report.
const ReportMark = `<meta name="generator" content="Sembra report">`

// markComment is the mark at the beginning of a file that is a script or a style sheet.
const markComment = "/* " + ReportMark + " */\n"

// What a page says that shows parts. The element tells the script that it does.
const (
	inFileNote = `<noscript data-report="file"><p>Without scripts, all pages of this file stand here one below the other. ` +
		"Single matches and some lists of matches are missing: your browser has to allow scripts to show them.</p></noscript>\n"
	packedNote = `<noscript data-report="folder"><p>Your browser has to allow scripts to show this page.</p></noscript>`
)

// headInFile returns the head of a report in one file, with these assets. A browser may use the style sheet and the two
// scripts of the file, and load nothing.
func headInFile(assets map[string][]byte) string {
	style, theme, script := assets[styleAsset], assets[themeAsset], assets[scriptAsset]
	return reportPolicy(source(style), source(theme)+" "+source(script)) +
		"\n<style>" + string(style) + "</style>\n<script>" + string(theme) + "</script>"
}

// headInFolder returns the head of the pages of a folder. A browser may load the files beside them, and nothing else;
// some browsers need "file:" for that on a disk.
func headInFolder() string {
	const beside = "'self' file:"
	return reportPolicy(beside, beside) + fmt.Sprintf("\n<link rel=\"stylesheet\" href=%q><script src=%q></script><script src=%q defer blocking=\"render\"></script>",
		styleAsset, themeAsset, scriptAsset)
}

// reportPolicy returns the mark of a report, and what a browser may use.
func reportPolicy(styles, scripts string) string {
	return fmt.Sprintf("%s\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; "+
		"img-src data:; base-uri 'none'; form-action 'none'\">", ReportMark, styles, scripts)
}

// source returns the expression for a text of the file in a policy.
func source(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// packer returns texts compressed by zlib, in base64. Its writer needs 800 KB, so it serves for all of them.
type packer struct{ writer *zlib.Writer }

func newPacker() packer {
	const level = 5                              // faster than the usual level, for a few percent more bytes
	writer, _ := zlib.NewWriterLevel(nil, level) // there is this level
	return packer{writer}
}

func (p packer) pack(text []byte) (string, error) {
	var zipped bytes.Buffer
	p.writer.Reset(&zipped)
	_, err := p.writer.Write(text)
	err = errors.Join(err, p.writer.Close())
	return base64.StdEncoding.EncodeToString(zipped.Bytes()), err
}

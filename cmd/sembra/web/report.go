package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"sembra/results"
	"sembra/results/store"
)

// Report is what a Server shows of one tournament, written to a disk. A browser opens it there, without a server and
// without a network. The same tournament always gives the same bytes.
//
// Each page of the server is a part of the report. In one file, all parts are one below the other, and a script shows one
// of them. In a folder, most parts are a file each. The matches, and the lists of some of them, are packed: in files of
// data, from which one page shows them.
type Report struct {
	Progress func(done, total int) // it is told how many matches are written; nil: nobody is

	book      *reader
	matches   []results.Slotted
	templates *template.Template
	texts     reportTexts
	packer    packer
	done      int // matches that are written

	mu   sync.Mutex // guards what follows
	left []error    // why matches are left out
}

// mostInFile is the greatest number of matches of a report in one file, which is then about 30 MB.
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
	if r.templates, err = parseTemplates(); err != nil {
		return nil, err
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
			r.book.Tournament.Name, n, mostInFile)
	}
	return nil
}

// WriteFile writes the report as one file.
func (r *Report) WriteFile(ctx context.Context, w io.Writer) error {
	l := newReportLinks(r.book.Tournament, r.matches, false)
	const here = "<!-- parts -->"
	frame, err := r.frame(l, r.texts.inFile(), inFileNote+here+"\n<script>"+string(r.texts.script)+"</script>")
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(frame, []byte(here))
	if _, err := w.Write(before); err != nil {
		return err
	}
	err = r.write(ctx, l, r.element, func(_ []part, texts [][]byte) error {
		_, err := w.Write(bytes.Join(texts, nil))
		return err
	})
	if err == nil {
		_, err = w.Write(after)
	}
	return err
}

// WriteReportFile writes a file of a report into a folder.
type WriteReportFile func(name string, content func(io.Writer) error) error

// WriteFiles writes the report as files, which are for one folder.
func (r *Report) WriteFiles(ctx context.Context, file WriteReportFile) error {
	write := func(name string, texts ...[]byte) error {
		return file(name, func(w io.Writer) error {
			_, err := w.Write(bytes.Join(texts, nil))
			return err
		})
	}
	l := newReportLinks(r.book.Tournament, r.matches, true)
	shell, err := r.frame(l, r.texts.inFolder(), packedNote)
	if err != nil {
		return err
	}
	if err := write(packedFile, shell); err != nil {
		return err
	}
	for name, text := range map[string][]byte{styleAsset: r.texts.style, themeAsset: r.texts.theme, scriptAsset: r.texts.script} {
		if err := write(name, []byte(markComment), text); err != nil {
			return err
		}
	}
	lists := make(map[string][][]byte) // by chunk
	err = r.write(ctx, l, r.pageOrData, func(parts []part, texts [][]byte) error {
		for i, p := range parts {
			switch {
			case p.chunk == "":
				if err := write(fileOf(p.name), texts[i]); err != nil {
					return err
				}
			case !p.isMatch():
				lists[p.chunk] = append(lists[p.chunk], texts[i])
			}
		}
		if first := parts[0]; first.isMatch() {
			return write(first.chunk+".js", chunkOf(texts)...)
		}
		return nil
	})
	for _, chunk := range slices.Sorted(maps.Keys(lists)) {
		if err == nil {
			err = write(chunk+".js", chunkOf(lists[chunk])...)
		}
	}
	return err
}

// chunkOf returns the file of data of some packed parts.
func chunkOf(texts [][]byte) [][]byte {
	return [][]byte{[]byte(markComment + "Sembra.parts({\n"), bytes.Join(texts, []byte(",\n")), []byte("\n});\n")}
}

// write renders all parts and gives them to emit: the pages and lists that links lead to, beginning with the page of the
// tournament, and all matches, those of a chunk together.
func (r *Report) write(
	ctx context.Context, l *reportLinks, text func(*reportLinks, part, content) ([]byte, error), emit func([]part, [][]byte) error,
) error {
	r.done, r.left = 0, nil
	pages := r.routes(l)
	some := func(parts []part) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		texts, err := atOnce(parts, func(p part) ([]byte, error) {
			c, err := r.content(pages, p)
			if err != nil {
				return nil, err
			}
			return text(l, p, c)
		})
		if err != nil {
			return err
		}
		if parts[0].isMatch() {
			r.done += len(parts)
		}
		if r.Progress != nil {
			r.Progress(r.done, len(r.matches))
		}
		return emit(parts, texts)
	}
	l.tournament(r.book.Tournament.Name)
	for parts := l.take(); len(parts) > 0; parts = l.take() {
		const most = 64 // in memory
		for part := range slices.Chunk(parts, most) {
			if err := some(part); err != nil {
				return err
			}
		}
	}
	for matches := l.matchParts(r.matches); len(matches) > 0; {
		n := slices.IndexFunc(matches, func(p part) bool { return p.chunk != matches[0].chunk })
		if n < 0 {
			n = len(matches)
		}
		if err := some(matches[:n]); err != nil {
			return err
		}
		matches = matches[n:]
	}
	return nil
}

// atOnce calls f for all parts, some of them at the same time, and returns the texts in their order.
func atOnce(parts []part, f func(part) ([]byte, error)) ([][]byte, error) {
	texts, errs := make([][]byte, len(parts)), make([]error, len(parts))
	var next atomic.Int64
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				texts[i], errs[i] = f(parts[i])
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// routes returns the handlers of a server for the pages of a report, which answer with a caught page.
func (r *Report) routes(l links) *http.ServeMux {
	routes := http.NewServeMux()
	for pattern, page := range tournamentPages() {
		routes.HandleFunc(pattern, func(w http.ResponseWriter, request *http.Request) {
			caught := w.(*caught)
			caught.content, caught.err = page(r.book, request, l)
		})
	}
	routes.HandleFunc("GET /rules/{ruleset}", func(w http.ResponseWriter, _ *http.Request) {
		caught := w.(*caught)
		rules, err := r.book.rules()
		caught.err = err
		if err == nil {
			view := newRulesView(rules, l)
			view.Others = nil // they are not in the report
			caught.content = content{Title: "Rules of " + view.Name, Section: rulesSection, Template: "rules", View: view}
		}
	})
	return routes
}

// caught is the answer of a handler: the page before it is drawn.
type caught struct {
	unread
	content content
	err     error
}

// unread is the end of an answer that nobody reads.
type unread http.Header

func (u unread) Header() http.Header          { return http.Header(u) }
func (unread) Write(text []byte) (int, error) { return len(text), nil }
func (unread) WriteHeader(int)                {}

// content returns the content of a part. A note stands in place of a match whose record is damaged.
func (r *Report) content(pages http.Handler, p part) (content, error) {
	request, err := http.NewRequest(http.MethodGet, "http://localhost"+p.served, http.NoBody) //nolint:noctx // nobody waits
	if err != nil {
		return content{}, err
	}
	answer := caught{unread: unread{}, err: fmt.Errorf("there is no page %s", p.served)}
	pages.ServeHTTP(&answer, request)
	if answer.err == nil || !p.isMatch() {
		return answer.content, answer.err
	}
	r.mu.Lock()
	r.left = append(r.left, answer.err)
	r.mu.Unlock()
	title := fmt.Sprintf("Match %d is left out", p.slot)
	view := errorView{Title: title, Sentence: sentence(errors.New(r.book.wrong(answer.err)))}
	return content{Title: title, Trail: answer.content.Trail, Template: "error", View: view}, nil
}

// frame returns a page that shows parts.
func (r *Report) frame(l links, head, main string) ([]byte, error) {
	return renderLayout(r.templates, l, layout{
		content: content{Title: r.book.Tournament.Name}, Head: template.HTML(head), Main: template.HTML(main),
	})
}

// element returns the element of a part in one file.
func (r *Report) element(_ *reportLinks, p part, c content) ([]byte, error) {
	main, err := r.main(c)
	if err != nil {
		return nil, err
	}
	element := partElement{Name: p.name, Title: c.Title}
	if p.chunk == "" {
		element.Main = template.HTML(main) //nolint:gosec // a template wrote it
	} else {
		packed, err := r.packer.pack(main)
		if err != nil {
			return nil, err
		}
		element.Packed = template.HTML(packed) //nolint:gosec // base64 has no sign of HTML
	}
	var text bytes.Buffer
	err = r.templates.ExecuteTemplate(&text, "part", element)
	return text.Bytes(), err
}

// partElement is the element of a part.
type partElement struct {
	Name, Title string
	Packed      template.HTML // "": it is written
	Main        template.HTML // if it is written
}

// pageOrData returns a part of a folder: a whole page, or an entry of the data that one page shows.
func (r *Report) pageOrData(l *reportLinks, p part, c content) ([]byte, error) {
	if p.chunk == "" {
		return renderPage(r.templates, l, template.HTML(r.texts.inFolder()), c) //nolint:gosec // it is ours
	}
	main, err := r.main(c)
	if err != nil {
		return nil, err
	}
	packed, err := r.packer.pack(main)
	if err != nil {
		return nil, err
	}
	name, _ := json.Marshal(p.chunk + "/" + p.name) // a text has no error
	value, err := json.Marshal([2]string{results.VisibleAll(c.Title), packed})
	return slices.Concat(name, []byte(": "), value), err
}

// main returns the main part of a page, below its trail.
func (r *Report) main(c content) ([]byte, error) {
	var text bytes.Buffer
	if err := r.templates.ExecuteTemplate(&text, "trail", c); err != nil {
		return nil, err
	}
	main, err := renderMain(r.templates, c)
	text.WriteString(string(main))
	return text.Bytes(), err
}

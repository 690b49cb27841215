package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"

	"sembra/results/safe"
)

//go:embed templates/*.html
var templateFiles embed.FS

// content is what one page shows inside the layout.
type content struct {
	Status   int         // of the answer; 0: 200
	Title    string      // of the document
	Section  section     // the entry of the navigation that the page belongs to
	Trail    []hyperlink // the pages above it, the outermost first
	Template string      // the name of the template of its main part
	View     any         // what this template shows
}

// templateData is what a template shows, by name. A name that is missing is an error.
type templateData map[string]any

type section string

const (
	tournamentsSection section = "tournaments"
	playSection        section = "play"
	rulesSection       section = "rules"
	matchesSection     section = "matches" // of a report, whose pages belong to the tournament
)

type hyperlink struct {
	Text string
	URL  string // "": the text leads nowhere
}

// navigationLink is a link of the navigation, to which every page leads.
type navigationLink struct {
	Section section
	hyperlink
}

type painter struct {
	templates  *template.Template
	head       template.HTML // what loads the style sheet and the scripts
	navigation []navigationLink
}

func newPainter(head string, navigation ...navigationLink) (painter, error) {
	functions := template.FuncMap{
		"visible": safe.Line, // for names and other texts of bots and files
	}
	templates := template.New("").Option("missingkey=error").Funcs(functions)
	_, err := templates.ParseFS(templateFiles, "templates/*.html")
	return painter{templates, template.HTML(head), navigation}, err //nolint:gosec // it is ours
}

func (p painter) draw(name string, view any) (drawn []byte, err error) {
	defer catch(&err)
	var text bytes.Buffer
	if err := p.templates.ExecuteTemplate(&text, name, view); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return text.Bytes(), nil
}

func (p painter) page(c content) ([]byte, error) {
	main, err := p.draw(c.Template, c.View)
	if err != nil {
		return nil, err
	}
	return p.around(c, string(main))
}

// around draws the page with a drawn main part.
func (p painter) around(c content, main string) ([]byte, error) {
	return p.draw("layout", struct {
		content
		Head, Main template.HTML
		Navigation []navigationLink
	}{c, p.head, template.HTML(main), p.navigation}) //nolint:gosec // a template wrote it
}

//go:embed assets
var assetFiles embed.FS

// The names of the assets.
const (
	styleAsset  = "style.css"
	scriptAsset = "script.js"
	themeAsset  = "theme.js" // sets the theme before the page is drawn
)

// assetsHead is what a served page has in its head.
const assetsHead = `<link rel="stylesheet" href="/assets/style.css"><script src="/assets/theme.js"></script>` +
	`<script src="/assets/script.js" defer blocking="render"></script>`

// readAssets returns the style sheet and the scripts of pages by name. The patterns choose the files of the script.
func readAssets(script ...string) (map[string][]byte, error) {
	assets := make(map[string][]byte)
	for name, patterns := range map[string][]string{
		styleAsset: {"assets/[0-9]*.css"}, themeAsset: {"assets/theme.js"}, scriptAsset: script,
	} {
		for _, pattern := range patterns {
			names, err := fs.Glob(assetFiles, pattern) // in their order
			if err != nil {
				return nil, err
			}
			for _, file := range names {
				text, err := assetFiles.ReadFile(file)
				if err != nil {
					return nil, err
				}
				assets[name] = append(append(assets[name], text...), '\n')
			}
		}
	}
	return assets, nil
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, ok := s.assets[name]
	if !ok {
		check(noPage(r))
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(name, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	deliver(w, r, kind, text)
}

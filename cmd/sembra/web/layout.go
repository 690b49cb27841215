package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"

	"sembra/results"
)

//go:embed templates/*.html
var templateFiles embed.FS

// content is what one page shows inside the layout.
type content struct {
	Status   int     // of the answer; 0: 200
	Title    string  // of the document
	Section  section // the entry of the navigation that the page belongs to
	Trail    []link  // the pages above it, the outermost first
	Template string  // the name of the template of its main part
	View     any     // what this template shows
}

// section is an entry of the navigation.
type section string

const (
	noSection          section = ""
	tournamentsSection section = "tournaments"
	playSection        section = "play"
	rulesSection       section = "rules"
	matchesSection     section = "matches" // of a report, whose pages belong to the tournament
)

// link is a text that leads to a page.
type link struct {
	Text string
	URL  string // "": the text leads nowhere
}

// layout is what stands around the content of a page.
type layout struct {
	content
	Head       template.HTML // style sheet and scripts
	Main       template.HTML // the rendered content
	Navigation []entry
}

// entry is a link of the navigation.
type entry struct {
	link
	Here bool // the page belongs to this entry
}

// parseTemplates returns the templates of all pages.
func parseTemplates() (*template.Template, error) {
	functions := template.FuncMap{
		"visible": results.VisibleAll, // for names and other texts of bots and files
	}
	return template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.html")
}

// renderMain renders the main part of a page alone.
func renderMain(templates *template.Template, c content) (template.HTML, error) {
	var main bytes.Buffer
	if err := templates.ExecuteTemplate(&main, c.Template, c.View); err != nil {
		return "", fmt.Errorf("template %s: %w", c.Template, err)
	}
	return template.HTML(main.String()), nil //nolint:gosec // a template wrote it
}

// renderPage renders a whole page. head is what loads the style sheet and the
// scripts.
func renderPage(templates *template.Template, l links, head template.HTML, c content) ([]byte, error) {
	main, err := renderMain(templates, c)
	if err != nil {
		return nil, err
	}
	return renderLayout(templates, l, layout{content: c, Head: head, Main: main})
}

// renderLayout adds the navigation to a page, and renders it.
func renderLayout(templates *template.Template, l links, around layout) ([]byte, error) {
	for _, to := range l.navigation() {
		around.Navigation = append(around.Navigation, entry{to.link, around.Section == to.section})
	}
	var page bytes.Buffer
	if err := templates.ExecuteTemplate(&page, "layout", around); err != nil {
		return nil, fmt.Errorf("template layout: %w", err)
	}
	return page.Bytes(), nil
}

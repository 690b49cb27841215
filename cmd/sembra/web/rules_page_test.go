package web

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// TestRulesDocument compares rules.html with the pages that it is made from. With UPDATE_GOLDEN=1 it writes the file
// instead. The mark of a choice that the source does not make becomes an element that the style sheet knows. Links
// from one page to another lose their address, because a browser does not find it.
func TestRulesDocument(t *testing.T) {
	t.Parallel()
	var html bytes.Buffer
	for _, page := range append([]string{"../../../engine/RULES.md"}, must2(filepath.Glob("../../../engine/rules/*.md"))...) {
		document := must2(os.ReadFile(page))
		must(t, goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(document, &html))
	}
	want := strings.NewReplacer(
		"<strong>[house]</strong>", `<strong class="house" title="a choice that the source does not make">house rule</strong>`,
		"<pre>", `<pre tabindex="0">`,
		"</table>", "</table></div>",
	).Replace(html.String())
	want = regexp.MustCompile(`<table>(\s*<thead>\s*<tr>\s*<th>)([^<]+)`).ReplaceAllString(want,
		`<div class="scroll" tabindex="0" role="region" aria-label="Table by $2"><table>$1$2`)
	want = regexp.MustCompile(`<a href="[^":]*">([^<]*)</a>`).ReplaceAllString(want, "$1")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile("rules.html", []byte(want), 0o644))
		return
	}
	equal(t, "rules.html is not made from the pages of engine (hint: UPDATE_GOLDEN=1 makes it)", want, rulesDocument)
}

package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
)

// ReportMark is near the beginning of each file of a report.
const ReportMark = `<meta name="generator" content="Sembra report">`

// reportFrame is what all files of a report have around their parts.
type reportFrame struct {
	style  []byte
	theme  []byte // the script at the beginning
	script []byte // the script at the end
}

func newReportFrame() (f reportFrame, err error) {
	if f.style, err = joined("assets/[0-9]*.css"); err != nil {
		return f, err
	}
	if f.theme, err = joined("assets/theme.js"); err != nil {
		return f, err
	}
	for _, pattern := range []string{"assets/0*.js", "assets/report.js", "assets/[1-3]*.js"} { // neither live events nor play
		text, err := joined(pattern)
		if err != nil {
			return f, err
		}
		f.script = append(append(f.script, text...), '\n')
	}
	return f, nil
}

// render returns what a file has before its parts and after them.
func (f reportFrame) render(templates *template.Template, l links, title string) (before, after []byte, err error) {
	const (
		here     = "<!-- parts -->"
		noScript = "<noscript><p>Without scripts, all pages of this file stand here one below the other. " +
			"Single matches and some lists of matches are missing: your browser has to allow scripts to show them.</p></noscript>\n"
	)
	page := layout{
		content: content{Title: title},
		Head:    template.HTML(f.head()), //nolint:gosec // all parts are ours
		Main:    template.HTML(noScript + here + "\n<script>" + string(f.script) + "</script>"),
		Navigation: []entry{
			{link: link{"Tournament", l.tournament(title)}},
			{link: link{"Matches", l.matches(title, matchChoice{})}},
			{link: link{"Rules", l.rules("")}},
		},
	}
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "layout", page); err != nil {
		return nil, nil, fmt.Errorf("template layout: %w", err)
	}
	before, after, _ = bytes.Cut(text.Bytes(), []byte(here))
	return before, after, nil
}

// head returns what a file has in its head. The policy lets a browser use the style sheet and the two scripts of the
// file, and load nothing.
func (f reportFrame) head() string {
	policy := fmt.Sprintf("default-src 'none'; style-src %s; script-src %s %s; img-src data:; base-uri 'none'; form-action 'none'",
		source(f.style), source(f.theme), source(f.script))
	return fmt.Sprintf("%s\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<style>%s</style>\n<script>%s</script>",
		ReportMark, policy, f.style, f.theme)
}

// source returns the expression for a text of the file in a policy.
func source(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

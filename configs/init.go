package configs

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"sembra/engine"
)

// Commented returns the text of a tournament file for bots, with comments for a
// person who edits it. The file will be at path; the commands of bots run in the
// current directory.
func Commented(path string, rules engine.Ruleset, bots []Bot) ([]byte, error) {
	dir, err := filepath.Rel(fromFile(&document{file: path}, "."), fromFile(new(document), "."))
	if err != nil { // they are on two drives
		return nil, err
	}
	info := rules.Info()
	var text strings.Builder
	err = template.Must(template.New("").Funcs(template.FuncMap{
		"quoted": quoted, "bare": bare,
	}).Parse(commented)).Execute(&text, map[string]any{
		"Known": strings.Join(engine.RulesetNames(), ", "), "Ruleset": info.Name, "Rounds": info.Rounds, "Single": info.Single,
		"Bots": bots, "Dir": filepath.ToSlash(dir), "Plies": duelPlies, "Nameless": !validName(nameOf(path)),
		"Key": `^[A-Za-z0-9_-]+$`, "Value": `^(true|false|0|-?[1-9][0-9]{0,17})$`,
	})
	return []byte(text.String()), err
}

// quoted writes a text as TOML, as it is in JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a text can always be written
	return string(b)
}

// bare writes a text as TOML, without quotes if it matches a pattern.
func bare(pattern, text string) string {
	if regexp.MustCompile(pattern).MatchString(text) {
		return text
	}
	return quoted(text)
}

// commented is the template of a tournament file. A line that begins with # and a
// key is an example of a key that may be used instead.
const commented = `# A tournament of Sembra. Edit it, then play it with: sembra run FILE
# The guide to all keys is configs/README.md.

[tournament]
{{- if .Nameless}}
name = "tournament"
{{- end}}
ruleset = {{quoted .Ruleset}}
# known: {{.Known}}
pairs = 10                 # every two bots play ten openings, each in both seats
{{- if not .Single}}
rounds = {{.Rounds}}                 # a match has at most this many rounds
{{- end}}
seed = 1                   # another seed gives other openings
# concurrency = 2          # matches at once (default: one for each processor)
# database = "sembra.db"   # where the results are kept, in the current directory

[openings]
plies = {{.Plies}}                  # each opening is this many random moves
# file = "openings.txt"    # or a list of openings: see sembra openings --help

[time]
move = "100ms"             # for each move
# base = "10s"             # or a clock: ten seconds for the match,
# increment = "100ms"      # and this much more after every turn
margin = "50ms"            # a bot may be late by this much

[isolation]
mode = "auto"              # keeps bots from your files and from the network, as far as this machine can
memory = "1GiB"            # for each process of a bot
# network = true           # bots may use the network
# read = ["/opt/models"]   # more that bots may read
{{range .Bots}}
[[bot]]
name = {{quoted .Name}}
{{- if .Builtin}}
builtin = {{quoted .Builtin}}
{{- else}}
command = [{{range $i, $arg := .Args}}{{if $i}}, {{end}}{{quoted $arg}}{{end}}]
{{- if ne $.Dir "."}}
dir = {{quoted $.Dir}} # where it runs, relative to this file
{{- end}}
{{- end}}
{{- if ne .Protocol "mbi"}}
protocol = "uci"
{{- end}}
{{- if eq .Protocol "uci-spaced"}}
moves = "spaced"
{{- end}}
{{- if .Options}}
options = { {{- range $i, $o := .Options}}{{if $i}},{{end}} {{bare $.Key $o.Name}} = {{bare $.Value $o.Value}}{{end}} }
{{- end}}
{{end}}
# A bot of your own is a program in any language. bots/README.md tells how to write
# one, and this checks it: sembra check -- python3 mybot.py
# [[bot]]
# name = "mine"
# command = ["python3", "mybot.py"]
# dir = "bots/mine"        # where it runs, relative to this file
`

package configs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"golang.org/x/text/unicode/norm"

	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results/safe"
)

// Teams returns a bot for each folder in a folder. Its name is that of its folder, and its program the file bot there,
// with any ending, or else the only file. It has a problem if there is none.
func Teams(folder string) (bots []Bot, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		b := Bot{Protocol: protocol.MBI, Name: norm.NFC.String(entry.Name()), Dir: filepath.Join(folder, entry.Name())}
		if nameProblem(b.Name) != "" {
			b.Name = allowedName(b.Name, nil)
		}
		files, err := os.ReadDir(b.Dir)
		if err != nil && !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		var programs, named []string
		for _, file := range files {
			name := file.Name()
			if isFile(filepath.Join(b.Dir, name)) && !strings.HasPrefix(name, ".") {
				programs = append(programs, name)
			}
			if strings.TrimSuffix(name, filepath.Ext(name)) == "bot" {
				named = append(named, name)
			}
		}
		if len(named) > 0 {
			programs = named
		}
		switch {
		case err != nil:
			b.Problem = err.Error()
		case len(programs) != 1:
			b.Problem = "it must have one file named bot, such as bot.py or bot, or only one file"
		default:
			b.Args = teamCommand(programs[0])
		}
		bots = append(bots, b)
	}
	if err == nil && len(bots) == 0 {
		err = fmt.Errorf("there is no folder in %s", folder)
	}
	return bots, err
}

// teamCommand returns the command that starts a program in its folder.
func teamCommand(program string) []string {
	interpreters := map[string][]string{
		".py": {"python3"}, ".jar": {"java", "-jar"}, ".js": {"node"}, ".mjs": {"node"}, ".sh": {"sh"},
	}
	if before, known := interpreters[filepath.Ext(program)]; known {
		return append(before, program)
	}
	return []string{"./" + program}
}

// CommentedFile returns the text of a tournament file for bots, with comments for a
// person who edits it. The file will be at path; the commands of bots run in the
// current directory, or in their own. A bot with a problem is a comment.
func CommentedFile(path string, rules engine.Ruleset, bots []Bot) ([]byte, error) {
	dir, err := filepath.Rel(fromFile(&document{file: path}, "."), fromFile(new(document), "."))
	if err != nil { // they are on two drives
		return nil, err
	}
	relative := func(folder string) string { // of a bot, as it stands in the file
		return filepath.ToSlash(filepath.Join(dir, folder))
	}
	info := rules.Info()
	var text strings.Builder
	err = template.Must(template.New("").Funcs(template.FuncMap{
		"quoted": quoted, "bare": bare, "relative": relative, "comment": comment,
	}).Parse(commented)).Execute(&text, map[string]any{
		"Ruleset": info.Name, "Rounds": info.Rounds, "Single": info.Single,
		"Bots": bots, "Plies": duelPlies, "Nameless": !validName(nameOf(path)),
		"Key": `^[A-Za-z0-9_-]+$`, "Value": `^(true|false|0|-?[1-9][0-9]{0,17})$`,
	})
	return []byte(text.String()), err
}

// comment writes a text as lines of a comment.
func comment(text string) string { return "# " + strings.ReplaceAll(safe.Lines(text), "\n", "\n# ") }

// quoted writes a text as TOML, as it is in JSON.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
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
# configs/README.md explains such files, and configs/KEYS.md lists all keys.

[tournament]
{{- if .Nameless}}
name = "tournament"
{{- end}}
ruleset = {{quoted .Ruleset}}
# all rulesets: sembra rulesets
pairs = 10                 # each pair of bots plays ten openings in both seats
{{- if not .Single}}
rounds = {{.Rounds}}                 # a match has at most this many rounds
{{- end}}
seed = 1                   # another seed gives other openings
# concurrency = 2          # concurrent matches (default: one a processor)
# database = "sembra.db"   # holds the results, in the current directory

[openings]
plies = {{.Plies}}                  # each opening is this many random moves
# file = "openings.txt"    # or a list of openings: see sembra openings --help

[time]
move = "100ms"             # for each move
# base = "10s"             # or a clock: ten seconds for the match,
# increment = "100ms"      # and this much more after every turn
margin = "50ms"            # a bot may be late by this much

[isolation]
mode = "auto"              # keeps bots from files and network if it can
memory = "1GiB"            # for each process of a bot
# network = true           # bots may use the network
# read = ["/opt/models"]   # more that bots may read
{{range .Bots}}{{$off := ""}}
{{if .Problem}}{{$off = "# "}}{{comment .Problem}}
{{end}}{{$off}}[[bot]]
{{$off}}name = {{quoted .Name}}
{{- if .Builtin}}
builtin = {{quoted .Builtin}}
{{- else}}
{{$off}}command = [{{range $i, $arg := .Args}}{{if $i}}, {{end}}{{quoted $arg}}{{end}}]
{{- if ne (relative .Dir) "."}}
{{$off}}dir = {{quoted (relative .Dir)}} # where it runs, relative to this file
{{- end}}
{{- end}}
{{- if eq .Protocol "board"}}
{{$off}}protocol = "board"
{{- range .Options}}
{{$off}}{{.Name}} = {{bare $.Value .Value}}
{{- end}}
{{- else if ne .Protocol "mbi"}}
{{$off}}protocol = "uci"
{{- end}}
{{- if and .Options (ne .Protocol "board")}}
options = { {{- range $i, $o := .Options}}{{if $i}},{{end}} {{bare $.Key $o.Name}} = {{bare $.Value $o.Value}}{{end}} }
{{- end}}
{{end}}
# A bot of your own is a program in any language. bots/README.md shows how to
# write one, and this checks it: sembra check -- python3 mybot.py
# [[bot]]
# name = "mine"
# command = ["python3", "mybot.py"]
# dir = "bots/mine"        # where it runs, relative to this file
`

package main

import (
	"embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/bots"
	"sembra/engine/show"
)

// helpTexts has a file for the program and for each command. Its first line is the summary; what --help says of the
// usage follows after an empty line.
//
//go:embed help
var helpTexts embed.FS

// readHelp returns the two parts of the help of a command, or of the program. The text ends with a line feed.
func readHelp(name string) (summary, text string) {
	file, _ := helpTexts.ReadFile("help/" + name + ".txt") // a test finds a command without one
	summary, text, _ = strings.Cut(string(file), "\n\n")
	return summary, text
}

// helpWidth is the number of columns that help texts fit in.
const helpWidth = 80

// requestedHelp returns the help or the version if a command line from flagsFirst asks for them, and otherwise "". The
// error says that it asks for the help of an unknown bot.
func requestedHelp(app *cli.App, args []string) (string, error) {
	switch {
	case len(args) == 1, len(args) == 2 && (args[1] == "-h" || args[1] == "--help"):
		return helpOfApp(app), nil
	case len(args) == 2 && (args[1] == "-v" || args[1] == "--version"):
		info, _ := debug.ReadBuildInfo()
		return describeVersion(info), nil
	case len(args) == 4 && args[1] == "bot" && args[2] == "--help":
		builtin, err := bots.Lookup(args[3])
		if err != nil {
			return "", asUsage(err)
		}
		return helpOfBot(builtin), nil
	case len(args) >= 3 && args[2] == "--help":
		return helpOf(app.Command(args[1])), nil
	}
	return "", nil
}

func helpOfBot(builtin bots.Builtin) string {
	var b strings.Builder
	for _, paragraph := range append([]string{builtin.Name + " " + builtin.Summary + "."}, builtin.Details...) {
		b.WriteString(strings.Join(show.Wrap(paragraph, helpWidth, "", ""), "\n") + "\n\n")
	}
	if len(builtin.Options) == 0 {
		return b.String() + "It has no options.\n"
	}
	var items [][2]string
	for _, o := range builtin.Options {
		text := fmt.Sprintf("%s (%s, %d to %d, default %s)", o.Meaning, o.Type, o.Min, o.Max, o.Default)
		items = append(items, [2]string{o.Name, text})
	}
	return b.String() + "Options:\n" + itemsText(items)
}

// helpOfApp returns what sembra --help prints: the commands in their groups.
func helpOfApp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Sembra %s.\n\n%s", app.Usage, app.Description)
	group := ""
	for _, c := range app.Commands {
		if c.Category != group {
			group = c.Category
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		writeItem(&b, 13, c.Name, c.Usage)
	}
	return b.String()
}

// helpOf returns what sembra COMMAND --help prints.
func helpOf(c *cli.Command) string {
	var b strings.Builder
	b.WriteString(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".\n")
	usage := usageOf(c)
	if len(c.Flags) > 0 && !strings.Contains(usage, "[flags]") {
		usage += " [flags]"
	}
	fmt.Fprintf(&b, "\nUsage:\n  %s\n\n%s\nFlags:\n", usage, c.UsageText)

	var items [][2]string
	for _, flag := range append(c.Flags, cli.HelpFlag) {
		name, text := describeFlag(flag)
		items = append(items, [2]string{name, text})
	}
	return b.String() + itemsText(items)
}

// describeFlag returns a flag as the user writes it, and what it does. The word
// between backquotes in the flag's text stands for its value. The text does not
// repeat a word that it begins with and that a colon follows.
func describeFlag(flag cli.Flag) (name, text string) {
	name = "--" + flag.Names()[0]
	documented, ok := flag.(cli.DocGenerationFlag)
	if !ok {
		return name, ""
	}
	text = documented.GetUsage()
	if parts := strings.SplitN(text, "`", 3); len(parts) == 3 {
		name, text = name+" "+parts[1], strings.TrimPrefix(strings.Join(parts, ""), parts[1]+": ")
	}
	if value := documented.GetValue(); documented.TakesValue() && value != "" {
		text += " (default: " + value + ")"
	}
	return name, text
}

func itemsText(items [][2]string) string {
	width := 0
	for _, item := range items {
		width = max(width, len(item[0]))
	}
	var b strings.Builder
	for _, item := range items {
		writeItem(&b, width, item[0], item[1])
	}
	return b.String()
}

// writeItem writes a name of at most width columns, and beside it a text.
func writeItem(b *strings.Builder, width int, name, text string) {
	for _, line := range show.Wrap(text, helpWidth-width-4, "", "") {
		fmt.Fprintf(b, "  %-*s  %s\n", width, name, line)
		name = ""
	}
}

const versionNumber = "1.0.0"

// version returns the number of the program, and the commit that it was built
// from if the Go tool has recorded that.
func version(info *debug.BuildInfo) string {
	recorded := recordedOf(info)
	commit := recorded["vcs.revision"]
	if commit == "" {
		return versionNumber
	}
	modified := ""
	if recorded["vcs.modified"] == "true" {
		modified = ", modified"
	}
	const digits = 12 // enough to name a commit
	return fmt.Sprintf("%s (%s%s)", versionNumber, commit[:min(digits, len(commit))], modified)
}

// describeVersion returns what the option --version prints: the program and its build, in lines. A
// commit and its date are there only if the Go tool has recorded them.
func describeVersion(info *debug.BuildInfo) string {
	text := fmt.Sprintf("sembra %s\n", version(info))
	if date := recordedOf(info)["vcs.time"]; date != "" {
		text += fmt.Sprintf("date    %s\n", date)
	}
	return text + fmt.Sprintf("go      %s\nsystem  %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// recordedOf returns what the Go tool has recorded of the build, which may be nothing.
func recordedOf(info *debug.BuildInfo) map[string]string {
	recorded := make(map[string]string)
	if info == nil {
		return recorded
	}
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	return recorded
}

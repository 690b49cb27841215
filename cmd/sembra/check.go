package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena/check"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/bots"
	"sembra/configs"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/safe"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", ArgsUsage: "[flags] -- COMMAND ARG… | CONFIG",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "ruleset", Usage: "test only the ruleset `R` (default: all that the bot plays; with uci: oware)",
			},
			protocolFlag("the bot speaks `P`"),
			roundsFlag("2"),
			timeFlag("startup", "wait at most `TIME` for mbiok or uciok, and for each readyok", "10s"),
			timeFlag("watchdog", "wait at most `TIME` for an answer", "10s"),
			&cli.StringFlag{Name: "dir", Usage: "run the bot in the folder `DIR`", Value: "."},
			isolationFlag("the bot"),
			&cli.StringSliceFlag{
				Name: "option", Usage: "set an option of the bot, as `NAME=VALUE`; repeat it for more options", KeepSpace: true,
			},
			&cli.BoolFlag{Name: "verbose", Usage: "print the whole conversation, and what the bot is isolated from"},
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
		},
		Action: checkBots,
	}
}

// checkBots examines a bot, or all bots of a tournament file. It fails if a test failed.
func checkBots(c *cli.Context) error {
	args := c.Args().Slice()
	if len(args) == 1 && strings.HasSuffix(args[0], ".toml") && !afterDashes(c) {
		return checkFile(c, args[0])
	}
	asked, err := readCheck(c, args)
	if err != nil {
		return err
	}
	if asked.Ruleset != "" {
		warnEngines(c.App.ErrWriter, asked.Entries, asked.Conditions)
	}
	out := c.App.Writer
	if c.Bool("verbose") {
		asked.Log = out
	}
	var refused error
	failed, same := make(map[string]bool), 0
	each, err := asked.Run(c.Context, func(_ int, p check.Point) {
		did, _, _ := strings.Cut(p.What, " (") // each game has other legal moves
		switch {
		case p.State == check.Refused:
			refused = p.Wrong
		case p.State == check.Over:
		case p.State == check.Failed && failed[did]:
			same++
		default:
			failed[did] = p.State == check.Failed
			printPoint(out, p, asked.Entries[0].Name)
		}
	})
	found := each[0]
	switch {
	case interrupted(c.Context, err):
		return fmt.Errorf("%w after %s", errInterrupted, countOf(found))
	case err != nil || refused != nil:
		return cmp.Or(err, refused)
	}
	if same > 0 {
		printLine(out, "FAIL the same in "+plural(same, "more test", "more tests"))
	}
	printLine(out, countOf(found))
	if found.Failed > 0 {
		return fmt.Errorf("%s: %s failed", found.Bot, plural(found.Failed, "test", "tests"))
	}
	return nil
}

// checkFile examines all bots of a tournament file and prints a table.
func checkFile(c *cli.Context, path string) error {
	for _, flag := range c.FlagNames() {
		if flag != "format" && flag != "wide" {
			return usage("--%s is for the check of a single command; the tournament file says how its bots are run", flag)
		}
	}
	config, err := loadConfig(c, path)
	if err != nil {
		return err
	}
	warnEngines(c.App.ErrWriter, config.Entries, config.Plan.Conditions)
	checks, isolation, err := checkAll(c, config, config.Entries)
	if err != nil {
		return err
	}
	var failed []string
	for _, found := range checks {
		if found.Failed > 0 {
			failed = append(failed, found.Bot)
		}
	}
	if err := printReport(c, checksReport(checks, isolation)); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d bots failed: %s", len(failed), len(checks), strings.Join(failed, ", "))
	}
	return nil
}

// checkAll examines bots of a tournament file, and says now and then how many are over. It returns what it found of
// each, and what the bots are isolated from.
func checkAll(c *cli.Context, config *configs.Config, bots []guest.Entry) (
	checks []check.Result, isolation string, err error,
) {
	playing := slices.DeleteFunc(slices.Clone(bots), func(e guest.Entry) bool { return e.Withdrawn })
	say(c.App.ErrWriter, "checking %s, which takes some seconds", plural(len(playing), "bot", "bots"))
	over, said := 0, time.Now()
	all := check.Check{
		Conditions: config.Plan.Conditions, Entries: bots, Isolation: config.Plan.Isolation, Hidden: config.Machine.Hidden,
	}
	checks, err = all.Run(c.Context, func(_ int, p check.Point) {
		switch p.State {
		case check.Isolation:
			isolation = p.What
		case check.Over:
			over++
			if last := over == len(playing) && over > 1; last || time.Since(said) >= sayEvery {
				said = time.Now()
				say(c.App.ErrWriter, "%d of %s checked", over, plural(len(playing), "bot", "bots"))
			}
		}
	})
	if interrupted(c.Context, err) {
		err = fmt.Errorf("%w after %d of %d bots", errInterrupted, over, len(playing))
	}
	return checks, isolation, err
}

func readCheck(c *cli.Context, args []string) (check.Check, error) {
	var asked check.Check
	bot := configs.Bot{Args: args}
	switch {
	case len(args) == 0 || args[0] == "":
		return asked, usage("check needs a tournament file or the command of a bot (usage: %s)", usageOf(c.Command))
	case c.IsSet("format"):
		return asked, usage("--format is for the check of a tournament file, not of a single command")
	}
	if err := bot.SetProtocol(c.String("protocol")); err != nil {
		return asked, asUsage(err)
	}
	dialect, ruleset := bot.Protocol, c.String("ruleset")
	if dialect == protocol.OneLine && ruleset == "" {
		return asked, usage("--protocol %s needs --ruleset, because such a bot does not say what it plays (known: %s)",
			dialect, strings.Join(dialect.Rulesets(), ", "))
	}
	if rulesets := dialect.Rulesets(); rulesets != nil && ruleset == "" {
		ruleset = rulesets[0]
	}
	asked.Conditions = results.Conditions{
		Ruleset: ruleset, Rounds: whole(c, "rounds", 0),
		Time: results.TimeControl{Startup: duration(c, "startup"), Watchdog: duration(c, "watchdog"), Depth: 1},
	}
	if ruleset != "" {
		rules, err := engine.Lookup(ruleset)
		if err != nil {
			return asked, asUsage(err)
		}
		if why := dialect.WhyNot(ruleset); why != "" {
			return asked, usage("--protocol %s %s", dialect, why)
		}
		if _, err := engine.WithRounds(rules, asked.Rounds); err != nil && c.IsSet("rounds") {
			return asked, asUsage(err)
		}
	}
	isolation, err := readIsolation(c.String("isolation"))
	if err != nil {
		return asked, err
	}
	asked.Isolation = isolation
	dir, err := filepath.Abs(c.String("dir"))
	if err != nil {
		return asked, err
	}
	if stat, err := os.Stat(dir); err != nil || !stat.IsDir() {
		return asked, usage("--dir: there is no folder %s", dir)
	}
	bot.Name = configs.BotName(dir, args)
	for _, text := range c.StringSlice("option") {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return asked, usage("--option must be NAME=VALUE, not %q", text)
		}
		bot.Options = append(bot.Options, protocol.OptionValue{Name: name, Value: value})
	}
	asked.Entries = []guest.Entry{bot.Entry(dir)}
	return asked, nil
}

// checksReport reports the check of all bots of a tournament file. Isolation says what they were isolated from; "":
// nothing.
func checksReport(found []check.Result, isolation string) report.Report {
	skipped := ""
	if slices.ContainsFunc(found, func(r check.Result) bool { return r.Skipped > 0 }) {
		skipped = "skipped"
	}
	rows := report.RowsOf(found, func(r check.Result) report.Row {
		return report.Row{
			{Name: "bot", Title: "bot", Kind: report.Name, Value: r.Bot},
			{Name: "result", Title: "result", Kind: report.Text, Value: r.Result},
			{Name: "ok", Title: "ok", Group: "ok", Value: r.OK},
			{Name: "failed", Title: "failed", Value: r.Failed},
			{Name: "warnings", Title: "warnings", Value: r.Warnings},
			{Name: "skipped", Title: skipped, Group: "skipped", Value: r.Skipped},
			{Name: "notes", Title: "notes", Group: "notes", Value: r.Notes},
			{Name: "reason", Value: r.Reason},
		}
	})
	var notes []string
	for _, r := range found {
		notes = append(notes, firstWrong(r)...)
	}
	if isolation != "" {
		notes = append(notes, "isolation: "+isolation)
	}
	return report.Report{
		Parts: []report.Part{{Rows: rows, Groups: []string{"ok", "notes", "skipped"}, Notes: notes}}, CSV: rows, JSON: found,
	}
}

// firstWrong says what was wrong with a bot: the first few failures and warnings.
func firstWrong(r check.Result) (notes []string) {
	const most = 3
	wrong := slices.DeleteFunc(slices.Clone(r.Findings), func(f check.Finding) bool { return f.Kind == "note" })
	for _, f := range wrong[:min(most, len(wrong))] {
		notes = append(notes, fmt.Sprintf("%s: %s: %s: %s", r.Bot, f.Kind, f.Test, f.What))
	}
	if more := len(wrong) - most; more > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s failed or warned", r.Bot, plural(more, "more test", "more tests")))
	}
	return notes
}

// countOf says how many points there were of each state.
func countOf(c check.Result) string {
	text := fmt.Sprintf("%s: %d ok, %d failed",
		plural(c.OK+c.Failed+c.Warnings+c.Skipped, "test", "tests"), c.OK, c.Failed)
	if c.Warnings > 0 {
		text += ", " + plural(c.Warnings, "warning", "warnings")
	}
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.Notes > 0 {
		text += "; " + plural(c.Notes, "note", "notes")
	}
	return text
}

// printPoint prints a point. Below a failure or a warning it prints the end of the conversation, and all that is kept
// of the bot's standard error: the message of a stack trace stands at its top in some languages.
func printPoint(w io.Writer, p check.Point, bot string) {
	mark := "" // of a line that says something and tests nothing
	switch p.State {
	case check.Passed:
		mark = "ok   "
	case check.Failed:
		mark = "FAIL "
	case check.Warned:
		mark = "warn "
	case check.Noted:
		mark = "note "
	case check.Skipped:
		mark = "skip "
	}
	if p.Talk == nil {
		printMarked(w, mark, p.Name+": "+p.What)
		return
	}
	what, _ := cutStderr(p.What, p.Talk.Stderr)
	printMarked(w, mark, p.Name+": "+what)
	const lines, widest = 8, 200
	for _, line := range p.Talk.Lines[max(0, len(p.Talk.Lines)-lines):] {
		arrow := ">"
		if line.FromBot {
			arrow = "<"
		}
		text := safe.Tail(string(line.Text), widest)
		if line.Cut > 0 { // the log has not kept its end
			text += "…"
		}
		printText(w, fmt.Sprintf("     %12.6f %s%s %s", line.At.Seconds(), bot, arrow, text))
	}
	if wrote := strings.TrimRight(string(p.Talk.Stderr), "\r\n"); wrote != "" {
		printLine(w, "     its standard error:")
		for line := range strings.SplitSeq(wrote, "\n") {
			printText(w, "       "+safe.Lines(strings.TrimSuffix(line, "\r")))
		}
	}
}

func botCommand() *cli.Command {
	return &cli.Command{
		Name: "bot", UsageText: listOfBots(), ArgsUsage: "[NAME]",
		BashComplete: completeBots,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, 0, 1)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				_, err := io.WriteString(c.App.Writer, listOfBots())
				return err
			}
			builtin, err := bots.Lookup(args[0])
			if err != nil {
				return asUsage(err)
			}
			if err := bots.Serve(c.App.Reader, c.App.Writer, builtin.New()); err != nil {
				return fmt.Errorf("bot %s: %w", builtin.Name, err)
			}
			return nil
		},
	}
}

// builtinBots returns the built-in bots and how this program starts them.
func builtinBots() []configs.Builtin {
	var builtins []configs.Builtin
	for _, b := range bots.Builtins() {
		builtins = append(builtins, configs.Builtin{
			Name: b.Name, Command: builtinCommand(b.Name), Options: b.New().Identity().Options,
		})
	}
	return builtins
}

// builtinCommand returns how this program starts a built-in bot; nil: it knows none of that name.
func builtinCommand(name string) []string {
	if _, err := bots.Lookup(name); err != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return []string{self, "bot", name}
}

func listOfBots() string {
	var b strings.Builder
	for _, builtin := range bots.Builtins() {
		writeItem(&b, 7, builtin.Name, builtin.Summary)
	}
	return b.String()
}

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/urfave/cli/v2"

	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/cmd/sembra/revision"
	"sembra/configs"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/stats"
)

// The names of the two revisions in a test.
const head, base = "head", "base"

// mostOpenings is the greatest number of openings of a test against a pool.
const mostOpenings = 200

func testCommand() *cli.Command {
	return &cli.Command{
		Name: "test", ArgsUsage: "BASE [HEAD]",
		Flags: []cli.Flag{
			textFlag("bot", "`BOT`: how to start the bot in the folder of a revision, as in duel", ""),
			textFlag("build", "`COMMAND`: builds a revision, by sh in its folder", ""),
			textFlag("ruleset", "play the ruleset `R`", friendly.DefaultRuleset),
			textFlag("time", "`TIME` for each move, or BASE+INCREMENT for the match; with --nodes, no limit by default", "100ms"),
			nodesFlag(),
			wholeFlag("pairs", "play at most `N` pairs, or with --against openings (default: 5000, or 200)", "", 1, 100_000),
			namingFlag("openings",
				"begin with the openings in `FILE`, or all with "+configs.Start+" (default: random ones)", "",
				"the name of a file or "+configs.Start),
			wholeFlag("seed", "`N`: seed for everything random (default: from the content of both revisions)", "", 0, math.MaxInt),
			switchFlag("no-worse", "test whether HEAD is no worse (-30 against 0) instead of better (0 against 30)"),
			namingFlag("against", "let both revisions play the bots in `FILE` instead of each other", "", "the name of a file"),
			withinFlag(""),
			concurrencyFlag("(default: one for each processor)"),
			isolationFlag("the bots"),
			&cli.StringSliceFlag{Name: "read", Usage: "let the bots read `PATH`; repeat it for more paths", KeepSpace: true},
			switchFlag("fresh", "play a test again that has been played"),
			switchFlag("clean", "remove the copies of revisions that no test uses"),
			switchFlag("serve", "show the test in a browser, on a terminal until Ctrl-C; see --addr"),
			addressFlag(),
			formatFlag(report.Table, report.Markdown, report.JSON), wideFlag(),
		},
		Action: testRevisions,
	}
}

// revisionTest is a test of one revision of a bot, the head, against another one, the base.
type revisionTest struct {
	running
	head, base *revision.Copy
	pool       []guest.Entry // nil: they play each other
	most       int           // pairs, or with a pool openings
}

func testRevisions(c *cli.Context) error {
	caches, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("there is no folder for the copies of revisions: %w", err)
	}
	caches = filepath.Join(caches, "sembra")
	if c.Bool("clean") && c.Args().Len() == 0 {
		return cleanCopies(c, caches)
	}
	args, err := arguments(c, 1, 2)
	if err != nil {
		return err
	}
	if slices.Contains(args, "") {
		return usage("the name of a revision is empty (hint: without HEAD, the working tree is tested)")
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	repository, err := revision.Open(c.Context, here)
	if err != nil {
		return err
	}
	if err := readTestFile(c, repository.Root); err != nil {
		return err
	}
	t := revisionTest{running: running{c: c, stays: true}}
	t.running.enough, t.running.conclude = t.isDecided, t.tellVerdict
	if err := t.readPool(); err != nil {
		return err
	}
	args = append(args, "") // the working tree
	bots, err := t.prepare(caches, repository, args[0], args[1])
	if err != nil || bots == nil {
		return err
	}
	defer t.head.Close()
	defer t.base.Close()
	return t.play(caches, bots)
}

func cleanCopies(c *cli.Context, caches string) error {
	cache, err := openCache(c, caches)
	if err != nil {
		return err
	}
	defer cache.Close()
	removed, used, err := cache.Clean()
	if err != nil {
		return err
	}
	say(c.App.ErrWriter, "%s removed, %d in use", plural(removed, "copy", "copies"), used)
	return nil
}

func openCache(c *cli.Context, caches string) (*revision.Cache, error) {
	return revision.OpenCache(c.Context, filepath.Join(caches, "copies"), func() {
		say(c.App.ErrWriter, "waiting for another test, which builds its revisions")
	})
}

// testFile is the name of the file in which a repository may keep the flags of its tests.
const testFile = "sembra-test.toml"

// readTestFile sets the flags that the test file of a repository gives and the command line does not.
func readTestFile(c *cli.Context, root string) error {
	path := filepath.Join(root, testFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	values := make(map[string]any)
	if err := cmp.Or(err, toml.Unmarshal(text, &values)); err != nil {
		return usage("%s: %w", path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		flag, isFlag := findFlag(c.Command, name).(cli.ActionableFlag)
		if !isFlag || name == "fresh" || name == "clean" { // which are for one command
			return usage("%s: unknown key %s %s", path, name, configs.ListKnown("--"+name, flagNames(c.Command)))
		}
		if c.IsSet(name) {
			continue
		}
		list, isList := values[name].([]any)
		if !isList {
			list = []any{values[name]}
		}
		for _, value := range list {
			given := fmt.Sprint(value)
			isPath := name == "against" || name == "read" || name == "openings" && given != configs.Start
			if isPath && !filepath.IsAbs(given) {
				given = filepath.Join(root, given)
			}
			if err := c.Set(name, given); err != nil {
				return usage("%s: %s = %q: %w", path, name, given, err)
			}
		}
		if err := flag.RunAction(c); err != nil {
			return usage("%s: %w", path, err)
		}
	}
	return nil
}

// readPool reads the pool, and refuses flags that do not fit.
func (t *revisionTest) readPool() (err error) {
	c := t.c
	if c.String("bot") == "" {
		return usage("--bot is missing: it says how to start the bot in the folder of a revision, " +
			"as in --bot ./mybot or --bot \"python3 mybot.py\"")
	}
	if !c.IsSet("against") {
		return nil
	}
	if c.String("openings") == configs.Start {
		return usage("--against needs different openings, so --openings %s is not for it", configs.Start)
	}
	if whole(c, "pairs", mostOpenings) > mostOpenings {
		return usage("--pairs is at most %d with --against: it is the number of openings, from each of which "+
			"both revisions play two matches against every bot", mostOpenings)
	}
	if t.pool, err = configs.Pool(c.String("against"), builtinBots()); err != nil {
		return err
	}
	for _, bot := range t.pool {
		if bot.Name == head || bot.Name == base {
			return usage("%s: no bot of the pool may be called %s, which is a revision", c.String("against"), bot.Name)
		}
	}
	return nil
}

// prepare copies and builds both revisions, and returns the bots in them, the head first. Without bots it has told a
// verdict, for which nothing need be played. The caller closes the copies of bots; others stay locked until the program
// ends.
func (t *revisionTest) prepare(caches string, r revision.Repository, from, to string) ([]configs.Bot, error) {
	c := t.c
	cache, err := openCache(c, caches)
	if err != nil {
		return nil, err
	}
	defer cache.Close()
	if t.base, err = cache.Copy(c.Context, r, from); err != nil {
		return nil, err
	}
	if t.head, err = cache.Copy(c.Context, r, to); err != nil {
		return nil, err
	}
	t.sayRevision(head, t.head)
	t.sayRevision(base, t.base)
	if t.head.Hash == t.base.Hash {
		return nil, t.settle(t.wordOfEqual(),
			fmt.Sprintf("%s and %s have the same files, so nothing is played", t.head.Name, t.base.Name), "")
	}
	wrong := new(revision.Error)
	older, err := t.build(base, t.base)
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s: %w", t.base.Name, err)
	}
	if err != nil {
		return nil, err
	}
	newer, err := t.build(head, t.head)
	if errors.As(err, &wrong) {
		return nil, t.settle(report.Rejected, t.head.Name+": "+wrong.Problem, wrong.Output)
	}
	return []configs.Bot{newer, older}, err
}

func (t *revisionTest) sayRevision(which string, revision *revision.Copy) {
	say(t.c.App.ErrWriter, "%s: %s", which, strings.Join(append([]string{revision.Name}, revision.Notes...), "; "))
}

// build builds a revision, and returns the bot in it.
func (t *revisionTest) build(name string, of *revision.Copy) (configs.Bot, error) {
	c, text := t.c, t.c.String("bot")
	if err := of.Build(c.Context, c.String("build"), func(folder string) error {
		say(c.App.ErrWriter, "building %s: %s", name, c.String("build"))
		return removeProgram(folder, text)
	}); err != nil {
		return configs.Bot{}, err
	}
	bot, err := configs.ParseBotIn(of.Folder, text, builtinBots())
	if err != nil {
		return bot, &revision.Error{Problem: "it has no program to start: " + err.Error()}
	}
	if bot.Builtin != "" {
		return bot, usage("--bot %s is a built-in bot, which no revision changes", text)
	}
	bot.Name = name
	return bot, nil
}

// removeProgram removes the program of a bot from a folder before it is built, because a build tool may find an older one
// there up to date. A script stays: it is a source.
func removeProgram(folder, text string) error {
	bot, err := configs.ParseBotIn(folder, text, builtinBots())
	if err != nil || bot.Builtin != "" || filepath.IsAbs(bot.Args[0]) || !strings.Contains(bot.Args[0], "/") {
		return nil // there is none
	}
	path := filepath.Join(folder, bot.Args[0])
	content, err := os.ReadFile(path)
	if err != nil || bytes.HasPrefix(content, []byte("#!")) {
		return err
	}
	return os.Remove(path)
}

// wordOfEqual returns the verdict on revisions that play alike.
func (t *revisionTest) wordOfEqual() string {
	if t.c.Bool("no-worse") {
		return report.Accepted
	}
	return report.Rejected
}

// settle ends the test with a verdict before anything is played, and with what a failed build has printed.
func (t *revisionTest) settle(word, reason, output string) error {
	if output != "" {
		say(t.c.App.ErrWriter, "%s", output)
	}
	v := report.Verdict{Word: word, Reason: reason}
	return endWith(t.c, v, report.VerdictAlone(v, output))
}

// play plays the test, or what is left of it.
func (t *revisionTest) play(caches string, bots []configs.Bot) error {
	c := t.c
	duel, err := duelOf(c, bots)
	if err != nil {
		return err
	}
	duel.Name, duel.Read, duel.Pool = "test", c.StringSlice("read"), t.pool
	sum := sha256.Sum256([]byte(t.head.Hash + t.base.Hash))
	duel.Seed = whole(c, "seed", int(binary.BigEndian.Uint32(sum[:])))
	t.most = whole(c, "pairs", 5000) // as in a duel
	if t.pool != nil {
		t.most = whole(c, "pairs", mostOpenings)
		duel.Pairs = t.most
	} else {
		duel.Until = t.most
	}
	if t.config, err = duel.Config(); err != nil {
		return err
	}
	t.config.Plan.DisqualifyAfter = 0 // a bot that loses on time again and again may play on
	if c.Bool("no-worse") && t.pool == nil {
		t.config.Plan.Test.Elo0, t.config.Plan.Test.Elo1 = -30, 0
	}
	folder := filepath.Join(caches, "tests")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	t.config.Database = filepath.Join(folder, t.key()+".db")
	if err := override(c, t.config); err != nil {
		return err
	}
	_, err = os.Stat(t.config.Database)
	switch {
	case c.Bool("fresh") && err == nil:
		say(c.App.ErrWriter, "note: this throws the dice again: a change without effect is accepted by one of two tests "+
			"in 10%% of cases, not in 5%%")
	case err != nil:
		if err := t.checkHead(); err != nil {
			return err
		}
	}
	return t.run()
}

// key returns a name for all that decides what is played, apart from its length.
func (t *revisionTest) key() string {
	plan, c := t.config.Plan, t.c
	plan.Pairs = 0
	text, _ := json.Marshal(plan) // which only has what a database keeps
	text = fmt.Appendf(text, "%s %s %q %q %q %q", t.head.Hash, t.base.Hash,
		c.String("bot"), c.String("build"), c.String("openings"), c.String("against"))
	const bytes = 6
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:bytes])
}

// checkHead rejects a head that fails a check.
func (t *revisionTest) checkHead() error {
	checks, _, err := checkAll(t.c, t.config, t.config.Entries[:1])
	if err != nil || checks[0].Failed == 0 {
		return err
	}
	return t.settle(report.Rejected, "head fails sembra check: "+checks[0].Reason, "")
}

// poolTest returns the hypotheses of the test against a pool.
func (t *revisionTest) poolTest() stats.PoolTest {
	if t.c.Bool("no-worse") {
		return stats.PoolTest{Low: -0.04, High: 0}
	}
	return stats.PoolTest{Low: 0, High: 0.04}
}

// isDecided reports whether no more matches are needed, although the schedule may have some.
func (t *revisionTest) isDecided(summaries []results.Numbered) bool {
	slices.SortFunc(summaries, func(a, b results.Numbered) int { return cmp.Compare(a.Number, b.Number) })
	_, broken := results.Broken(head, summaries)
	if t.pool == nil {
		return broken || results.PlayAlike(summaries)
	}
	return broken || t.records.Tournament.PoolTest(t.poolTest(), summaries).Decision != stats.Undecided
}

// tellVerdict prints the verdict on the head.
func (t *revisionTest) tellVerdict(summaries []results.Numbered) error {
	v, err := t.verdictOf(summaries)
	if err != nil {
		return err
	}
	var said []string
	if _, n := results.FaultLosses(head, summaries); n > 0 {
		said = append(said, fmt.Sprintf("head lost %s on time", plural(n, "match", "matches")))
	}
	if n, _ := results.FaultLosses(base, summaries); n > 0 {
		said = append(said, fmt.Sprintf("base lost %s by a fault", plural(n, "match", "matches")))
	}
	if first, broken := results.Broken(head, summaries); broken {
		v.Word = report.Rejected
		v.Reason = fmt.Sprintf("head broke off match %d (%s): sembra replay %[1]d --db %[3]s shows it",
			first.Number, first.Ending, v.Database)
	}
	v.Reason = strings.Join(append(said, v.Reason), "; ")
	if t.pool != nil {
		return endWith(t.c, v, report.Pool(t.records.Tournament, t.poolTest(), summaries, v))
	}
	return endWith(t.c, v, v.Report())
}

// verdictOf returns the verdict as far as the results decide it.
func (t *revisionTest) verdictOf(summaries []results.Numbered) (report.Verdict, error) {
	if t.pool == nil {
		v, err := t.verdict(summaries)
		switch {
		case err != nil:
		case results.PlayAlike(summaries):
			v.Word, v.Reason = t.wordOfEqual(), "they play alike: each second match of the first pairs repeats the first"
		case v.StoppedBy() == "pairs":
			v.Reason = t.usedUp()
		}
		return v, err
	}
	v := report.Verdict{Word: report.Undecided, Database: absolute(t.records.Store().Path())}
	test := t.poolTest()
	p := t.records.Tournament.PoolTest(test, summaries)
	const gains = "%v is accepted: against this pool, head gains %v%% of the points or %s, rather than %v%% or %s"
	switch {
	case p.Decision == stats.AcceptH1:
		v.Word = report.Accepted
		v.Reason = fmt.Sprintf(gains, p.Decision, 100*test.High, "more", 100*test.Low, "less")
	case p.Decision == stats.AcceptH0:
		v.Word = report.Rejected
		v.Reason = fmt.Sprintf(gains, p.Decision, 100*test.Low, "less", 100*test.High, "more")
	case t.timeUp:
		v.Reason = t.outOfTime()
	default:
		v.Reason = t.usedUp()
	}
	return v, nil
}

// usedUp says why a test ended undecided.
func (t *revisionTest) usedUp() string {
	n := t.records.Tournament.Pairs
	switch {
	case n < t.most:
		return fmt.Sprintf("undecided, and all of %s are used up", plural(n, "opening", "openings"))
	case t.pool != nil:
		return fmt.Sprintf("undecided after the last of %s", plural(n, "opening", "openings"))
	}
	return fmt.Sprintf("undecided after the last of %s (hint: with more --pairs, the test resumes)", plural(n, "pair", "pairs"))
}

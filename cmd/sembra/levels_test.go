package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/engine"
	"sembra/results"
)

// publishedBots returns the bots of the table of levels in bots/OPPONENTS.md: random, the levels from the weakest to the
// strongest, and then bots of other kinds, each with the numbers of the levels that are near it in strength.
func publishedBots() (names []string, near map[string][]int) {
	names = []string{"random"}
	for number := 1; number <= 10; number++ {
		names = append(names, fmt.Sprint("level", number))
	}
	return append(names, "greedy", "minimax:Depth=2", "minimax:Depth=4", "minimax", "mcts"), map[string][]int{
		"greedy": {1, 3, 5}, "minimax:Depth=2": {2, 4, 6}, "minimax:Depth=4": {4, 6, 8},
		"minimax": {6, 8, 10}, "mcts": {6, 8, 10},
	}
}

// publishedMeetings returns who plays whom: each level meets the next two, and each bot of another kind the levels
// near it. Bots of very different strength tell little about each other.
func publishedMeetings() (all [][2]string) {
	names, near := publishedBots()
	for i, name := range names {
		for _, level := range near[name] {
			all = append(all, [2]string{names[level], name})
		}
		for _, next := range names[i+1 : min(i+3, len(names))] {
			if near[name] == nil && near[next] == nil {
				all = append(all, [2]string{name, next})
			}
		}
	}
	return all
}

// levelsTable returns the cells of the table of levels in bots/OPPONENTS.md, by ruleset and bot.
func levelsTable(t *testing.T) map[string]map[string]string {
	t.Helper()
	guide := must2(os.ReadFile(root + "/bots/OPPONENTS.md"))
	var head []string
	table := map[string]map[string]string{}
	for line := range strings.Lines(string(guide)) {
		cells := strings.Fields(line)
		if slices.Contains(cells, "bot") && slices.Contains(cells, "oware") {
			head = cells
		}
		for i := 1; i < len(head) && len(cells) == len(head); i++ {
			if table[head[i]] == nil {
				table[head[i]] = map[string]string{}
			}
			table[head[i]][cells[0]] = cells[i]
		}
	}
	return table
}

// TestGuideShowsLevels: the table has each bot in each ruleset, and a higher level is never rated lower.
func TestGuideShowsLevels(t *testing.T) {
	t.Parallel()
	table := levelsTable(t)
	names, _ := publishedBots()
	for _, ruleset := range engine.RulesetNames() {
		before := math.MinInt
		for _, name := range names {
			cell := table[ruleset][name]
			if !regexp.MustCompile(`^-?\d+(±\d+)?$`).MatchString(cell) {
				t.Fatalf("%s, %s: %q in the guide", ruleset, name, cell)
			}
			var rating int
			if _, err := fmt.Sscan(cell, &rating); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "level") {
				if rating <= before {
					t.Errorf("%s: %s is rated %d, the level below %d", ruleset, name, rating, before)
				}
				before = rating
			}
		}
	}
}

// TestGuideLevels: the bots have the ratings of the table when their matches are played again, in one ruleset. After a
// change of the bots, TABLES=all in the environment plays those of every ruleset, which takes an hour or more.
func TestGuideLevels(t *testing.T) {
	if !long {
		t.Skip("it plays 2720 matches of each ruleset")
	}
	table := levelsTable(t)
	for _, rules := range engine.Rulesets() {
		ruleset := rules.Info().Name
		t.Run(ruleset, func(t *testing.T) {
			if ruleset != "awale" && os.Getenv("TABLES") != "all" {
				t.Skip("only with TABLES=all")
			}
			dir := t.TempDir()
			games := [][]string{{"first", "second", "result", "pair"}}
			for _, meeting := range publishedMeetings() {
				games = append(games, playMeeting(t, rules, meeting)...)
			}
			var list strings.Builder
			must(t, csv.NewWriter(&list).WriteAll(games))
			must(t, os.WriteFile(filepath.Join(dir, "games.csv"), []byte(list.String()), 0o600))
			out := mustRun(t, dir, "rate", "games.csv", "--anchor", "level5", "--mean", "1000", "--format", "json")
			var rated struct {
				Players []struct {
					Player string
					Rating float64
					Error  *float64 `json:"rating_error"`
				}
			}
			must(t, json.Unmarshal([]byte(out), &rated))
			for _, p := range rated.Players {
				got := fmt.Sprintf("%.0f", p.Rating)
				if p.Error != nil {
					got += fmt.Sprintf("±%.0f", *p.Error)
				}
				if want := table[ruleset][p.Player]; got != want {
					t.Errorf("%s: %s, in the guide %s", p.Player, got, want)
				}
			}
			if names, _ := publishedBots(); len(rated.Players) != len(names) {
				t.Errorf("%d players, want %d", len(rated.Players), len(names))
			}
		})
	}
}

// playMeeting plays 40 pairs without a clock and returns them as games for the command rate.
func playMeeting(t *testing.T, rules engine.Ruleset, meeting [2]string) (games [][]string) {
	t.Helper()
	const pairs, plies, seed = 40, 6, 1
	openings := must2(arena.RandomOpenings(rules, seed, plies, pairs))
	info := rules.Info()
	tournament := arena.Run{
		Tournament: results.Tournament{Plan: results.Plan{
			Name: "levels", Format: results.RoundRobin, Bots: meeting[:], Pairs: pairs, Openings: openings, Seed: seed,
			Conditions: results.Conditions{
				Ruleset: info.Name, Rounds: info.Rounds,
				Time: results.TimeControl{Watchdog: 10 * time.Minute, Startup: time.Minute},
			},
		}, Family: "levels"},
		Rules: rules, Machine: arena.Machine{Concurrency: 2, Processors: 1},
	}
	for _, bot := range meeting { // the seeds of the bots depend on their names
		builtin, depth, limited := strings.Cut(bot, ":Depth=")
		entry := guest.Entry{
			Name: bot, Builtin: builtin,
			Launcher: guest.Command{Args: []string{"sembra", "bot", builtin}, Env: os.Environ()},
		}
		if limited {
			entry.Options = []protocol.OptionValue{{Name: "Depth", Value: depth}}
		}
		tournament.Entries = append(tournament.Entries, entry)
	}
	var played playedGames
	must(t, tournament.Play(t.Context(), nil, &played, func(arena.Event) {}))
	return played
}

// playedGames are the matches of a tournament as games for the command rate.
type playedGames [][]string

func (g *playedGames) Put(records []results.Record) error {
	for _, r := range records {
		if r.Fault != results.NoFault {
			return fmt.Errorf("match %v ended by %s", r.Key, r.Ending)
		}
		*g = append(*g, []string{r.South, r.North, fmt.Sprint(r.Points()[0]), strconv.Itoa(r.Pair)})
	}
	return nil
}

func (*playedGames) PutVoid(k results.Key, reason string) error {
	return fmt.Errorf("match %v: %s", k, reason)
}

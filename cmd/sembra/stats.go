package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results/report"
	"sembra/results/stats"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name: "stats", Usage: sayStats, UsageText: exampleStats, ArgsUsage: " ",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "penta", Usage: "pairs by what they gave, `LL,LD,WLDD,WD,WW`"},
			&cli.StringFlag{Name: "wdl", Usage: "games that are no pairs, `W,D,L`"},
			&cli.StringFlag{Name: "elo0", Usage: "sequential test: `ELO` of H0"},
			&cli.StringFlag{Name: "elo1", Usage: "sequential test: `ELO` of H1"},
			&cli.StringFlag{Name: "alpha", Usage: "`CHANCE` of taking H1 where H0 holds", Value: "0.05"},
			&cli.StringFlag{Name: "beta", Usage: "`CHANCE` of taking H0 where H1 holds", Value: "0.05"},
			&cli.StringFlag{Name: "model", Usage: "`MODEL` of the two Elo: normalized or logistic", Value: string(stats.Normalized)},
		},
		Action: printStats,
	}
}

func printStats(c *cli.Context) error {
	if _, err := arguments(c, 0, 0); err != nil {
		return err
	}
	test, whole, err := readTest(c)
	if err != nil {
		return err
	}
	penta, wdl := c.IsSet("penta"), c.IsSet("wdl")
	switch {
	case penta && wdl:
		return usage("--penta and --wdl are both there, one of them expected: games are pairs or they are not")
	case !penta && !wdl:
		return usage("neither --penta nor --wdl is there: --penta LL,LD,WLDD,WD,WW counts pairs, --wdl W,D,L games that are no pairs")
	case penta:
		counts, err := readCounts(c, "penta", []string{"LL", "LD", "WL+DD", "WD", "WW"})
		if err != nil {
			return err
		}
		return report.PairFigures(stats.Pentanomial(counts), test, whole).Write(c.App.Writer, report.JSON, 0)
	}
	counts, err := readCounts(c, "wdl", []string{"W", "D", "L"})
	if err != nil {
		return err
	}
	games := stats.Trinomial{Wins: counts[0], Draws: counts[1], Losses: counts[2]}
	return report.GameFigures(games, test, whole).Write(c.App.Writer, report.JSON, 0)
}

// readCounts reads a number for each of the classes, of which one at least is
// not 0.
func readCounts(c *cli.Context, flag string, classes []string) ([]int, error) {
	const most = 1_000_000_000
	text := c.String(flag)
	fields := strings.Split(text, ",")
	if len(fields) != len(classes) {
		return nil, usage("--%s is %q, %d numbers expected (%s)", flag, text, len(classes), strings.Join(classes, ","))
	}
	counts := make([]int, len(fields))
	sum := 0
	for i, field := range fields {
		var err error
		if counts[i], err = wholeNumber(fmt.Sprintf("--%s: number %d (%s)", flag, i+1, classes[i]), field, 0, most); err != nil {
			return nil, err
		}
		sum += counts[i]
	}
	if sum == 0 {
		return nil, usage("--%s is %q, at least one number that is not 0 expected", flag, text)
	}
	return counts, nil
}

// readTest reads the sequential test that is asked for. Its bounds need no
// hypotheses; whole is false where there are none.
func readTest(c *cli.Context) (test stats.Test, whole bool, err error) {
	whole = c.IsSet("elo0") || c.IsSet("elo1")
	if !whole && c.IsSet("model") {
		return test, false, usage("--model is there without --elo0 and --elo1, whose unit it is")
	}
	test = stats.Test{Elo1: 1, Model: stats.Model(c.String("model"))}
	numbers := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}
	for _, flag := range []string{"elo0", "elo1", "alpha", "beta"} {
		if text := c.String(flag); text != "" || c.IsSet(flag) {
			if *numbers[flag], err = realNumber("--"+flag, text); err != nil {
				return test, false, err
			}
		} else if whole {
			return test, false, usage("--%s is missing: a sequential test has both --elo0 and --elo1", flag)
		}
	}
	return test, whole, asUsage(test.Check())
}

// realNumber reads a finite number from the command line.
func realNumber(what, text string) (float64, error) {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return 0, usage("%s is %q, a number expected", what, text)
	}
	return number, nil
}

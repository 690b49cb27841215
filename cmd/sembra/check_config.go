package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena/check"
	"sembra/results/report"
)

// checkConfig checks all bots of a tournament file. It fails if one of them failed.
func checkConfig(c *cli.Context, path string) error {
	for _, flag := range c.FlagNames() {
		if flag != "format" && flag != "wide" {
			return usage("--%s is for the check of a single command; the tournament file says how its bots are run", flag)
		}
	}
	config, err := loadConfig(c, path)
	if err != nil {
		return err
	}
	warnEngines(c.App.ErrWriter, &config.Tournament)
	bots := len(config.Tournament.Entries)
	over, say := 0, sayChecked(c.App.ErrWriter, bots)
	checked, isolation, err := check.All(c.Context, &config.Tournament, func(done int) {
		over = done
		say(done)
	})
	switch {
	case interrupted(c.Context, err):
		return fmt.Errorf("%w after %d of %d bots", errInterrupted, over, bots)
	case err != nil:
		return err
	}
	var checks []report.Check
	var failed []string
	for _, one := range checked {
		found := reportOf(one)
		checks = append(checks, found)
		if found.Failed > 0 {
			failed = append(failed, found.Bot)
		}
	}
	if err := printReport(c, report.Checks(checks, isolation)); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d bots failed: %s", len(failed), bots, strings.Join(failed, ", "))
	}
	return nil
}

// sayChecked returns a function that says now and then how many bots are checked.
func sayChecked(w io.Writer, bots int) func(done int) {
	said := time.Now()
	return func(done int) {
		if done < bots && time.Since(said) >= sayEvery {
			said = time.Now()
			printLine(w, fmt.Sprintf("%d of %d bots checked", done, bots))
		}
	}
}

// reportOf returns what a check found of one bot: failures first, then warnings, then notes.
func reportOf(checked check.Checked) report.Check {
	found := report.Check{Bot: checked.Bot, Result: "ok", Findings: []report.CheckFinding{}}
	for _, p := range checked.Points {
		addPoint(&found, p)
	}
	if found.Failed > 0 {
		found.Result = "failed"
	}
	kinds := []string{"failed", "warning", "note"}
	slices.SortStableFunc(found.Findings, func(a, b report.CheckFinding) int {
		return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
	})
	return found
}

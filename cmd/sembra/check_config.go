package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/results/report"
)

// checksConfig reports whether the arguments of check are a tournament file, and not
// the command of a bot.
func checksConfig(c *cli.Context) bool {
	args := c.Args().Slice()
	return len(args) == 1 && strings.HasSuffix(args[0], ".toml") && !afterDashes(c)
}

// checkConfig checks all bots of a tournament file. It fails if one of them failed.
func checkConfig(c *cli.Context) error {
	for _, flag := range c.FlagNames() {
		if flag != "format" && flag != "wide" {
			return usage("--%s is for the check of a single command; the tournament file says how its bots are run", flag)
		}
	}
	config, err := loadConfig(c, c.Args().First())
	if err != nil {
		return err
	}
	warnEngines(c.App.ErrWriter, &config.Tournament)
	ctx := c.Context
	bots := len(config.Tournament.Entries)
	over, say := 0, sayChecked(c.App.ErrWriter, bots)
	checked, isolation, err := config.Tournament.CheckAll(ctx, func(done int) {
		over = done
		say(done)
	})
	switch {
	case interrupted(ctx, err):
		return fmt.Errorf("%w after %d of %d bots", errInterrupted, over, bots)
	case err != nil:
		return err
	}
	var checks []report.Check
	var failed []string
	for _, one := range checked {
		check := reportOf(one)
		checks = append(checks, check)
		if check.Failed > 0 {
			failed = append(failed, check.Bot)
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

// reportOf returns what a check found of one bot.
func reportOf(checked arena.Checked) report.Check {
	var count pointCount
	check := report.Check{Bot: checked.Bot, Result: "ok", Findings: []report.CheckFinding{}}
	kinds := map[arena.State]string{arena.Failed: "failed", arena.Warned: "warning", arena.Noted: "note"}
	for _, p := range checked.Points {
		count.add(p)
		if kind := kinds[p.State]; kind != "" {
			finding := report.CheckFinding{Kind: kind, Test: p.Name, What: clipPoint(p.What)}
			check.Findings = append(check.Findings, finding)
		}
		if p.State == arena.Failed && check.Reason == "" {
			check.Result, check.Reason = "failed", p.Name+": "+clipPoint(p.What)
		}
	}
	// Failures come first, then warnings, then notes.
	slices.SortStableFunc(check.Findings, func(a, b report.CheckFinding) int {
		rank := []string{"failed", "warning", "note"}
		return slices.Index(rank, a.Kind) - slices.Index(rank, b.Kind)
	})
	check.OK, check.Failed, check.Warnings = count.ok, count.failed, count.warned
	check.Skipped, check.Notes = count.skipped, count.notes
	return check
}

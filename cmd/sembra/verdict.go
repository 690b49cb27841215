package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
)

// verdictError is a verdict other than accepted, which has been printed and gives the command its exit status.
type verdictError struct {
	status int
	text   string
}

func (e *verdictError) Error() string { return e.text }

func isVerdict(err error) bool { return errors.As(err, new(*verdictError)) }

// errTimeUp ends the matches in play when the time of --within is up.
var errTimeUp = errors.New("the time of --within is up")

// errEnough ends the matches in play when those before decide all.
var errEnough = errors.New("the matches decide")

// verdictFlags returns the flags of a command that plays a sequential test for scripts.
func verdictFlags() []cli.Flag {
	return []cli.Flag{
		switchFlag("verdict", "let the exit status be the verdict of the test: 0 accepted, 5 rejected, 4 undecided"),
		withinFlag("with --verdict: "),
		nodesFlag(),
	}
}

// withinFlag returns the flag that limits how long a test is played. when says on what it depends.
func withinFlag(when string) cli.Flag {
	return checkedFlag("within", when+"end after `TIME`, such as 20m, if the test is then undecided", "",
		"a time from 1s to 1000h, such as 20m", func(given string) bool {
			d, err := time.ParseDuration(given)
			return err == nil && time.Second <= d && d <= 1000*time.Hour
		})
}

func nodesFlag() cli.Flag {
	return wholeFlag("nodes", "give bots a limit of `N` nodes for each move, which Sembra does not enforce", "", 1, math.MaxInt)
}

// obey lets the exit status of the run be the verdict of its test if --verdict is given.
func (r *running) obey() error {
	switch {
	case !r.c.Bool("verdict"):
		return refuseFlags(r.c, "without --verdict", "within")
	case r.config.Plan.Test == nil:
		return usage("--verdict is for a sequential test (hint: the table [sprt] of a file, or --until-decided of duel)")
	}
	r.conclude = func(summaries []results.Numbered) error {
		v, err := r.verdict(summaries)
		if err != nil {
			return err
		}
		return endWith(r.c, v, v.Report())
	}
	return nil
}

// verdict returns what the sequential test of the run says after its matches.
func (r *running) verdict(summaries []results.Numbered) (report.Verdict, error) {
	database := ""
	if r.stays {
		database = absolute(r.records.Store().Path())
	}
	v, err := report.NewVerdict(r.records.Tournament, summaries, database)
	if err == nil && r.timeUp && !v.Over() {
		v.Reason = r.outOfTime()
	}
	return v, err
}

func (r *running) outOfTime() string {
	return fmt.Sprintf("undecided, and %v: %s", errTimeUp, r.saved())
}

// endWith prints the report of a verdict, and returns the error that ends a command with its exit status; nil: it is
// accepted.
func endWith(c *cli.Context, v report.Verdict, r report.Report) error {
	if err := printReport(c, r); err != nil {
		return err
	}
	switch v.Word {
	case report.Accepted:
		return nil
	case report.Rejected:
		return &verdictError{exitRejected, "rejected: " + v.Reason}
	}
	return &verdictError{exitUndecided, v.Reason}
}

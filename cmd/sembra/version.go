package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// versionNumber is the number of this version of Sembra.
const versionNumber = "0.2.0"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c, 0, 0); err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			for _, line := range describeVersion(info) {
				printLine(c.App.Writer, line)
			}
			return nil
		},
	}
}

// version returns the number of the program, and the commit that it was built
// from if the Go tool has recorded that.
func version(info *debug.BuildInfo) string {
	commit, modified := setting(info, "vcs.revision"), ""
	if commit == "" {
		return versionNumber
	}
	const digits = 12 // enough to name a commit
	if setting(info, "vcs.modified") == "true" {
		modified = ", modified"
	}
	return fmt.Sprintf("%s (%s%s)", versionNumber, commit[:min(digits, len(commit))], modified)
}

// describeVersion returns lines about the program and its build. A commit and its
// date are there only if the Go tool has recorded them.
func describeVersion(info *debug.BuildInfo) []string {
	lines := []string{"sembra " + versionNumber}
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, fmt.Sprintf("%-7s %s", name, value))
		}
	}
	commit := setting(info, "vcs.revision")
	if commit != "" && setting(info, "vcs.modified") == "true" {
		commit += ", modified"
	}
	add("commit", commit)
	add("date", setting(info, "vcs.time"))
	add("go", runtime.Version())
	add("system", runtime.GOOS+"/"+runtime.GOARCH)
	return lines
}

// setting returns what the Go tool has recorded of the build; "" if it has not.
func setting(info *debug.BuildInfo, key string) string {
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

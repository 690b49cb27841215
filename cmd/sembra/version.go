package main

import (
	"fmt"
	"runtime/debug"
)

// versionNumber is the number of this version of Sembra.
const versionNumber = "0.2.0"

// version returns the number of the program, and the commit that it was built
// from if the Go tool has recorded that.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return versionNumber
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return versionNumber
	}
	const digits = 12 // enough to name a commit
	commit = commit[:min(digits, len(commit))]
	if settings["vcs.modified"] == "true" {
		commit += ", modified"
	}
	return fmt.Sprintf("%s (%s)", versionNumber, commit)
}

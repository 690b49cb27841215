package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionNumber is the number of this version of Sembra.
const versionNumber = "0.2.0"

// version returns the number of the program, and the commit that it was built
// from if the Go tool has recorded that.
func version(info *debug.BuildInfo) string {
	recorded, modified := recordedOf(info), ""
	commit := recorded["vcs.revision"]
	if commit == "" {
		return versionNumber
	}
	const digits = 12 // enough to name a commit
	if recorded["vcs.modified"] == "true" {
		modified = ", modified"
	}
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
	for _, s := range cmp.Or(info, new(debug.BuildInfo)).Settings {
		recorded[s.Key] = s.Value
	}
	return recorded
}

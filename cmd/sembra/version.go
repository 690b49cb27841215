package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// versionNumber is the number of this version of Sembra.
const versionNumber = "0.2.0"

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

// describeVersion returns what the option --version prints: the program and its build, in lines. A
// commit and its date are there only if the Go tool has recorded them.
func describeVersion(info *debug.BuildInfo) string {
	var text strings.Builder
	fmt.Fprintf(&text, "sembra %s\n", version(info))
	if date := setting(info, "vcs.time"); date != "" {
		fmt.Fprintf(&text, "date    %s\n", date)
	}
	fmt.Fprintf(&text, "go      %s\nsystem  %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return text.String()
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

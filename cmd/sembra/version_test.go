package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestVersion: --version tells what the Go tool has recorded of the build.
func TestVersion(t *testing.T) {
	t.Parallel()
	built := "go      " + runtime.Version() + "\nsystem  " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "67ba076f2c4fd0a9a6f0d1b7a5f2a1c0e3d4b5a6"}
	for want, info := range map[string]*debug.BuildInfo{
		"sembra " + versionNumber + "\n" + built: nil,
		"sembra " + versionNumber + " (67ba076f2c4f)\ndate    2026-11-22T14:03:09Z\n" + built: {Settings: []debug.BuildSetting{
			revision, {Key: "vcs.time", Value: "2026-11-22T14:03:09Z"}, {Key: "vcs.modified", Value: "false"},
		}},
		"sembra " + versionNumber + " (67ba076f2c4f, modified)\n" + built: {Settings: []debug.BuildSetting{
			revision, {Key: "vcs.modified", Value: "true"},
		}},
	} {
		if got := describeVersion(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

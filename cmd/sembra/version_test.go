package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	const commit = "67ba076f2c4fd0a9a6f0d1b7a5f2a1c0e3d4b5a6"
	for _, test := range []struct {
		settings map[string]string
		want     string
	}{
		{nil, versionNumber},
		{map[string]string{"vcs": "git", "vcs.revision": commit, "vcs.modified": "false"}, versionNumber + " (67ba076f2c4f)"},
		{map[string]string{"vcs": "git", "vcs.revision": commit, "vcs.modified": "true"}, versionNumber + " (67ba076f2c4f, modified)"},
		{map[string]string{"vcs.revision": "67ba"}, versionNumber + " (67ba)"},
	} {
		info := new(debug.BuildInfo)
		for key, value := range test.settings {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
		}
		if got := version(info); got != test.want {
			t.Errorf("%v: %q, want %q", test.settings, got, test.want)
		}
	}
	if got := version(nil); got != versionNumber {
		t.Errorf("without build information: %q, want %q", got, versionNumber)
	}
}

func TestDescribeVersion(t *testing.T) {
	t.Parallel()
	built := "go      " + runtime.Version() + "\nsystem  " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	recorded := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "67ba076f"}, {Key: "vcs.time", Value: "2026-11-22T14:03:09Z"},
	}}
	if got, want := describeVersion(nil), "sembra "+versionNumber+"\n"+built; got != want {
		t.Errorf("without build information: %q, want %q", got, want)
	}
	want := "sembra " + versionNumber + " (67ba076f)\ndate    2026-11-22T14:03:09Z\n" + built
	if got := describeVersion(recorded); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

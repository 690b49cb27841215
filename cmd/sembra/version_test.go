package main

import (
	"runtime"
	"runtime/debug"
	"slices"
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
	build := []string{"go      " + runtime.Version(), "system  " + runtime.GOOS + "/" + runtime.GOARCH}
	head := []string{"sembra " + versionNumber}
	recorded := []debug.BuildSetting{
		{Key: "vcs.revision", Value: "67ba076f"},
		{Key: "vcs.time", Value: "2026-11-22T14:03:09Z"},
		{Key: "vcs.modified", Value: "true"},
	}
	for name, test := range map[string]struct {
		info *debug.BuildInfo
		want []string
	}{
		"no information": {nil, slices.Concat(head, build)},
		"no commit":      {new(debug.BuildInfo), slices.Concat(head, build)},
		"commit": {
			&debug.BuildInfo{Settings: recorded[:2]},
			slices.Concat(head, []string{"commit  67ba076f", "date    2026-11-22T14:03:09Z"}, build),
		},
		"modified": {
			&debug.BuildInfo{Settings: recorded},
			slices.Concat(head, []string{"commit  67ba076f, modified", "date    2026-11-22T14:03:09Z"}, build),
		},
	} {
		if got := describeVersion(test.info); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

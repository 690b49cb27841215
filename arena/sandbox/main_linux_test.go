package sandbox

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if IsChild(os.Args) {
		os.Exit(RunChild())
	}
	if len(os.Args) > 2 && os.Args[1] == "__bot" {
		os.Exit(playBot(os.Args[2:]))
	}
	_ = flag.Set("test.parallel", "8")               // most of these tests wait; the command line overrides it
	syscall.Umask(0o022)                             // most tests are about files that everybody may read
	temp, err := filepath.EvalSymlinks(os.TempDir()) // the tests compare paths with those that a shell prints
	if err == nil && strings.Contains(temp, " ") {
		temp = "/tmp" // the scripts of these tests name paths without quotes
	}
	if err == nil {
		err = os.Setenv("TMPDIR", temp)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

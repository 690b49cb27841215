package jail

import (
	"flag"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if Entered(os.Args) {
		os.Exit(Enter())
	}
	if len(os.Args) > 2 && os.Args[1] == "__bot" {
		os.Exit(playBot(os.Args[2:]))
	}
	_ = flag.Set("test.parallel", "8")       // most of these tests wait; the command line overrides it
	syscall.Umask(0o022)                     // most tests are about files that everybody may read
	if strings.Contains(os.TempDir(), " ") { // the scripts of these tests name paths without quotes
		if err := os.Setenv("TMPDIR", "/tmp"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

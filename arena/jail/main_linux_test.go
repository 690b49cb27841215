package jail

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if Entered(os.Args) {
		os.Exit(Enter())
	}
	if len(os.Args) > 2 && os.Args[1] == "__bot" {
		os.Exit(playBot(os.Args[2:]))
	}
	_ = flag.Set("test.parallel", "8") // most of these tests wait; the command line overrides it
	os.Exit(m.Run())
}

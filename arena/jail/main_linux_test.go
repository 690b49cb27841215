package jail

import (
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
	os.Exit(m.Run())
}

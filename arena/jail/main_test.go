package jail

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if Entered(os.Args) {
		os.Exit(Enter())
	}
	os.Exit(m.Run())
}

package workers

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"sembra/arena/jail"
	"sembra/bots"
)

// TestMain lets this test binary also be a built-in bot.
func TestMain(m *testing.M) {
	if jail.Entered(os.Args) {
		os.Exit(jail.Enter())
	}
	if len(os.Args) == 3 && os.Args[1] == "bot" {
		all := bots.Builtins()
		at := slices.IndexFunc(all, func(b bots.Builtin) bool { return b.Name == os.Args[2] })
		if err := bots.Serve(os.Stdin, os.Stdout, all[at].New()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

package results

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// maxName is the longest name, in bytes, that a store takes for a bot or a tournament.
const maxName = 255

// Key names one match of a tournament: who sat where, and which pair of the two it belongs to. It
// depends on nothing else in the schedule, so that an added bot disturbs no key.
type Key struct {
	South string `json:"south"` // name of the bot
	North string `json:"north"`
	Pair  int    `json:"pair"` // from 1
}

// String names the match in messages: "greedy - random, pair 3".
func (k Key) String() string { return fmt.Sprintf("%s - %s, pair %d", k.South, k.North, k.Pair) }

// Check says what is wrong with k, if anything.
func (k Key) Check() error {
	for _, name := range []string{k.South, k.North} {
		if err := checkName("bot", name); err != nil {
			return err
		}
	}
	if k.South == k.North {
		return fmt.Errorf("bot %q cannot play against itself", k.South)
	}
	if k.Pair < 1 || k.Pair > math.MaxUint32 {
		return fmt.Errorf("pair %d is out of range (1 to %d)", k.Pair, uint32(math.MaxUint32))
	}
	return nil
}

// checkName refuses names that no key can hold.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("the name of a %s is empty", what)
	case len(name) > maxName:
		return fmt.Errorf("the name of a %s has %d bytes (at most %d)", what, len(name), maxName)
	case strings.ContainsRune(name, 0) || !utf8.ValidString(name):
		return fmt.Errorf("the name %q of a %s has a byte that no name may have", name, what)
	}
	return nil
}

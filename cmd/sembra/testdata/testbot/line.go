package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"sembra/engine"
)

// lineBot reads lines with seeds, as the bots of contests do, and plays the first legal move. Its arguments are a
// ruleset and, for a bad bot, the flaw of its answers after the first.
func lineBot(args []string) {
	rules, err := engine.Lookup(args[0])
	if err != nil {
		panic(err)
	}
	flaw := strings.Join(args[1:], "")
	in := bufio.NewScanner(os.Stdin)
	for asked := 1; in.Scan(); asked++ {
		n := strings.Fields(in.Text())
		holes := rules.Info().Holes
		rows := strings.Join(n[:holes], ",") + "/" + strings.Join(n[holes:2*holes], ",")
		start, err := engine.ParsePosition(rules, rows+" "+strings.Join(n[2*holes:], "-")+" S sow 1 0")
		if err != nil {
			panic(err)
		}
		token := engine.NewMatch(rules, start).Legal()[0].Token(engine.South)
		answer := fmt.Sprintf(" %d ok\n", token[0]-'A')
		if asked > 1 {
			switch flaw {
			case "letter":
				answer = token + "\n"
			case "far":
				answer = "6\n"
			case "empty":
				if hole := slices.Index(n[:holes], "0"); hole >= 0 {
					answer = fmt.Sprintln(hole)
				}
			case "twice":
				answer += answer
			case "leaves":
				fmt.Fprintln(os.Stderr, "IndexError: list index out of range")
				syscall.Exit(3)
			case "hangs":
				time.Sleep(time.Hour)
			}
		}
		fmt.Print(answer)
	}
}

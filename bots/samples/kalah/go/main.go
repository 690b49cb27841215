// Again plays kalah: it moves again if it can, or else captures as much as it can.
//
//	go build
//	sembra check --protocol board --ruleset kalah -- ./go
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// choose returns a hole of the own row, from 0. The store is the place after the last one.
func choose(own, other []int) (best int) {
	holes, most := len(own), -1
	for hole := holes - 1; hole >= 0; hole-- {
		worth := 0
		last := (hole + own[hole]) % (2*holes + 1)
		switch {
		case last == holes:
			worth = 1000
		case last < holes && own[last] == 0:
			worth = other[holes-1-last] // captures what lies opposite
		}
		if own[hole] > 0 && worth > most {
			best, most = hole, worth
		}
	}
	return best
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var seeds []int
		for _, word := range strings.Fields(in.Text()) {
			n, _ := strconv.Atoi(word)
			seeds = append(seeds, n)
		}
		holes := (len(seeds) - 2) / 2 // the stores are the last two
		fmt.Println(choose(seeds[:holes], seeds[holes:2*holes]))
	}
}

// Bot is the bot of BenchmarkWhole for machines without a C compiler: it plays a
// legal move that its seed chooses.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	var legal []string
	seed := uint32(1)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "mbi":
			fmt.Print("id name whole\nwants legal\nmbiok\n")
		case "isready":
			fmt.Println("readyok")
		case "newmatch":
			told, _ := strconv.ParseUint(words[len(words)-1], 10, 64) // the arena writes a number
			seed = uint32(told)
		case "legal":
			legal = words[1:]
		case "go":
			seed = seed*1103515245 + 12345
			fmt.Println("bestmove", legal[int(seed>>16)%len(legal)])
		case "quit":
			return
		}
	}
}

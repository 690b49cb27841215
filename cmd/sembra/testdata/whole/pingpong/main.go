// Pingpong sends pairs of bots lines of the kind that a match has, and does
// nothing else: BOT PLIES PAIRS. Every write and every read has a deadline. It is
// what BenchmarkWhole compares Sembra with.
package main

import (
	"bufio"
	"io"
	"log"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

type bot struct {
	cmd     *exec.Cmd
	in, out *os.File
	reader  *bufio.Reader
}

func start(program string) *bot {
	childIn, in, err := os.Pipe()
	must(err)
	out, childOut, err := os.Pipe()
	must(err)
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stdout = childIn, childOut
	must(cmd.Start())
	must(childIn.Close())
	must(childOut.Close())
	b := &bot{cmd, in, out, bufio.NewReader(out)}
	b.ask("mbi 1\n", 3)
	b.ask("newmatch oware south seed 1\nisready\n", 1)
	return b
}

// ask writes lines and reads as many lines as are expected.
func (b *bot) ask(question string, lines int) {
	must(b.in.SetWriteDeadline(time.Now().Add(time.Minute)))
	_, err := io.WriteString(b.in, question)
	must(err)
	for range lines {
		must(b.out.SetReadDeadline(time.Now().Add(time.Minute)))
		_, err := b.reader.ReadSlice('\n')
		must(err)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

const question = "position startpos moves A b C d E f A b C d E f A b C d E f A b C d E f A b C d E f A b C d E f A b C d E f\n" +
	"legal A B C D E F\ngo\n"

func main() {
	program := os.Args[1]
	plies, err := strconv.Atoi(os.Args[2])
	must(err)
	pairs, err := strconv.Atoi(os.Args[3])
	must(err)
	var playing sync.WaitGroup
	for range pairs {
		playing.Go(func() {
			two := [2]*bot{start(program), start(program)}
			for ply := range plies {
				two[ply%2].ask(question, 1)
			}
			for _, b := range two {
				must(b.in.Close())
				must(b.cmd.Wait())
			}
		})
	}
	playing.Wait()
}

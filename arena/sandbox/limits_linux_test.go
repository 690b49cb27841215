package sandbox

import (
	"bufio"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNetwork(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer tcp.Close()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Network))
		for _, try := range [][2]string{{"tcp", tcp.Addr().String()}, {"udp", tcp.Addr().String()}, {"unix", "/tmp/x"}} {
			if l := j.live(t, bot(t, "dial", try[0], try[1])); !strings.HasPrefix(l.out, "refused") {
				t.Error(try, l)
			}
		}
	})
	t.Run("allowed", func(t *testing.T) {
		limits := usual()
		limits.Network = true
		j := newTestSandbox(t, limits)
		if l := j.live(t, bot(t, "dial", "tcp", tcp.Addr().String())); l.out != "reached\n" {
			t.Error(l)
		}
		if j.Holds(Network) || slices.ContainsFunc(j.Missing(), func(s string) bool { return strings.HasPrefix(s, "network") }) {
			t.Error(j)
		}
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Memory))
		if l := j.live(t, bot(t, "memory", "1100")); !strings.HasPrefix(l.out, "refused") {
			t.Error(l)
		}
		if l := j.live(t, bot(t, "memory", "100")); l.out != "took 100\n" {
			t.Error(l)
		}
		if l := j.live(t, bot(t, "uncounted")); l.out != "another option of sockets\n" {
			t.Errorf("given: %s", l.out)
		}
	})
}

// TestAllowance: what one bot may use is nothing that another one may, and nothing that the sandbox lacks.
func TestAllowance(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer tcp.Close()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Network) && j.Holds(Memory))
		dial, take := bot(t, "dial", "tcp", tcp.Addr().String()), bot(t, "memory", "1100")
		dial.Network, take.Memory = true, 2<<30
		if l := j.live(t, dial); l.out != "reached\n" {
			t.Error(l)
		}
		if l := j.live(t, take); l.out != "took 1100\n" {
			t.Error(l)
		}
		dial.Allowance, take.Allowance = take.Allowance, dial.Allowance
		for _, other := range []Command{dial, take} {
			if l := j.live(t, other); !strings.HasPrefix(l.out, "refused") {
				t.Error(l)
			}
		}
	})
	for given, want := range map[int64]int64{2 << 30: 8 << 30, 9 << 30: 9 << 30, 0: 0} {
		if got := (Limits{MemoryTotal: given}).with(Allowance{Memory: 4 << 30}).MemoryTotal; got != want {
			t.Errorf("memory_total %d becomes %d, want %d", given, got, want)
		}
	}
}

func TestSmallMemory(t *testing.T) {
	t.Parallel()
	manyStarts(t, 8)
}

// manyStarts starts small bots with little memory in every way. The limit may hit no process of the sandbox itself.
func manyStarts(t *testing.T, starts int) {
	for _, mib := range []int64{16, 24, 32, 64} {
		everyWay(t, Limits{Memory: mib << 20, Processes: 64}, func(t *testing.T, j *Sandbox) {
			for n := range starts {
				if l := j.live(t, sh("echo started")); l.out != "started\n" || l.exit != "exit status 0" {
					t.Errorf("%d MiB, start %d: %+v", mib, n+1, l)
				}
			}
		})
	}
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Processes = 40
	everyWay(t, limits, func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Processes))
		l := j.live(t, bot(t, "forks", "60"))
		if !strings.HasPrefix(l.out, "refused after 3") {
			t.Error(l)
		}
		// Each bot has its own count.
		for range 3 {
			i, in, out, _ := j.start(t, sh("for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 600 & done; echo ready; cat"))
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				t.Error(line, err)
			}
			defer func() {
				i.Kill()
				in.Close()
				out.Close()
				_ = i.Wait()
				i.Close()
			}()
		}
	})
}

func TestCalls(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		for _, what := range []string{"calls", "raise"} {
			if l := j.live(t, bot(t, what)); l.out != "" {
				t.Errorf("%s: %s", what, l.out)
			}
		}
	})
}

// TestOtherCalls: a bot that makes a system call of 32-bit Linux is killed, in every way.
func TestOtherCalls(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("not on this machine")
	}
	const base, header = 0x400000, 64 + 56
	code := "\xb8\x14\x00\x00\x00\xcd\x80" + // mov eax, getpid; int 0x80
		"\xb8\x3c\x00\x00\x00\x31\xff\x0f\x05" // mov eax, exit; xor edi, edi; syscall
	var program bytes.Buffer
	for _, part := range []any{
		elf.Header64{
			Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
			Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Entry: base + header,
			Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1,
		},
		elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Vaddr: base, Filesz: 4096, Memsz: 4096, Align: 4096},
		[]byte(code + strings.Repeat("\x00", 4096)),
	} {
		must(t, binary.Write(&program, binary.LittleEndian, part))
	}
	dir := folder(t)
	put(t, dir+"/bot", program.String(), 0o755)
	c := Command{Program: dir + "/bot", Args: []string{"bot"}, Dir: dir}
	if exit := None().live(t, c).exit; exit != "exit status 0" {
		t.Skip("this machine does not have these calls:", exit)
	}
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		if exit := j.live(t, c).exit; exit != "signal: bad system call" {
			t.Error(exit)
		}
	})
}

func TestPrivileges(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	need(t, j, j.spaces)
	status := j.live(t, bot(t, "status")).out
	zero := "\t0000000000000000\n"
	for _, want := range []string{
		"CapInh:" + zero, "CapPrm:" + zero, "CapEff:" + zero, "CapBnd:" + zero, "CapAmb:" + zero,
		"NoNewPrivs:\t1\n", "Seccomp:\t2\n",
	} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in %s", want, status)
		}
	}
	if j.ownID && !strings.Contains(status, "Groups:\t \n") {
		t.Error(status)
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		need(t, j, j.Holds(Signals))
		l := j.live(t, sh(fmt.Sprintf("kill -0 %d && echo signalled; kill -9 $PPID; kill -9 -1; echo lives", os.Getpid())))
		if strings.Contains(l.out, "signalled") {
			t.Error(l)
		}
	})
}

func TestCPU(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		burner := bot(t, "burn", "60ms")
		burn := strings.Join(burner.Args, " ")
		c := sh(burn+"; echo one; read x; "+burn+" & wait; echo two; read x; ("+burn+"; echo three; sleep 600)",
			"sh", burner.Program)
		i, in, out, log := j.start(t, c)
		r := bufio.NewReader(out)
		for n, word := range []string{"one\n", "two\n", "three\n"} {
			if line, err := r.ReadString('\n'); line != word {
				t.Fatal(line, err, log)
			}
			cpu, ok := i.CPU()
			least := time.Duration(n+1) * 50 * time.Millisecond
			if !ok || cpu < least || cpu > least+time.Second {
				t.Error(n, cpu, ok)
			}
			_, _ = in.Write([]byte("\n"))
		}
		i.Kill()
		_ = i.Wait()
		before, _ := i.CPU()
		i.Close()
		if cpu, ok := i.CPU(); !ok || cpu < before || cpu < 150*time.Millisecond || cpu > 2*time.Second {
			t.Error(before, cpu, ok)
		}
		in.Close()
		out.Close()
	})
}

// TestCPUOfKilled: what a bot used before it was killed counts, even if nobody had asked
// for it, and if the bot has not waited for its child.
func TestCPUOfKilled(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, i *Process, in, out *os.File) {
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "burnt\n" {
			t.Fatal(line, err)
		}
		i.Kill()
		_ = i.Wait()
		i.Close()
		if cpu, ok := i.CPU(); !ok || cpu < 50*time.Millisecond {
			t.Error(cpu, ok)
		}
		in.Close()
		out.Close()
	}
	burner := bot(t, "burn", "60ms")
	c := sh("("+strings.Join(burner.Args, " ")+"; echo burnt; sleep 600); exit", "sh", burner.Program)
	everyWay(t, usual(), func(t *testing.T, j *Sandbox) {
		i, in, out, _ := j.start(t, c)
		check(t, i, in, out)
	})
	t.Run("without a sandbox", func(t *testing.T) {
		i, in, out, _ := None().start(t, c)
		check(t, i, in, out)
	})
}

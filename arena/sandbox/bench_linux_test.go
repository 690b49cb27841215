package sandbox

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart measures a bot that says a word and leaves, from its start
// until all of it is gone, and until it was executed.
func BenchmarkStart(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	median := func(b *testing.B, one func()) {
		var took []time.Duration
		for b.Loop() {
			begun := time.Now()
			one()
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	}
	dir := folder(b)
	b.Run("plain", func(b *testing.B) {
		median(b, func() {
			cmd := exec.Command("/bin/echo", "x")
			if _, err := cmd.Output(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("sandboxed", func(b *testing.B) {
		j := newTestSandbox(b, usual())
		ready, err := j.Prepare(context.Background(), Command{Program: "/bin/echo", Args: []string{"echo", "x"}, Dir: dir})
		must(b, err)
		b.Log(j)
		var executed []time.Duration
		median(b, func() {
			begun := time.Now()
			i := must2(ready.Process(nil))
			var out bytes.Buffer
			i.Command().Stdout = &out
			must(b, i.ConfirmStart(i.Start()))
			executed = append(executed, time.Since(begun))
			if err := i.Wait(); err != nil || out.String() != "x\n" {
				b.Fatal(err, out.String())
			}
			i.Close()
		})
		slices.Sort(executed)
		b.ReportMetric(float64(executed[len(executed)/2].Microseconds())/1000, "p50-executed-ms")
	})
}

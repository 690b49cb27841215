package sandbox

import (
	"io"
	"strings"
	"testing"
)

// A machine that is short of processes for a moment says nothing about what it can
// isolate. So the jail must not take a lesser way because of it.
func TestProbeShortage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, line string
		failed     error
		said       string // on standard error
		short      bool
		says       string // the error; "": none
	}{
		{what: "no process", line: `{"failed":"it cannot start a process","errno":"11"}`, short: true, says: "cannot start a process"},
		{what: "no permission", line: `{"failed":"it cannot start a process","errno":"1"}`, says: "operation not permitted"},
		{what: "no file", line: `{"failed":"it could not read its own folder"}`, says: "read its own folder"},
		{
			what: "no thread", failed: io.EOF, short: true, says: "failed to create new OS thread",
			said: "runtime: failed to create new OS thread (have 3 already; errno=11)\nruntime: may need to increase max user processes\n",
		},
		{
			what: "no thread with libc", failed: io.EOF, short: true, says: "pthread_create failed",
			said: "runtime/cgo: pthread_create failed: Resource temporarily unavailable\n",
		},
		{what: "killed", failed: io.EOF, says: "did not answer: EOF"},
		{what: "garbage", line: "bestmove", says: `answered "bestmove"`},
		{what: "findings", line: `{"disk":"2048 KiB were written"}`},
	} {
		found, err := findingsOf([]byte(c.line), c.failed, c.said)
		switch {
		case c.says == "" && (err != nil || len(found) != 1):
			t.Errorf("%s: %v, %v", c.what, found, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: the error is %v", c.what, err)
		case shortage(err) != c.short:
			t.Errorf("%s: shortage is %v", c.what, !c.short)
		}
	}
}

package jailinit

import (
	"reflect"
	"testing"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	want := Task{
		Flags: 1 << 29,
		Init: []Step{
			{
				Call: 1, Args: []Arg{{Number: 1<<64 - 1}, {Data: []byte{0, 1, 255}, Add: Last, At: 8}},
				Keep: First, May: []uint64{2, AnyError}, Skip: 3,
			},
			{Call: Address},
		},
		Bot:     []Step{{Call: 300, Args: []Arg{{Number: 127}, {Number: 128}, {Number: 1 << 14}}}},
		Program: []byte("/bin/sh\x00"), Args: [][]byte{[]byte("sh\x00"), {0}}, Env: [][]byte{[]byte("PATH=/bin\x00")}, User: 2_000_000_000, Alone: true,
	}
	text := want.Encode()
	if n := numberAt(text); n != uint64(len(text)-numberSize) {
		t.Errorf("the length is %d, want %d", n, len(text)-numberSize)
	}
	var got Task
	c := coder{data: text[numberSize:], reading: true}
	if c.task(&got); len(c.data) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v; %d bytes are left", got, want, len(c.data))
	}
}

// A fork server has no garbage collector, so it may not need memory for each task.
func TestDecodeAllocatesNothing(t *testing.T) { // not parallel: it counts allocations
	one := Task{
		Init: []Step{{Args: []Arg{{Number: 1}, {Data: []byte("data")}}, May: []uint64{1, 2}}, {}}, Bot: []Step{{Args: []Arg{{}}}},
		Program: []byte("/one\x00"), Args: [][]byte{[]byte("one\x00")}, Env: [][]byte{[]byte("A=1\x00"), []byte("B=2\x00")},
	}
	two := Task{Init: []Step{{Args: []Arg{{}}}, {May: []uint64{1}}, {}}, Program: []byte("/two\x00"), Args: [][]byte{{0}, {0}}}
	inputs := [][]byte{one.Encode()[numberSize:], two.Encode()[numberSize:]}
	var p process
	both := func() {
		for _, input := range inputs {
			p.input = input
			p.decode()
		}
	}
	both()
	if n := testing.AllocsPerRun(10, both); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if len(p.task.Init) != 3 || len(p.task.Init[0].May) != 0 || p.task.Init[0].Args[0].Data != nil || len(p.env) != 1 {
		t.Errorf("something is left of the task before: %+v", p.task)
	}
}

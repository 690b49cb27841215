package sandboxinit

import (
	"reflect"
	"testing"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	want := Task{
		Init: []Step{
			{
				Call: 1, Args: []Arg{{Number: 1<<64 - 1}, {Data: []byte{0, 1, 255}, Add: Last, At: 8}},
				Keep: First, May: []uint64{2, AnyError}, Skip: 3,
			},
			{Call: Address},
		},
		Bot:     []Step{{Call: 300, Args: []Arg{{Number: 127}, {Number: 128}, {Number: 1 << 14}}}},
		Limits:  []Limit{{Resource: 2, Most: 1 << 30}, {Resource: 6, Most: 64, Threads: true}},
		Program: "/bin/sh", Args: []string{"sh", ""}, Env: []string{"PATH=/bin"}, User: 2_000_000_000, Alone: true,
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

package bots

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestClients: the clients in Python and JavaScript understand every line of the
// arena and end as the guide says. Each bot is a file beside its client.
func TestClients(t *testing.T) {
	t.Parallel()
	const (
		greeting = "id name b\nwants legal position\n"
		match    = "newmatch bechi north rounds 3 seed 71532\n"
		position = "position fen 6,0*,x,6/0*,6,6,12 6-6 N sow 2 5 first=S\nlegal b c d\n"
	)
	cases := []struct {
		name, python, javascript string
		in, out                  string
		log                      string // somewhere on standard error
		fails                    bool
	}{
		{
			name:       "unknown lines and words, CR LF and no quit",
			python:     `mbi.run("b", lambda turn: turn.legal[-1])`,
			javascript: `run("b", (turn) => turn.legal.at(-1));`,
			in:         "\r\nhello there\r\nmbi 1\r\nisready\r\n" + strings.ReplaceAll(match+position, "\n", "\r\n") + "go soon movetime 100\r\nendmatch loss 3-5 illegal\r\nerror x\r\n",
			out:        greeting + "mbiok\nreadyok\nbestmove d\n",
		}, {
			name: "what a turn holds",
			python: `
def choose(turn):
    p = turn.position
    print(turn.ruleset, turn.seat, turn.rounds, p.own, p.other, p.south, p.north, p.stores, p.side)
    print(p.phase, p.round, p.quiet, p.keys, p.signs, p.seeds["d"], p.seeds["B"], turn.limits, turn.budget, turn.time_up())
    return "resign"
mbi.run("b", choose)`,
			javascript: `
run("b", (turn) => {
  const p = turn.position;
  const row = (list) => "[" + list.join(", ") + "]";
  const object = (o) => "{" + Object.entries(o).map(([k, v]) => "'" + k + "': " + (typeof v === "number" ? v : "'" + v + "'")).join(", ") + "}";
  console.log(turn.ruleset, turn.seat, turn.rounds, row(p.own), row(p.other), row(p.south), row(p.north), "(" + p.stores.join(", ") + ")", p.side);
  console.log(p.phase, p.round, p.quiet, object(p.keys), object(p.signs), p.seeds.d, p.seeds.B, object(turn.limits), turn.budget + ".0", turn.timeUp() ? "True" : "False");
  return "resign";
});`,
			in:  match + position + "go stime 60000 ntime 60000 sinc 4000 ninc 8000\nquit\nmbi 1\n",
			out: "bestmove resign\n",
			log: "bechi north 3 [0, 6, 6, 12] [6, 0, 0, 6] [6, 0, 0, 6] [0, 6, 6, 12] (6, 6) N\n" +
				"sow 2 5 {'first': 'S'} {'B': '*', 'C': 'x', 'a': '*'} 12 0 " +
				"{'stime': 60000, 'ntime': 60000, 'sinc': 4000, 'ninc': 8000} 8000.0 False\n",
		}, {
			name: "rows of twelve holes",
			python: `
def choose(turn):
    p = turn.position
    print(turn.ruleset, len(p.own), len(p.other), p.own[11], p.seeds["l"], p.seeds["L"], p.stores)
    return "l"
mbi.run("b", choose)`,
			javascript: `
run("b", (turn) => {
  const p = turn.position;
  const stores = "(" + p.stores.join(", ") + ")";
  console.log(turn.ruleset, p.own.length, p.other.length, p.own[11], p.seeds.l, p.seeds.L, stores);
  return "l";
});`,
			in: "newmatch kalah-12x10 north seed 1\n" +
				"position fen 0,0,0,0,0,0,0,0,0,0,0,5/0,0,0,0,0,0,0,0,0,0,0,201 20-14 N sow 1 0\nlegal l\ngo\n",
			out: "bestmove l\n",
			log: "kalah-12x10 12 12 201 201 5 (20, 14)\n",
		}, {
			name: "options of all types",
			python: `
def choose(turn):
    turn.info(depth=2, score=-1.5, pv="b C")
    print(*turn.options.values(), sep="|")
    return "b"
mbi.run("b", choose, {"Depth": (4, 1, 64), "Own Book": True, "Style": ["very calm", "wild"], "File": "a b", "Empty": ""}, ["bechi"])`,
			javascript: `
run("b", (turn) => {
  turn.info({ depth: 2, score: -1.5, pv: "b C" });
  const text = (v) => (v === true ? "True" : v === false ? "False" : v);
  console.log(Object.values(turn.options).map(text).join("|"));
  return "b";
}, { options: { Depth: [4, 1, 64], "Own Book": true, Style: ["very calm", "wild"], File: "a b", Empty: "" }, plays: ["bechi"] });`,
			in: "mbi 1\n" + match + position + "go\nsetoption name Depth value 6\nsetoption name Own Book value false\n" +
				"setoption name Style value wild\nsetoption name File value c value d\nsetoption name Empty\ngo depth 3\n",
			out: greeting + "plays bechi\noption name Depth type spin default 4 min 1 max 64\n" +
				"option name Own Book type check default true\noption name Style type combo default very calm var very calm var wild\n" +
				"option name File type string default a b\noption name Empty type string default\nmbiok\n" +
				"info depth 2 score -1.5 pv b C\nbestmove b\ninfo depth 2 score -1.5 pv b C\nbestmove b\n",
			log: "4|True|very calm|a b|\n6|False|wild|c value d|\n",
		}, {
			name: "options of wrong shapes",
			python: `
import sys
for option in [4, 1.5, None, {}, [], [4], [0, 10, 100], [1, 2.5, 9], ["calm", 1]]:
    try:
        mbi.run("b", print, {"Depth": option})
    except ValueError as refused:
        print(str(refused).split("(")[0], file=sys.stderr)`,
			javascript: `
for (const option of [4, 1.5, null, {}, [], [4], [0, 10, 100], [1, 2.5, 9], ["calm", 1]])
  await run("b", () => "b", { options: { Depth: option } }).catch((refused) => console.error(refused.message.split("[")[0]));`,
			log: strings.Repeat("option Depth: write \n", 9),
		}, {
			name:       "games as a text; a position without the fields that it asked for",
			python:     `mbi.run("b", lambda turn: "b", plays="awale oware")`,
			javascript: `run("b", () => "b", { plays: "awale oware" });`,
			in:         "mbi 1\nposition startpos\nisready\n",
			out:        greeting + "plays awale oware\nmbiok\n",
			log:        "this bot says wants position, so it expects position fen",
			fails:      true,
		}, {
			name:       "a function that empties the list of legal moves",
			python:     `mbi.run("b", lambda turn: [turn.legal.pop() for _ in "bcd"][0])`,
			javascript: `run("b", (turn) => turn.legal.splice(0)[2]);`,
			in:         match + position + "go\n",
			out:        "bestmove d\n",
		}, {
			name:       "no function",
			python:     `mbi.run("b", "c")`,
			javascript: `run("b", "c");`,
			in:         "mbi 1\n",
			log:        "write run(name, choose), where choose is your function",
			fails:      true,
		}, {
			name: "the same seed, the same moves; and an empty memory",
			python: `
def choose(turn):
    turn.memory["asked"] = turn.memory.get("asked", 0) + 1
    first, second = turn.random.random(), turn.memory.setdefault("drawn", [])
    second.append(first)
    print("same" if second == drawn[: len(second)] else "other", turn.memory["asked"])
    drawn.extend(second[len(drawn):])
    return "b"
drawn = []
mbi.run("b", choose)`,
			javascript: `
const drawn = [];
run("b", (turn) => {
  turn.memory.asked = (turn.memory.asked ?? 0) + 1;
  const second = (turn.memory.drawn ??= []);
  second.push(turn.random());
  console.log(second.every((x, i) => x === drawn[i]) ? "same" : "other", turn.memory.asked);
  drawn.push(...second.slice(drawn.length));
  return "b";
});`,
			in:  match + position + "go\ngo\n" + match + "go\ngo\n" + "newmatch bechi south seed 2\ngo\n",
			out: strings.Repeat("bestmove b\n", 5),
			log: "other 1\nother 2\nsame 1\nsame 2\nother 1\n",
		}, {
			name:       "a move that is not legal",
			python:     `mbi.run("b", lambda turn: "B")`,
			javascript: `run("b", () => "B");`,
			in:         match + position + "go\nisready\n",
			log:        "; the legal moves are b c d",
			fails:      true,
		}, {
			name:       "an exception",
			python:     `mbi.run("b", lambda turn: turn.legal[turn.random.randrange(1) + 9])`,
			javascript: `run("b", async (turn) => turn.legal[9].length);`,
			in:         match + position + "go\nisready\n",
			log:        "Error: ",
			fails:      true,
		},
	}
	clients := []struct{ program, client, bot, head string }{
		{"python3", "python/mbi.py", "b.py", "import mbi\n"},
		{"node", "javascript/mbi.mjs", "b.mjs", "import { run } from \"./mbi.mjs\";\n"},
	}
	for _, client := range clients {
		for _, c := range cases {
			t.Run(client.program+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				program, err := exec.LookPath(client.program)
				if err != nil {
					t.Skipf("there is no %s", client.program)
				}
				bot := c.python
				if client.program == "node" {
					bot = c.javascript
				}
				dir := t.TempDir()
				for name, text := range map[string]string{
					filepath.Base(client.client): read(t, client.client), client.bot: client.head + bot + "\n",
				} {
					must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := exec.CommandContext(ctx, program, filepath.Join(dir, client.bot))
				var out, log bytes.Buffer
				cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.in), &out, &log
				err = cmd.Run()
				if status := cmd.ProcessState.ExitCode(); (status == 1) != c.fails || !c.fails && err != nil {
					t.Errorf("it ended with %v", err)
				}
				if out.String() != c.out {
					t.Errorf("it said\n%s\nwant\n%s", out.String(), c.out)
				}
				if !strings.Contains(log.String(), c.log) {
					t.Errorf("standard error:\n%s\nwant\n%s", log.String(), c.log)
				}
			})
		}
	}
}

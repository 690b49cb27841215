// Takes as many seeds as it can in one move of awale or oware, and looks no further.
//
//   sembra check -- node taker.mjs
import { createInterface } from "node:readline";

// taken returns how many seeds a sowing takes. The board is the mover's six holes, then
// those of the other side, counter-clockwise.
function taken(board, hole) {
  board = [...board];
  let at = hole;
  for (let seeds = board[hole]; seeds > 0; seeds--) {
    do at = (at + 1) % 12;
    while (at === hole); // this hole stays empty
    board[at]++;
  }
  let sum = 0;
  const across = board.slice(6).reduce((a, b) => a + b);
  for (; at >= 6 && (board[at] === 2 || board[at] === 3); at--) sum += board[at];
  return sum === across ? 0 : sum; // in oware, whoever would take everything takes nothing
}

// boardOf reads "fen 4,4,4,4,4,4/4,4,4,4,4,4 0-0 S ...".
function boardOf([, rows, , side]) {
  const [south, north] = rows.split("/").map((row) => row.split(",").map(Number));
  return side === "S" ? [...south, ...north] : [...north, ...south];
}

let board, legal;
const say = (text) => process.stdout.write(text + "\n"); // sent immediately
const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
for await (const line of input) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "mbi") say("id name taker\nplays awale oware\nwants legal position\nmbiok");
  else if (word === "isready") say("readyok");
  else if (word === "position") board = boardOf(rest);
  else if (word === "legal") legal = rest;
  else if (word === "go") {
    const takes = legal.map((move) => taken(board, "abcdef".indexOf(move.toLowerCase())));
    say("bestmove " + legal[takes.indexOf(Math.max(...takes))]);
  } else if (word === "quit") break;
}
input.close(); // so that the process can end

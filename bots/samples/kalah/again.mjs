// Plays kalah: moves again if it can, or else captures as much as it can.
//
//   sembra check --protocol board --ruleset kalah -- node again.mjs
import { createInterface } from "node:readline";

// choose returns a hole of the own row, from 0. The store is the place after the last one.
function choose(own, other) {
  const worth = (hole) => {
    const last = (hole + own[hole]) % (own.length + other.length + 1);
    if (last === own.length) return 1000;
    return own[last] === 0 ? other.at(-1 - last) : 0; // captures what lies opposite
  };
  const legal = [...own.keys()].reverse().filter((hole) => own[hole] > 0);
  return legal.reduce((best, hole) => (worth(hole) > worth(best) ? hole : best));
}

for await (const line of createInterface({ input: process.stdin })) {
  const seeds = line.trim().split(" ").map(Number);
  const holes = (seeds.length - 2) / 2; // the stores are the last two
  console.log(choose(seeds.slice(0, holes), seeds.slice(holes, 2 * holes)));
}

/**
 * The bot's side of MBI 1, the mancala bot interface, for Node.js 18 or later.
 *
 * Copy this file beside your bot. A bot is then one function from a turn to a move:
 *
 *     import { run } from "./mbi.mjs";
 *     run("mybot", (turn) => turn.pick(turn.legal));
 *
 * What the bot writes with console.log goes to standard error, so that it cannot disturb the
 * protocol. An exception ends the bot with its stack trace and exit status 1.
 */
import { createInterface } from "node:readline";

/** A position of any game, read from its text. */
export class Position {
  /** @param {string} text */
  constructor(text) {
    const [rows, stores, side, phase, round, quiet, ...keys] = text.split(" ");
    const [south, north] = rows.split("/").map((row) => row.split(","));
    const holes = [...south.map((hole, i) => ["ABCDEFGHIJKL"[i], hole]), ...north.map((hole, i) => ["abcdefghijkl"[i], hole])];
    const seeds = (hole) => parseInt(hole, 10) || 0;
    this.text = text;
    /** @type {Record<string, number>} the seeds of each hole: seeds.C is South's, seeds.c is North's */
    this.seeds = Object.fromEntries(holes.map(([name, hole]) => [name, seeds(hole)]));
    /** @type {Record<string, string>} the signs of holes: "*" is marked, "x" closed or erased */
    this.signs = Object.fromEntries(holes.filter(([, hole]) => /[*x]$/.test(hole)).map(([name, hole]) => [name, hole.slice(-1)]));
    /** From South's left. */
    this.south = south.map(seeds);
    /** From North's left. */
    this.north = north.map(seeds);
    /** South's store and North's. */
    this.stores = stores.split("-").map(Number);
    /** Who is to move: "S" or "N". */
    this.side = side;
    /** The rows of the side to move and of the other side. */
    [this.own, this.other] = side === "S" ? [this.south, this.north] : [this.north, this.south];
    /** "sow", "fill" or "start" */
    this.phase = phase;
    /** From 1. */
    this.round = Number(round);
    /** Sowings since the last capture. */
    this.quiet = Number(quiet);
    /** @type {Record<string, string>} what some games add */
    this.keys = Object.fromEntries(keys.map((key) => key.split("=")));
  }
}

/** What the bot knows when it has to move. */
export class Turn {
  /** The name of the game, such as "awale". */
  ruleset = "";
  /** The bot's seat: "south" or "north". */
  seat = "";
  /** The limit of rounds; 1 in a game of a single round. */
  rounds = 1;
  /** @type {Position} */
  position;
  /** @type {string[]} all legal moves */
  legal = [];
  /** @type {Record<string, boolean | number | string>} */
  options = {};
  /** For the bot, and empty at the beginning of every match. */
  memory = {};
  /** @type {Record<string, number>} of go, in milliseconds: movetime, stime, ntime, sinc, ninc; and depth, nodes */
  limits = {};
  /** @type {number | undefined} milliseconds to think about this move; undefined without a clock */
  budget;
  /** Returns a random number from 0 up to 1, by the seed of the match. @type {() => number} */
  random;

  /** Returns a random element. @template T @param {T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** Whether the budget is used up; always false without a clock. */
  timeUp() {
    return this.budget !== undefined && performance.now() - this.begun >= this.budget;
  }

  /** Reports on the search to the arena; pv comes last: info({ depth: 4, score: -1.5, pv: "C a" }). */
  info(what) {
    say("info " + Object.entries(what).map(([key, value]) => `${key} ${value}`).join(" "));
  }

  /** Prints to standard error. sembra replay MATCH --log shows it after a fault. */
  log(...what) {
    console.error(...what);
  }
}

/**
 * Plays until the arena says quit.
 *
 * The type of an option is that of its default: true or false; [default, min, max] for whole
 * numbers; a list of choices, the default first; a string. plays lists the games that the bot
 * plays; without it the bot plays all of them. A wrong option throws an Error.
 *
 * @param {string} name
 * @param {(turn: Turn) => string | Promise<string>} choose returns one of turn.legal, or "resign"
 * @param {{ options?: Record<string, boolean | string | number[] | string[]>, plays?: string | string[] }} about
 */
export async function run(name, choose, { options = {}, plays = [] } = {}) {
  if (typeof choose !== "function") throw new Error(`run: write run(name, choose), where choose is your function, not ${choose}`);
  const offers = Object.entries(options).map(([key, option]) => `option name ${key} type ${describe(key, option)}`.trimEnd());
  if (process.stdin.isTTY) console.error(`This bot waits for the arena. To try it: sembra check -- node ${process.argv[1]}`);
  console.log = console.info = console.debug = console.error;
  const turn = new Turn();
  let legal = []; // choose may change turn.legal
  for (const [key, option] of Object.entries(options)) turn.options[key] = Array.isArray(option) ? option[0] : option;
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of input) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "mbi") {
      say(`id name ${name}\nwants legal position`);
      if (plays.length > 0) say("plays " + [plays].flat().join(" "));
      offers.forEach(say);
      say("mbiok");
    } else if (word === "setoption") {
      const [, key, text = ""] = line.match(/^setoption name (.*?)(?: value (.*))?$/);
      if (!(key in options)) throw new Error(`unknown option ${key}`);
      turn.options[key] = { boolean: text === "true", number: Number(text), string: text }[typeof turn.options[key]];
    } else if (word === "isready") {
      say("readyok");
    } else if (word === "newmatch") {
      turn.ruleset = rest[0];
      turn.seat = rest[1];
      turn.rounds = Number(rest[rest.indexOf("rounds") + 1]) || 1;
      turn.random = generator(Number(rest[rest.indexOf("seed") + 1]));
      turn.memory = {};
    } else if (word === "position") {
      if (rest[0] !== "fen") throw new Error("this bot says wants position, so it expects position fen and a position");
      turn.position = new Position(rest.slice(1).join(" "));
    } else if (word === "legal") {
      turn.legal = rest;
      legal = [...rest];
    } else if (word === "go") {
      turn.begun = performance.now();
      turn.limits = {};
      for (let i = 0; i + 1 < rest.length; i++) if (/^\d+$/.test(rest[i + 1])) turn.limits[rest[i]] = Number(rest[i + 1]);
      turn.budget = budget(turn.limits, turn.position.side.toLowerCase());
      const move = await choose(turn);
      if (!legal.includes(move) && move !== "resign")
        throw new Error(`choose returned ${JSON.stringify(move)}; the legal moves are ${legal.join(" ")}`);
      say("bestmove " + move);
    } else if (word === "quit") {
      break;
    }
  }
  process.exit();
}

// say sends a line immediately.
function say(line) {
  process.stdout.write(line + "\n");
}

// budget returns three quarters of movetime; or a thirtieth of the time left and three quarters
// of the increment, but at most half of the time left.
function budget(limits, side) {
  if (limits.movetime !== undefined) return limits.movetime * 0.75;
  const left = limits[side + "time"];
  return left === undefined ? undefined : Math.min(left / 30 + (limits[side + "inc"] ?? 0) * 0.75, left / 2);
}

function describe(key, option) {
  if (typeof option === "boolean") return `check default ${option}`;
  if (typeof option === "string") return `string default ${option}`;
  const many = Array.isArray(option) ? option : [];
  if (many.length > 0 && many.every((choice) => typeof choice === "string")) return `combo default ${many[0]} var ${many.join(" var ")}`;
  const [value, min, max] = many;
  if (many.length === 3 && many.every(Number.isInteger) && min <= value && value <= max) return `spin default ${value} min ${min} max ${max}`;
  throw new Error(
    `option ${key}: write [default, min, max], such as [4, 1, 10], not ${JSON.stringify(option)}; ` +
      `or true, a text, or a list of texts such as ["calm", "wild"]`,
  );
}

// generator returns a generator of random numbers from 0 up to 1: mulberry32.
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

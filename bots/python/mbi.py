"""The bot's side of MBI 1, the mancala bot interface, for Python 3.8 or later.

Copy this file beside your bot. A bot is then one function from a turn to a move:

    import mbi

    def choose(turn):
        return turn.random.choice(turn.legal)

    mbi.run("mybot", choose)

What the bot prints goes to standard error, so that it cannot disturb the protocol. An
exception ends the bot with its traceback and exit status 1.
"""
from __future__ import annotations

import random
import sys
import time
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

Value = Union[bool, int, str]
Option = Union[bool, str, Sequence[int], Sequence[str]]


class Position:
    """A position of any game, read from its text."""

    def __init__(self, text: str) -> None:
        rows, stores, side, phase, number, quiet, *keys = text.split()
        south, north = (row.split(",") for row in rows.split("/"))
        holes = {**dict(zip("ABCDEFGHIJKL", south)), **dict(zip("abcdefghijkl", north))}
        self.text = text
        self.seeds: Dict[str, int] = {name: int(hole.strip("*x") or 0) for name, hole in holes.items()}  # "C", "c"
        self.signs: Dict[str, str] = {  # "*" is a marked hole, "x" a closed or erased one
            name: hole[-1] for name, hole in holes.items() if not hole.isdigit()
        }
        self.south: List[int] = [n for name, n in self.seeds.items() if name.isupper()]  # from South's left
        self.north: List[int] = [n for name, n in self.seeds.items() if name.islower()]  # from North's left
        self.stores: Tuple[int, ...] = tuple(int(store) for store in stores.split("-"))  # South's, North's
        self.side = side  # who is to move: "S" or "N"
        self.own, self.other = (self.south, self.north) if side == "S" else (self.north, self.south)
        self.phase = phase  # "sow", "fill" or "start"
        self.round = int(number)  # from 1
        self.quiet = int(quiet)  # sowings since the last capture
        self.keys: Dict[str, str] = dict(key.split("=", 1) for key in keys)  # what some games add


class Turn:
    """What the bot knows when it has to move."""

    ruleset: str  # the name of the game, such as "awale"
    seat: str  # the bot's seat: "south" or "north"
    rounds: int  # the limit of rounds; 1 in a game of a single round
    position: Position
    legal: List[str]  # all legal moves
    options: Dict[str, Value]
    random: random.Random  # begins every match with the seed that the arena gives
    memory: dict  # for the bot, and empty at the beginning of every match
    limits: Dict[str, int]  # of go, in milliseconds: movetime, stime, ntime, sinc, ninc; and depth, nodes
    budget: Optional[float]  # milliseconds to think about this move; None without a clock

    _say: Callable[[str], None]
    _begun: float

    def time_up(self) -> bool:
        """Whether the budget is used up; always False without a clock."""
        return self.budget is not None and (time.monotonic() - self._begun) * 1000 >= self.budget

    def info(self, **what: Union[int, float, str]) -> None:
        """Reports on the search to the arena; pv comes last: info(depth=4, score=-1.5, pv="C a")."""
        self._say("info " + " ".join(f"{key} {value}" for key, value in what.items()))

    def log(self, *what: object) -> None:
        """Prints to standard error. sembra replay MATCH --log shows it after a fault."""
        print(*what, file=sys.stderr, flush=True)


def run(name: str, choose: Callable[[Turn], str], options: Optional[Dict[str, Option]] = None,
        plays: Union[str, Sequence[str]] = ()) -> None:
    """Plays until the arena says quit. choose returns one of turn.legal, or "resign".

    The type of an option is that of its default: True or False; (default, min, max) for whole
    numbers; a list of choices, the default first; a string. plays lists the games that the
    bot plays; without it the bot plays all of them. A wrong option raises ValueError.
    """
    if not callable(choose):
        raise TypeError(f"run: write run(name, choose), where choose is your function, not {choose!r}")
    options = options or {}
    offers = [f"option name {key} type {_describe(key, option)}".rstrip() for key, option in options.items()]
    if sys.stdin.isatty():
        print(f"This bot waits for the arena. To try it: sembra check -- python3 {sys.argv[0]}", file=sys.stderr)
    out, sys.stdout = sys.stdout, sys.stderr

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    turn = Turn()
    turn._say = say
    turn.options = {key: option if isinstance(option, (bool, str)) else option[0] for key, option in options.items()}
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "mbi":
            say(f"id name {name}\nwants legal position")
            if plays:
                say("plays " + (plays if isinstance(plays, str) else " ".join(plays)))
            for offer in offers:
                say(offer)
            say("mbiok")
        elif word == "setoption":
            key, _, value = line.rstrip("\r\n").partition("name ")[2].partition(" value ")
            turn.options[key] = _value(turn.options[key], value)
        elif word == "isready":
            say("readyok")
        elif word == "newmatch":
            more = dict(zip(rest[2::2], rest[3::2]))
            turn.ruleset, turn.seat, turn.rounds = rest[0], rest[1], int(more.get("rounds", 1))
            turn.random, turn.memory = random.Random(int(more["seed"])), {}
        elif word == "position":
            if rest[:1] != ["fen"]:
                raise ValueError("this bot says wants position, so it expects position fen and a position")
            turn.position = Position(" ".join(rest[1:]))
        elif word == "legal":
            turn.legal, legal = rest, tuple(rest)  # choose may change turn.legal
        elif word == "go":
            turn._begun = time.monotonic()
            turn.limits = {key: int(value) for key, value in zip(rest, rest[1:]) if value.isdigit()}
            turn.budget = _budget(turn.limits, turn.position.side.lower())
            move = choose(turn)
            if move not in legal and move != "resign":
                raise ValueError(f"choose returned {move!r}; the legal moves are {' '.join(legal)}")
            say("bestmove " + move)
        elif word == "quit":
            return


def _budget(limits: Dict[str, int], side: str) -> Optional[float]:
    """Three quarters of movetime; or a thirtieth of the time left and three quarters of the
    increment, but at most half of the time left."""
    if "movetime" in limits:
        return limits["movetime"] * 0.75
    if side + "time" not in limits:
        return None
    left = limits[side + "time"]
    return min(left / 30 + limits.get(side + "inc", 0) * 0.75, left / 2)


def _describe(key: str, option: Option) -> str:
    if isinstance(option, bool):
        return "check default " + str(option).lower()
    if isinstance(option, str):
        return "string default " + option
    many = list(option) if isinstance(option, (tuple, list)) else []
    if many and all(isinstance(choice, str) for choice in many):
        return f"combo default {many[0]} var " + " var ".join(many)
    if len(many) == 3 and all(type(number) is int for number in many) and many[1] <= many[0] <= many[2]:
        return "spin default %d min %d max %d" % tuple(many)
    raise ValueError(f"option {key}: write (default, min, max), such as (4, 1, 10), not {option!r}; "
                     'or True, a text, or a list of texts such as ["calm", "wild"]')


def _value(default: Value, text: str) -> Value:
    if isinstance(default, bool):
        return text == "true"
    return int(text) if isinstance(default, int) else text

# A whole bot. It asks for the legal moves and plays any of them, in every game.
#
#   sembra check -- python3 first.py
import random
import sys

legal = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "mbi":  # who are you?
        print("id name first\nwants legal\nmbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "newmatch":  # the same seed, the same moves again
        random.seed(rest[-1])
    elif word == "legal":
        legal = rest
    elif word == "go":  # your move
        print("bestmove", random.choice(legal), flush=True)
    elif word == "quit":
        break

# Wraps a program that does not speak MBI. The arena starts: python3 wrap.py PROGRAM ARG…
# This program reads a line for each of its moves: the seeds of its own row, those of the
# other row, and both stores, its own first. It answers with the number of a hole, from 1.
import subprocess
import sys

program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def ask(position):
    rows, stores, side = position.split()[:3]
    rows, stores = rows.split("/"), stores.split("-")
    if side == "N":  # its own row and store come first
        rows.reverse()
        stores.reverse()
    print(*rows[0].split(","), *rows[1].split(","), *stores, file=program.stdin, flush=True)
    answer = program.stdout.readline()  # "" if the program has exited
    return ("ABCDEFGHIJKL" if side == "S" else "abcdefghijkl")[int(answer) - 1]


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mbi":
        print("id name wrapped\nplays awale oware kalah\nwants position\nmbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        position = rest.removeprefix("fen ")
    elif word == "go":
        print("bestmove", ask(position), flush=True)
    elif word == "quit":
        break

program.kill()

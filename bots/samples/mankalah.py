# Wraps a bot for ManKalah, the server of Manchester's COMP34120, on boards of any size:
#    sembra check --ruleset kalah-7x7-full-swap -- python3 mankalah.py java -jar Agent.jar
# Every match is a new process of the bot, which reads START, CHANGE and END, and writes MOVE or SWAP. It starts before the
# match, because a virtual machine takes its time.
import re
import subprocess
import sys

NAMES = "ABCDEFGHIJKL", "abcdefghijkl"


class Match:
    def __init__(self, ruleset, seat):
        self.ruleset, self.seat = ruleset, seat  # 0: South, 1: North
        self.bot = ready.pop()
        self.turned = False  # ManKalah's South sits where Sembra's North does
        self.told = None  # the number of moves that the bot knows; None: it does not know the first position

    def write(self, *words):
        print(*words, sep=";", file=self.bot.stdin, flush=True)

    def read(self):  # a hole from 1, or 0 for a swap
        word, _, hole = self.bot.stdout.readline().strip().partition(";")
        if word not in ("MOVE", "SWAP"):
            sys.exit("the bot wrote neither MOVE nor SWAP")
        return int(hole or 0)

    def begin(self, text):
        first = re.search(r"-(\d+)x(\d+)", self.ruleset)
        holes, seeds = (int(n) for n in first.groups()) if first else (6, 4)
        row = ",".join([str(seeds)] * holes)
        board = text.removeprefix("fen ") if text.startswith("fen ") else f"{row}/{row} 0-0 S - 1 0 swap=N"
        self.rows = [[int(n) for n in row.split(",")] for row in board.split()[0].split("/")]
        self.stores = [int(n) for n in board.split()[1].split("-")]
        self.side = "SN".index(board.split()[2])
        self.swap = "-swap" in self.ruleset and board.endswith("swap=N")
        self.told, move = 0, 1
        if self.seat == 1 and self.swap:
            self.write("START", "North")
        else:  # only South is sure not to swap
            self.turned = self.seat == 1
            self.write("START", "South")
            if text == "startpos" and self.seat == 0:
                return self.read()
            move = self.read()  # for a board that is not ours
        if self.side == self.seat:
            return self.change(move)

    def change(self, move):  # and the bot's answer, if it is to move
        rows = [row + [store] for row, store in zip(self.rows, self.stores)]
        state = rows[0] + rows[1] if self.turned else rows[1] + rows[0]
        self.write("CHANGE", move, ",".join(map(str, state)), "YOU" if self.side == self.seat else "OPP")
        return self.read() if self.side == self.seat else None

    def play(self, token):
        me, size = self.side, len(self.rows[0])
        if token == "swap":  # Sembra turns the board, and ManKalah the players
            self.rows.reverse()
            self.stores.reverse()
            self.turned, self.side, self.swap = not self.turned, 0, False
            return None if me == self.seat else self.change("SWAP")
        row, other, at = self.rows[me], self.rows[1 - me], NAMES[me].index(token)
        hand, row[at] = row[at], 0
        for at in (place % (2 * size + 1) for place in range(at + 1, at + 1 + hand)):
            if at == size:
                self.stores[me] += 1
            else:
                (row if at < size else other)[at if at < size else at - size - 1] += 1
        across = size - 1 - at
        if at < size and row[at] == 1 and (other[across] or "-empty-capture" in self.ruleset):
            self.stores[me] += 1 + other[across]
            row[at] = other[across] = 0
        if at != size or (self.swap and me == 0):
            self.side = 1 - me
        self.swap = self.swap and me == 0
        return self.change(NAMES[me].index(token) + 1)

    def position(self, text):  # the bot's answer
        start, _, moves = text.partition(" moves ")
        answer = self.begin(start) if self.told is None else None
        for token in moves.split()[self.told:]:
            self.told += 1
            answer = self.play(token)
        return answer

    def end(self):
        try:
            self.write("END")
            self.bot.wait(timeout=1)
        except (OSError, subprocess.TimeoutExpired):
            self.bot.kill()


def start():
    return subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


ready = [start()]  # the process for the next match
match = None
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mbi":
        print(f"id name {sys.argv[-1]}\nmbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word in ("newmatch", "endmatch", "quit"):
        if match:
            match.end()
        if word == "quit":
            break
        ready = ready or [start()]
        match = Match(rest.split()[0], int("north" in rest.split())) if word == "newmatch" else None
    elif word == "position":
        text = rest
    elif word == "go":
        answer = match.position(text)
        print("bestmove", NAMES[match.seat][answer - 1] if answer else "swap", flush=True)
for bot in ready:
    bot.kill()

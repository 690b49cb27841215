# Wraps a bot for the Kalah Game Protocol, as the server of FAU Erlangen speaks it, in mode freeplay:
#    sembra check --ruleset kalah -- python3 kgp.py ./mybot
# It speaks over the bot's input and output or, with --tcp PORT before the bot, over TCP: the bot then connects to that
# port of localhost, which KGP_HOST and KGP_PORT tell it (0 is any free one), and needs isolation with network.
import os
import queue
import random
import re
import socket
import subprocess
import sys
import threading
import time

COMMAND = re.compile(r"\s*(?:(\d*)(?:@(\d+))?\s+)?([a-z]\w*)\s*(.*?)\s*$")
WITHOUT_CLOCK = 1.0  # seconds for a move
commands = queue.Queue()  # of the bot: reference, name and argument
lock = threading.Lock()
last = 0  # the number of the last command that was sent


def connect(words):
    """Starts the bot and returns what it writes and where it reads."""
    if words[0] != "--tcp":
        bot = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return bot, bot.stdout, bot.stdin
    with socket.create_server(("127.0.0.1", int(words[1]))) as server:
        port = str(server.getsockname()[1])
        bot = subprocess.Popen(words[2:], env={**os.environ, "KGP_HOST": "localhost", "KGP_PORT": port},
                               stdin=subprocess.DEVNULL, stdout=sys.stderr)
        connection, _ = server.accept()
    return bot, connection.makefile("r"), connection.makefile("w")


def send(reference, *words):
    global last
    with lock:
        last += 2
        print(f"{last}{'@' + reference if reference else ''}", *words, end="\r\n", file=writes, flush=True)
        return str(last)


def receive():
    for line in reads:
        number, reference, name, argument = COMMAND.match(line).groups() if COMMAND.match(line) else [""] * 4
        if name == "ping":
            send(number, "pong", argument)
        else:
            commands.put((reference, name, argument))
    commands.put((None, "goodbye", ""))


def command(seconds=None):
    reference, name, argument = commands.get(timeout=seconds)
    if name == "goodbye":
        sys.exit("the bot has left")
    return reference, name, argument


def budget(words, side):
    """The seconds for a move, from the limits of go."""
    limits = {word: int(value) / 1000 for word, value in zip(words[::2], words[1::2])}
    if "movetime" in limits:
        return 0.75 * limits["movetime"]
    left = limits.get(side + "time")
    return WITHOUT_CLOCK if left is None else min(left / 2, left / 30 + 0.75 * limits.get(side + "inc", 0))


def ask(position, words):
    rows, stores, side = position.split()[:3]
    rows, stores = [row.split(",") for row in rows.split("/")], stores.split("-")
    if side == "N":  # the bot is always South
        rows.reverse()
        stores.reverse()
    until = time.monotonic() + budget(words, side.lower())
    state = send(None, "state", f"<{','.join([str(len(rows[0])), *stores, *rows[0], *rows[1]])}>")
    move = 1 + random.choice([hole for hole, seeds in enumerate(rows[0]) if seeds != "0"])  # as the server does
    try:
        while True:
            reference, name, argument = command(max(0, until - time.monotonic()))
            if reference in (None, state) and name == "move":
                move = int(argument)
            elif reference in (None, state) and name == "yield":
                break
    except queue.Empty:
        pass
    send(state, "stop")
    names = "ABCDEFGHIJKL" if side == "S" else "abcdefghijkl"
    return names[move - 1] if 1 <= move <= len(names) else str(move)


bot, reads, writes = connect(sys.argv[1:])
threading.Thread(target=receive, daemon=True).start()
print("kgp 1 0 0", end="\r\n", file=writes, flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mbi":
        while command()[1] != "mode":  # it may set its name before
            pass
        print(f"id name {sys.argv[-1]}\nwants position\nmbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        position = rest.removeprefix("fen ")
    elif word == "go":
        print("bestmove", ask(position, rest.split()), flush=True)
    elif word == "quit":
        break
bot.kill()

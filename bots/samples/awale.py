# Looks three plies ahead in awale and oware. It knows the rules itself.
#
#   sembra check -- python3 awale.py
import sys


def play(board, hole, ruleset):
    """Returns the seeds taken and the board as the other side sees it; None if illegal.
    A board is the mover's six holes and then the other side's, counter-clockwise."""
    if board[hole] == 0:
        return None
    board, at, seeds, taken = board[:hole] + [0] + board[hole + 1:], hole, board[hole], 0
    while seeds > 0:
        at = (at + 1) % 12
        if at != hole:  # this hole stays empty
            board[at], seeds = board[at] + 1, seeds - 1
    sown = board[:]
    while at >= 6 and board[at] in (2, 3):
        taken, board[at], at = taken + board[at], 0, at - 1
    if not any(board[6:]):  # the other side would have nothing left to sow
        if ruleset != "oware" or taken == 0:
            return None
        board, taken = sown, 0  # in oware, whoever would take everything takes nothing
    return taken, board[6:] + board[:6]


def choose(board, depth, ruleset):
    """Returns how many seeds the mover can gain on the other side, and with which hole."""
    if depth == 0:
        return 0, None
    best = None
    for hole in range(6):
        if played := play(board, hole, ruleset):
            gain = played[0] - choose(played[1], depth - 1, ruleset)[0]
            if best is None or gain > best[0]:
                best = gain, hole
    return best or (sum(board[:6]) - sum(board[6:]), None)  # no move: each takes its row


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "mbi":
        print("id name awale\nplays awale oware\nmbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "newmatch":
        ruleset = rest[0]
    elif word == "position":  # startpos, or fen and six fields; then maybe moves
        rows, side = (rest[1], rest[3]) if rest[0] == "fen" else ("4,4,4,4,4,4/4,4,4,4,4,4", "S")
        south, north = ([int(seeds) for seeds in row.split(",")] for row in rows.split("/"))
        board = south + north if side == "S" else north + south
        for move in rest[rest.index("moves") + 1:] if "moves" in rest else []:
            board = play(board, "abcdef".index(move.lower()), ruleset)[1]
            side = "N" if side == "S" else "S"
    elif word == "go":
        hole = choose(board, 3, ruleset)[1]
        print("bestmove", ("ABCDEF" if side == "S" else "abcdef")[hole], flush=True)
    elif word == "quit":
        break

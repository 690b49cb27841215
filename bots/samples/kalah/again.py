# Plays kalah: moves again if it can, or else captures as much as it can.
#
#   sembra check --protocol board --ruleset kalah -- python3 again.py
import sys


def choose(own, other):
    """Returns a hole of the own row, from 0. The store is the place after the last one."""
    def worth(hole):
        last = (hole + own[hole]) % (len(own) + len(other) + 1)
        if last >= len(own):
            return 1000 if last == len(own) else 0
        return other[-1 - last] if own[last] == 0 else 0  # captures what lies opposite

    return max((hole for hole in reversed(range(len(own))) if own[hole]), key=worth)


for line in sys.stdin:
    seeds = [int(number) for number in line.split()]
    holes = (len(seeds) - 2) // 2  # the stores are the last two
    print(choose(seeds[:holes], seeds[holes:2 * holes]), flush=True)

/* Plays kalah: moves again if it can, or else captures as much as it can.
 *
 *   cc -O2 -o again again.c
 *   sembra check --protocol board --ruleset kalah -- ./again
 */
#include <stdio.h>

enum { HOLES = 6 };

/* Returns a hole of the own row, from 0. The store is the place after the last one. */
static int choose(const int *own, const int *other) {
    int best = -1, most = -1;
    for (int hole = HOLES - 1; hole >= 0; hole--) {
        int last = (hole + own[hole]) % (2 * HOLES + 1), worth = 0;
        if (last == HOLES)
            worth = 1000;
        else if (last < HOLES && own[last] == 0)
            worth = other[HOLES - 1 - last]; /* captures what lies opposite */
        if (own[hole] > 0 && worth > most) {
            best = hole;
            most = worth;
        }
    }
    return best;
}

int main(void) {
    int seeds[2 * HOLES + 2], read = 0; /* the stores are the last two */
    while (scanf("%d", &seeds[read]) == 1) {
        if (++read == 2 * HOLES + 2) {
            printf("%d\n", choose(seeds, seeds + HOLES));
            fflush(stdout); /* sends the answer immediately */
            read = 0;
        }
    }
    return 0;
}

/* Plays the legal move whose hole has the fewest seeds, in every game.
 *
 *   cc -O2 -o fewest fewest.c
 *   sembra check -- ./fewest
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the seeds of the hole that a move begins with, or 0 if it begins with no hole.
 * The position is "fen 4,4,4,4,4,4/4,4,4,4,4,4 ...": South's row, then North's. */
static int seeds(const char *position, const char *move) {
    const char *at = strchr(position, ' ');
    if (at != NULL && islower((unsigned char)*move))
        at = strchr(at, '/');
    for (int i = toupper((unsigned char)*move) - 'A'; at != NULL && i > 0; i--)
        at = strchr(at + 1, ',');
    return at == NULL ? 0 : atoi(at + 1);
}

/* Returns the rest of a line after its first word, if that is the given word, or NULL. */
static char *after(char *line, const char *word) {
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0 || (line[n] != ' ' && line[n] != '\0'))
        return NULL;
    return line[n] == ' ' ? line + n + 1 : line + n;
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* sends every line immediately */
    char *line = NULL, *position = strdup(""), best[64] = "", *rest;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) { /* makes room for lines of any length */
        line[strcspn(line, "\r\n")] = '\0';
        if (after(line, "mbi")) {
            printf("id name fewest\nwants legal position\nmbiok\n");
        } else if (after(line, "isready")) {
            printf("readyok\n");
        } else if ((rest = after(line, "position"))) {
            free(position);
            position = strdup(rest);
        } else if ((rest = after(line, "legal"))) {
            best[0] = '\0';
            for (char *move = strtok(rest, " "); move != NULL; move = strtok(NULL, " "))
                if (best[0] == '\0' || seeds(position, move) < seeds(position, best))
                    snprintf(best, sizeof best, "%s", move);
        } else if (after(line, "go")) {
            printf("bestmove %s\n", best);
        } else if (after(line, "quit")) {
            break;
        }
    }
    return 0;
}

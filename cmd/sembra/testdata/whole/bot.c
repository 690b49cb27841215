/* A bot of BenchmarkWhole: it plays a legal move that its seed chooses. It reads and writes with ordinary stdio. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[65536], legal[65536];
    char *moves[256];
    unsigned seed = 1;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "mbi", 3)) {
            printf("id name whole\nwants legal\nmbiok\n");
        } else if (!strncmp(line, "isready", 7)) {
            printf("readyok\n");
        } else if (!strncmp(line, "newmatch", 8)) {
            char *told = strstr(line, "seed ");
            seed = told ? (unsigned)strtoul(told + 5, NULL, 10) : 1;
        } else if (!strncmp(line, "legal", 5)) {
            strcpy(legal, line + 5);
        } else if (!strncmp(line, "go", 2)) {
            int n = 0;
            for (char *move = strtok(legal, " \n"); move && n < 256; move = strtok(NULL, " \n"))
                moves[n++] = move;
            seed = seed * 1103515245u + 12345u;
            printf("bestmove %s\n", n ? moves[(seed >> 16) % n] : "resign");
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}

/* What .ci/bench runs:
     bench [MS]                          a bot that answers after MS milliseconds, the same for every runner
     bench pingpong PAIRS TIMES PLIES    starts pairs of bots so many times and sends them the lines of a match
     bench time COMMAND…                 prints the seconds and the MiB that a command takes
   In MBI the bot plays a legal move that its seed chooses. In UCI it plays a fixed game of chess: two knights walk in
   circles, and after 100 plies it is drawn by the fifty-move rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *white[] = {"b1", "a3", "b5", "d4", "f5", "h4", "f3", "e5", "d3", "f4", "d5", "c3"};
static const char *black[] = {"b8", "a6", "c5", "a4", "b6", "c4", "e3", "d5", "b4", "c6"};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int bot(double seconds) {
    static char line[65536], legal[65536];
    char *moves[256];
    unsigned seed = 1;
    int uci = 0, ply = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "mbi", 3)) {
            printf("id name bot\nwants legal\nmbiok\n");
        } else if (!strcmp(line, "uci\n")) {
            uci = 1;
            printf("id name bot\nuciok\n");
        } else if (!strncmp(line, "isready", 7)) {
            printf("readyok\n");
        } else if (!strncmp(line, "newmatch", 8)) {
            char *told = strstr(line, "seed ");
            seed = told ? (unsigned)strtoul(told + 5, NULL, 10) : 1;
        } else if (!strncmp(line, "position", 8)) {
            char *moved = strstr(line, "moves ");
            for (ply = 0; moved && (moved = strchr(moved, ' ')); moved++)
                ply += moved[1] >= 'a';
        } else if (!strncmp(line, "legal", 5)) {
            strcpy(legal, line + 5);
        } else if (!strncmp(line, "go", 2)) {
            for (double until = now() + seconds; seconds > 0 && now() < until;)
                ; /* it thinks */
            int n = 0, turn = ply / 2;
            for (char *move = strtok(legal, " \n"); move && n < 256; move = strtok(NULL, " \n"))
                moves[n++] = move;
            seed = seed * 1103515245u + 12345u;
            if (!uci)
                printf("info depth 1 score 0\nbestmove %s\n", n ? moves[(seed >> 16) % n] : "resign");
            else if (ply % 2 == 0)
                printf("info depth 1 score cp 0\nbestmove %s%s\n", white[turn % 12], white[(turn + 1) % 12]);
            else
                printf("info depth 1 score cp 0\nbestmove %s%s\n", black[turn % 10], black[(turn + 1) % 10]);
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}

/* start starts a bot. tell writes lines to it, and hear reads as far as its answer. */
static FILE *in[2], *out[2];

static void tell(int i, const char *lines) {
    fputs(lines, in[i]);
    fflush(in[i]);
}

static void hear(int i, const char *answer) {
    char line[4096];
    do
        if (!fgets(line, sizeof line, out[i]))
            exit(1);
    while (strncmp(line, answer, strlen(answer)));
}

static void start(int i, const char *self) {
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        exit(1);
    if (!fork()) {
        dup2(to[0], 0), dup2(from[1], 1);
        for (int file = 3; file < 64; file++)
            close(file);
        execl(self, self, (char *)NULL);
        _exit(1);
    }
    close(to[0]), close(from[1]);
    in[i] = fdopen(to[1], "w"), out[i] = fdopen(from[0], "r");
    tell(i, "mbi 1\n");
}

static int pingpong(const char *self, int times, int plies) {
    while (times--) {
        start(0, self), start(1, self);
        for (int i = 0; i < 2; i++)
            hear(i, "mbiok"), tell(i, "newmatch oware south seed 1\nisready\n");
        for (int i = 0; i < 2; i++)
            hear(i, "readyok");
        for (int ply = 0; ply < plies; ply++) {
            tell(ply % 2, "position startpos moves A b C d E f A b C d E f A b C d E f A b C d E f A b C d E f A b C d\n"
                "legal A B C D E F\ngo\n");
            hear(ply % 2, "bestmove");
        }
        for (int i = 0; i < 2; i++)
            fclose(in[i]), fclose(out[i]), wait(NULL);
    }
    return 0;
}

int main(int argc, char **argv) {
    int status, failed = 0;
    if (argc < 2 || (argv[1][0] >= '0' && argv[1][0] <= '9'))
        return bot(argc < 2 ? 0 : atof(argv[1]) / 1e3);
    if (!strcmp(argv[1], "time")) {
        struct rusage used;
        double begun = now();
        if (!fork()) {
            if (!freopen("/dev/null", "w", stdout))
                _exit(1);
            execv(argv[2], argv + 2);
            _exit(127);
        }
        wait4(-1, &status, 0, &used);
        printf("%.6f %.1f\n", now() - begun, used.ru_maxrss / 1024.0); /* Linux counts KiB */
        return status != 0;
    }
    for (int pairs = atoi(argv[2]); pairs--;)
        if (!fork())
            return pingpong(argv[0], atoi(argv[3]), atoi(argv[4]));
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}

package main

import (
	"fmt"
	"strings"

	"sembra/bots"
)

// What is said to the user in help texts. The examples of each command come
// first, as its usage.
const (
	sayApp = "runs tournaments of bots in the mancala games"

	describeApp = `A bot is a program that speaks a few lines of text on its standard input and
output. Sembra starts the bots, referees their matches, and keeps the results.

Examples:
  sembra run configs/quickstart.toml     play a tournament, or go on with it
  sembra standings                       its table
  sembra matches --bot greedy            its matches
  sembra show awale                      a board

Help on a command: sembra COMMAND --help`

	sayRun     = "plays a tournament, or goes on with it where it stopped"
	exampleRun = `sembra run CONFIG [flags]

Example:
  sembra run spring.toml --concurrency 4

Everything that is finished is saved at once. Stopped by Ctrl-C or in any other
way, the same command goes on with what is missing; bots may be added and pairs
made more in the meantime. The standings at the end are printed on standard
output, all else on standard error.

Bots are kept from your files, the network and each other as far as this machine
can; what it cannot is said at the start ([isolation] in the tournament file).`

	saySprt     = "tests whether one bot is stronger than another, pair by pair until that is told"
	exampleSprt = `sembra sprt CONFIG [flags]

Example:
  sembra sprt configs/sprt.toml
  sembra sprt test.toml --concurrency 4 --format json

A sequential probability ratio test on pairs of matches. The tournament file has
two bots and a table [sprt]; H1 says that the first bot is ahead by elo1, H0
that it is by elo0. It stops by itself once one of them is accepted, once the
openings or max_pairs are used up, or once more pairs would tell nothing. Its
report is printed on standard output, all else on standard error.

Everything that is finished is saved at once: the same command goes on where it
was stopped, and only prints the report again where the test is over.`
	sayTest        = "LLR %+.2f (%.2f to %+.2f), pairs %s"
	saySameOpening = "warning: all pairs begin with the start position ([openings] gives others): bots without chance play one match again and again, which counts once"
	sayFewOpenings = "note: there are %s, so the test ends after as many pairs at the latest (max_pairs is %d)"

	sayCrowded = "warning: %d matches at once, but this machine has %s: bots wait for each other on their own clocks"

	sayHasTest = "note: the test under [sprt] in %s is played by sembra sprt; this plays the tournament's pairs"

	sayStandings     = "prints the standings and the crosstable of a tournament"
	exampleStandings = `sembra standings [flags]

Example:
  sembra standings --db spring.db --format markdown
  sembra standings --format chart
  sembra standings --anchor random --mean 1000

Beside points and the online Elo stands the rating of the whole field with half
of its 95 % interval: the strengths that make all results together likeliest.
The chart draws these.`

	sayCrosstable     = "prints who did what against whom in a tournament"
	exampleCrosstable = `sembra crosstable [flags]

Example:
  sembra crosstable --db spring.db --format csv`

	sayHeadToHead     = "prints what the matches between each two bots say of their strength"
	exampleHeadToHead = `sembra head-to-head [BOT [BOT]] [flags]

Example:
  sembra head-to-head
  sembra head-to-head greedy random --format json

Of all bots that have met, of one bot against each, or of two. Elo, normalized
Elo (nElo), both with half of their 95 % interval, and the likelihood of
superiority (LOS) are by complete pairs of matches, seats swapped, in which
nothing is repeated; LL-LD-level-WD-WW counts those: both lost, one lost and one
drawn, level, one won and one drawn, both won.`

	sayNeverMet = "note: no two of the bots have met"

	sayRatings     = "prints each bot's rating over all tournaments"
	exampleRatings = `sembra ratings [flags]

Example:
  sembra ratings --db spring.db
  sembra ratings --ruleset awale --format chart

Online Elo and Glicko-2 of each ruleset over all tournaments of the file, in
order of creation and inside each in the order of its schedule. A match that
equals an earlier one, in any of them, counts once. A rating period of Glicko-2
has at most 15 matches of a bot (tau 0.5; a new bot has 1500, deviation 350,
volatility 0.06).`

	sayMatches     = "prints the recorded matches of a tournament"
	exampleMatches = `sembra matches [flags]

Example:
  sembra matches --bot greedy --fault any
  sembra matches --format jsonl > matches.jsonl`

	sayNoMatch = "note: no match passes the filter"

	sayReplay     = "shows a recorded match, board after board"
	exampleReplay = `sembra replay MATCH [flags]

Example:
  sembra replay 3
  sembra replay 3 --db spring.db --plain | less
  sembra replay 3 --log

MATCH is the slot that sembra matches prints. On a terminal the match is walked
through by keys, forward and back (? lists them); else, or with --plain, all of
it is printed. --log prints what the bots were told and said last, where one was
at fault.`

	sayNoFault    = "match %d ended without a fault: nothing is kept of what was said (sembra run --log-io keeps everything)"
	sayNoEvidence = "match %d: nothing is kept of what was said (%s)"

	// The viewer's. They are plain ASCII, as their terminal may be.
	sayStart      = "ply 0 of %d  the beginning"
	sayPly        = "ply %d of %d  %s  used %.3fs - %.3fs"
	sayKeys       = "right/left 1, down/up 10, home/end, r/R round, number Enter, ? help, q quit"
	sayGoTo       = "go to ply %s_  (Enter)"
	sayGoToNone   = "go to ply %s_  there is no such ply (0 to %d)"
	sayNoPly      = "there is no ply %d (0 to %d)"
	sayLastRound  = "there is no round after this"
	sayFirstRound = "there is no round before this"
	sayAnyKey     = "any key goes back to the board"
	saySaid       = "what was said: sembra replay %d --log"
	sayTooSmall   = "the window is too small"
	sayViewerHelp = `
  right  space  l  n      the next ply
  left  backspace  h  p   the ply before
  down  page down  j  ]   ten plies on
  up  page up  k  [       ten plies back
  home  g                 the beginning
  end  G                  the end
  r                       the next round
  R                       the beginning of this round, the round before
  a number and Enter      that ply
  q  Esc  Ctrl-C          quit`

	sayCopied = "note: a tournament is running; this is how it stood just now"

	sayVerify     = "referees every recorded match again, and looks for damage"
	exampleVerify = `sembra verify [flags]

Example:
  sembra verify --db spring.db

Plays all moves again by the rules, compares results, stores, rounds and times
with the records, rates the matches again, and looks at every checksum. Each
difference is one line on standard output, and then the exit status is 1.`

	sayRulesets     = "lists the games"
	exampleRulesets = `sembra rulesets

Example:
  sembra rulesets`

	sayMoves     = "prints the legal moves of a position"
	exampleMoves = `sembra moves RULESET [flags]

Example:
  sembra moves awale --position '0,0,0,0,2,1/4,4,4,4,4,4 10-11 S sow 1 0'`

	sayApply     = "plays moves and prints the position after them"
	exampleApply = `sembra apply RULESET [TOKEN…] [flags]

Example:
  sembra apply oware C b F

If the match is over then, a second line says its result.`

	sayShow     = "draws a position, or what some moves make of it"
	exampleShow = `sembra show RULESET [TOKEN…] [flags]

Example:
  sembra show awale --position '0,0,0,0,2,1/4,4,4,4,4,4 10-11 S sow 1 0'
  sembra show bechi C b D

With moves it draws the board after them and tells what the last one did. On a
terminal the lines are Unicode, else all is plain ASCII.`

	sayPerft     = "counts the sequences of legal moves of a position"
	examplePerft = `sembra perft RULESET DEPTH [flags]

Example:
  sembra perft oware 10
  sembra perft awale 6 --divide`

	sayLab     = "measures a game by many matches: who has the better seat, how long, what choice, which end"
	exampleLab = `sembra lab RULESET [flags]

Example:
  sembra lab bechi
  sembra lab awale --bots greedy --opening-plies 6
  sembra lab redu --bots minimax,random --matches 100 --format json

Plays 1000 matches, or as many as said, of built-in bots (random, greedy,
minimax) and prints the balance of the game. Nothing is saved. Every two
matches are a pair, from the same opening with the seats swapped. Greedy and
minimax choose nothing by chance: give them openings. Stopped by Ctrl-C, it
prints the report of the matches that have ended.`

	sayRate     = "rates players from a list of results"
	exampleRate = `sembra rate FILE.csv [flags]

Example:
  sembra rate results.csv
  sembra rate - --anchor Deep --mean 2000 --format json < results.csv

Rates all players at once by maximum likelihood (Bradley-Terry, with a draw as
half a win and an advantage of moving first), with 95 % intervals. The file has
a header with the columns first, second and result, in any order; a result is
1-0, 0-1 or 1/2-1/2 as the first mover has it. With a column pair, games of the
same two players with the same text in it count as one observation, such as two
games from one opening with the seats swapped. Other columns are ignored. The
file - is standard input.`

	sayStats     = "prints the figures of one match between two players as JSON"
	exampleStats = `sembra stats --penta LL,LD,WLDD,WD,WW [flags]
sembra stats --wdl W,D,L [flags]

Example:
  sembra stats --penta 34,54,63,64,75 --elo0 0 --elo1 5
  sembra stats --wdl 76,123,89

--penta counts pairs of games, seats swapped, as the first player sees them:
both lost, one lost and one drawn, level (one won and one lost, or both drawn),
one won and one drawn, both won. --wdl counts games that are no pairs. With
--elo0 and --elo1 there is a sequential test of the two hypotheses as well.`

	sayOpenings     = "prints random openings for a tournament, or checks a list of them"
	exampleOpenings = `sembra openings RULESET [flags]

Example:
  sembra openings awale --plies 6 --count 500 > openings.txt
  sembra openings awale --check openings.txt

The openings are all different and none is decided. They are those that plies
under [openings] in a tournament file gives with the same seed, and the list is
what file takes there. With --check every line that is wrong is said, with its
place, and the exit status is 1.`
	sayOpeningsHead = "# %s for %s, %s from the start"
	sayOpeningsMade = "# sembra openings %s --plies %d --count %d --seed %d"
	sayOpeningsGood = "%s: %s for %s, all different and none decided"

	sayClock     = "measures what a bot that answers at once is charged on this machine"
	exampleClock = `sembra clock [flags]

Example:
  sembra clock
  sembra clock --concurrency 8 --isolation none

Plays 1000 matches of awale, or as many as said, between the built-in bot random
and itself, as processes like in any tournament, and prints how long its moves
took by the clock that bots lose by: what the machine and sembra themselves take
of a bot's time. The suggestion for [time] margin is twice the longest, rounded
up, and at least 10 ms. Nothing is saved. Try it with the concurrency of your
tournament, and while nothing else runs. Stopped by Ctrl-C, it prints what was
measured so far.`

	sayMisleading = "note: bots that choose nothing by chance play the same matches again, and the errors are too small (hint: --opening-plies 6, or another number)"
	sayRepeats    = "note: some matches are the same: a bot that chooses nothing by chance plays both matches of a pair alike against itself"

	sayNoMove = "note: there is no legal move"

	sayCheck     = "checks your own bot: plays the arena's side and tells what would go wrong"
	exampleCheck = `sembra check [flags] -- COMMAND ARG…

Example:
  sembra check -- python3 bots/samples/first.py
  sembra check --ruleset awale --dir mybot -- ./mybot --quiet

Looks at one point after another to the end, a line each: ok, FAIL (a match is
lost by it, or a tournament refused), warn (against the protocol, but no match
is lost by it), note (no fault) or skip (not looked at). Under FAIL and warn
stand the last lines to the bot (>) and from it (<), with the seconds since the
point began, and its standard error. Then the bot is started afresh. The exit
status is 1 if a point failed. The bot is kept from the rest of the machine as
in a tournament; it is never started with your rights unless --isolation none
asks for that.`

	sayPassed      = "ok"
	sayFailed      = "FAIL"
	sayWarned      = "warn"
	sayNoted       = "note"
	saySkipped     = "skip"
	sayIsolated    = "isolation: %s"
	sayMore        = "… %d more …"
	sayStderr      = "its standard error:"
	sayStderrEnd   = "the end of its standard error (%d bytes are before it):"
	sayLookedAt    = "%s looked at, %d ok and %d failed"
	sayCheckFailed = "%s: %s failed"

	sayBot = "plays a built-in bot on standard input and output"

	sayCompletion     = "prints a completion script for a shell"
	exampleCompletion = `sembra completion bash|zsh|fish

Example:
  source <(sembra completion bash)`
)

// exampleBot is the help of the command bot, with the bots that there are.
func exampleBot() string {
	var b strings.Builder
	b.WriteString("sembra bot NAME\n\nExample:\n  sembra bot greedy\n\nBots:")
	for _, builtin := range bots.Builtins() {
		fmt.Fprintf(&b, "\n  %-9s %s", builtin.Name, builtin.Summary)
	}
	return b.String()
}

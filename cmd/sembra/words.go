package main

import (
	"strings"

	"sembra/bots"
)

// What the program says, in the order of the commands: the summary of each
// command, its examples with all else that its help says, and its messages.
const (
	sayApp = "runs tournaments of bots in the mancala games"

	describeApp = `A bot is a program that reads lines of text from its standard input and answers
on its standard output. Sembra starts the bots, referees their matches, and
keeps their results and ratings.

Usage:
  sembra COMMAND [arguments] [flags]
  sembra COMMAND --help                  describes a command and its flags
  sembra --version                       prints the version and the commit

Examples:
  sembra run configs/quickstart.toml     play a tournament, or resume it
  sembra standings                       print the standings
  sembra matches --bot greedy            list the matches of one bot
  sembra show awale                      draw a board`

	sayDuel     = "plays two or more bots against each other, without a file"
	exampleDuel = `Examples:
  sembra duel minimax:Depth=8 ./mybot
  sembra duel greedy "python3 mybot.py" --ruleset bechi --pairs 10
  sembra duel ./mybot minimax --time 5s+50ms --show
  sembra duel random greedy minimax --format json

A BOT is one of these:
  minimax, minimax:Depth=8   a built-in bot, with options NAME=VALUE,NAME=VALUE
  ./mybot, ./mybot:Depth=8   the path of a program (with a slash), with options
  "python3 mybot.py"         a command line, which has a space
  uci:./engine               a path or a command line after its protocol

A command line is split into words as a shell does, with quotes and backslashes.
But no shell runs: variables, pipes and the like are refused.

Each two bots play N pairs. A pair is two matches from one opening, with the
seats swapped. The openings have six random moves, which depend on the seed.

--time 100ms is a time for each move. --time 5s+50ms is five seconds for the
match, and 50 ms more after every turn.

The command prints the standings and the crosstable. Without --db it keeps
nothing. With --db, the same command plays the missing matches, as sembra run
does. Ctrl-C ends it; it then prints the standings so far, with exit status 3.`

	sayInit     = "writes a tournament file for bots"
	exampleInit = `Examples:
  sembra init ./mybot "python3 other.py" minimax:Depth=4
  sembra init --ruleset bechi --output spring.toml ./mybot greedy

A BOT is written as in sembra duel. With fewer than two of them, random, greedy
and minimax take part too. The file has comments, so that you can edit it.

The command first checks each bot as sembra check does. It writes nothing if a
bot fails. It never overwrites a file.`

	sayInitFailed  = "bot %s failed: %s"
	sayInitWritten = "%s is written; play it with: sembra run %s"

	sayRun     = "plays a tournament, or resumes it"
	exampleRun = `Example:
  sembra run spring.toml --concurrency 4

CONFIG is a tournament file. Sembra saves every match as soon as it ends. You
can stop the run at any time with Ctrl-C. The same command then plays the
missing matches. You can also add bots or pairs to the file and run it again.

With --serve you can watch the tournament in a browser. The pages end with the
run; sembra serve shows them at any time, also while the run goes on.

If a bot has changed, --replace BOT plays all its matches again. The earlier
ones stay in the database as superseded, but count for nothing. If you stop such
a run, the same command goes on with it.

On Linux, Sembra keeps bots away from your files, from the network and from each
other. It lists at the start what this machine cannot isolate. The table
[isolation] of the tournament file changes what is isolated.

With --workers listen:0.0.0.0:4222, workers on other machines play the matches.
The schedule and the database stay here. The command prints how to start a
worker; see also sembra worker --help. --workers ADDR does the same with a NATS
server of your own. --local N plays N matches at once here, too.

When all matches are played, it prints the standings and the crosstable on
standard output. Progress and warnings go to standard error.`

	sayReplace          = "note: %s: %s will be superseded when the first new one is recorded, and all are played again"
	sayReplacing        = "note: the replacement of %s goes on (another one can begin when all matches are played)"
	sayReplacedBefore   = "note: replacement %d has replaced the matches of %s already; this is replacement %d"
	sayKept             = "note: tournament %q goes on with %s, as it began"
	sayNothingToReplace = "note: no match of %s is recorded, so there is nothing to replace"

	sayCrowded    = "warning: %d matches at once are too many for %s: bots lose time while they wait for a processor"
	sayProcessors = "warning: tournament.processors has no effect: " +
		"%s for each of %s at once are more than the %d to which Sembra can bind bots"
	sayHasTest = "note: %s has a table [sprt]: sembra sprt plays that test; " +
		"sembra run plays a tournament with the pairs of the file"

	sayBegins = "tournament %q begins in %s"
	sayGoesOn = "tournament %q goes on: %s matches are played and saved in %s"
	sayWhole  = "tournament %q is complete: its %d matches are saved in %s"

	sayMachineBusy = "note: the machine was busy: built-in bots keep to their clocks, but lost %s on time (%s)"
	sayMaybeBusy   = "note: the machine may have been busy: %d of %d bots lost on time, in %s"
	sayWaited      = "  in the matches without a fault, %s were charged %v and used a processor for %v: they waited for %s"
	sayChargeNow   = "  right after the run, the machine added %v to most moves and %v to the slowest one; the margin is %v"
	sayMeasure     = "  sembra clock --concurrency %d measures that for longer (hint: a lower concurrency, or a larger margin)"

	sayStarts          = "starting all bots once, before the first match"
	sayWaitsForWorkers = "waiting for the first match of a worker"

	sayAgain = "the same as before"

	sayLost = "%d of %s ended by a fault; see sembra faults --db %s"

	saySprt     = "plays two bots until a sequential test is decided"
	exampleSprt = `Examples:
  sembra sprt configs/sprt.toml
  sembra sprt test.toml --concurrency 4 --format json

The test is a sequential probability ratio test (SPRT) on pairs of matches. The
tournament file has two bots and a table [sprt] with elo0 and elo1. Hypothesis
H0 says that the first bot is stronger by elo0, H1 that it is stronger by elo1.

The test ends when it accepts one of them, when all openings or max_pairs pairs
are played, or when more pairs would only repeat earlier ones. Like sembra run,
the same command resumes a test that was stopped. Once the test has ended, it
only prints the report again. --workers works as in sembra run.

It prints the report on standard output, and everything else on standard error.`

	sayTest        = "LLR %+.2f (%.2f to %+.2f), pairs %s"
	saySameOpening = "warning: all pairs begin with the start position: " +
		"bots without randomness repeat the same match, which counts only once (hint: give the test [openings])"
	sayFewOpenings = "note: the test has %s, so it ends after that many pairs at the latest (max_pairs is %d)"

	sayOpenings     = "prints a list of openings, or checks one"
	exampleOpenings = `Examples:
  sembra openings awale --plies 6 --count 500 > openings.txt
  sembra openings awale --check openings.txt

The openings are random and all different, and none of them is decided. A
tournament with the same plies and seed under [openings] plays the same ones.
A tournament can also read the printed list: [openings] file = "openings.txt".

With --check, the command prints each mistake in the list with its line and
column. The exit status is 1 if there is a mistake.`

	sayOpeningsHead = "# %s for %s, %s from the start"
	sayOpeningsMade = "# sembra openings %s --plies %d --count %d --seed %d"
	sayOpeningsGood = "%s: %s for %s, all different and none decided"

	sayStandings     = "prints the standings and the crosstable of a tournament"
	exampleStandings = `Examples:
  sembra standings spring.toml --format markdown
  sembra standings --format chart
  sembra standings --anchor random --mean 1000
  sembra standings --differences --prior 2

FILE is a database, or a tournament file whose database is read; without it the
flag --db names the database. The other commands that read results take it too.

The standings show the points, two ratings and the processor time of each bot.
Elo changes from match to match. The rating is computed from all results at
once, with half of its 95 % interval. The chart draws the ratings and their
intervals. With --differences, it prints how much stronger each bot is than each
other bot, and how likely it is the stronger one (LOS).

A bot that won or lost everything has no rating, only a bound. --prior adds
virtual draws with its opponents and rates it too.`

	sayFaults     = "lists the bots at fault, and what they did"
	exampleFaults = `Examples:
  sembra faults
  sembra faults spring.toml --format markdown > faults.md

For each bot that was at fault it prints how many matches the bot lost by which
ending, and what the bot did the last time. MATCH is a match whose conversation
was kept: sembra replay MATCH --log shows it. A bot that is withdrawn forfeits
its other matches; they count as faults too.`

	sayFileNotBot = "note: %q is read as a file, although there is a bot of that name (hint: --db names the database)"
	sayBeside     = "note: there is no %s here: reading %s, which lies beside the tournament file"

	sayCopied = "note: a tournament is running: these are its results so far"

	sayCrosstable     = "prints the results of each bot against each other bot"
	exampleCrosstable = `Example:
  sembra crosstable spring.toml --format csv`

	sayHeadToHead     = "compares the strength of two bots"
	exampleHeadToHead = `Examples:
  sembra head-to-head
  sembra head-to-head greedy random --format json

Without a name, it compares all bots that have met, two by two. With one name,
it compares this bot with its opponents. With two names, it compares these two.

It prints Elo and normalized Elo (nElo), each with half of its 95 % interval,
and the likelihood that the first bot is stronger (LOS). They are computed from
complete pairs: two matches from one opening, with the seats swapped. Repeated
pairs do not count. The column LL-LD-level-WD-WW counts the pairs by their
results for the first bot: two losses, a loss and a draw, level, a win and a
draw, two wins.`

	sayNeverMet = "note: no two of these bots have played each other"

	sayMatches     = "lists the recorded matches of a tournament"
	exampleMatches = `Examples:
  sembra matches spring.toml --bot greedy --fault any
  sembra matches --format jsonl > matches.jsonl

The matches come in the order of the schedule. The format jsonl prints each
match as one JSON object in a line, with all its moves. With --superseded
it lists the matches that sembra run --replace has superseded.`

	sayNoMatch = "note: no match fits these flags"

	sayServe     = "shows the results in a browser"
	exampleServe = `Examples:
  sembra serve
  sembra serve spring.toml
  sembra serve spring.db --addr 127.0.0.1:8000

FILE is a database or a tournament file. The command prints an address on
standard output. Open it in a browser on this machine. Ctrl-C ends the command.

The pages show all tournaments of the database: their standings, matches, bots
and replays. While sembra run plays one of them, the pages follow it. The
command never writes to the database.

You can also play a bot on the pages: a built-in bot or, if FILE is a tournament
file, one of its bots. The bots run on this machine, in the same isolation as in
a tournament, at most 8 at a time. They end with the command, or when nobody
plays on. The page of each match says what its bot is isolated from.

With --addr, other machines can see the pages too, if ADDRESS is not a loopback
address such as 127.0.0.1. There is no password. Then nobody can play, because
strangers would start programs on this machine; --play allows it all the same.`

	sayServing    = "sembra shows %s at this address; open it in a browser (Ctrl-C ends it)"
	sayServingRun = "open %s in a browser to see the tournament while it is played"
	sayServed     = "the pages have ended with the run; to see them again: sembra serve %s"
	sayReachable  = "warning: every machine that can reach %s can see the pages"
	sayPlayOff    = "nobody can play bots on the pages, because other machines can reach them and would start programs here " +
		"(hint: --play allows it)"
	sayNoConfigBots = "warning: only the built-in bots can be played on the pages: %v"

	sayReport     = "writes the results as HTML that opens from the disk"
	exampleReport = `Examples:
  sembra report --output report.html
  sembra report spring.toml --output spring/
  sembra report spring.db --tournament spring-2 --output - > second.html

FILE is a database or a tournament file. The report shows the same tables,
charts and replays as sembra serve. It needs no server and no network.

Without a slash at the end, --output names one file with everything in it, for
up to 5000 matches. With a slash it names a folder for any number of matches:
begin with the file index.html in it. The same results always give the same
bytes. An older report is replaced, but no other file is.`

	sayOpenReport = " (open %s in a browser)"

	sayReplay     = "shows a recorded match board by board"
	exampleReplay = `Examples:
  sembra replay 3
  sembra replay spring.toml 3 --plain | less
  sembra replay 3 --log
  sembra replay games.txt

MATCH is the slot of a match, as sembra matches prints it. On a terminal, keys
go forward and back through the match; press ? for a list of the keys. With
--plain or without a terminal, the command prints all boards.

FILE can also be a file of text records or JSON lines, as sembra export writes
them. MATCH is then the number of a match in the file; without it, the command
shows the first one.`

	saySeveral = "note: %s has several matches, and this is the first (sembra replay %s 2 shows the next)"

	sayNoFault = "match %d ended without a fault, so its conversation was not kept " +
		"(sembra run --log-io keeps all conversations)"
	sayNoEvidence = "match %d: its conversation was not kept (%s)"

	sayVerify     = "referees every recorded match again and looks for damage"
	exampleVerify = `Examples:
  sembra verify spring.db
  sembra verify games.txt

It plays all moves again by the rules. It compares the results, stores, rounds
and times with the records, computes the ratings again, and tests every checksum
of the file. It prints each difference in a line on standard output; the exit
status is then 1.

FILE can also be a file of text records or JSON lines, from Sembra or from
elsewhere. Then each difference comes with its line in the file.`

	sayExport     = "writes matches as text records or JSON lines"
	exampleExport = `Examples:
  sembra export > games.txt
  sembra export spring.toml 3 7-9
  sembra export --bot greedy --format jsonl --output greedy.jsonl

A text record is a match in a form that people and other programs can read: tags
with the names and the result, then the moves with their times. MATCH is the
slot of a match, as sembra matches prints it, or several, such as 7-9. Without
MATCH and without flags, the command exports all recorded matches. sembra
import, sembra replay and sembra verify read the file.

--output never overwrites a file, and the file appears only when it is
complete.`

	sayExported = "%s written to %s"

	sayImport     = "stores matches from files as a tournament"
	exampleImport = `Examples:
  sembra import games.txt
  sembra import a.jsonl b.jsonl --db all.db --tournament club

FILE has text records or JSON lines, as sembra export and sembra matches write
them; - is standard input. Each match is refereed first. If one of them is
wrong, nothing is stored.

The matches become a tournament. All commands can read it, but sembra run plays
nothing in it. If there is already an imported tournament of that name, the
matches are added to it. A match with the same bots, seats and pair as another
one is refused.`

	sayImported = "%s imported as tournament %q in %s"
	sayUnplayed = "note: %s left out, because nobody played them: Sembra failed"

	sayRatings     = "rates all bots over all tournaments of a file"
	exampleRatings = `Examples:
  sembra ratings spring.db
  sembra ratings --ruleset awale --format chart

For each ruleset it prints the Elo and the Glicko-2 rating of each bot. Both
take the tournaments in the order of their creation, and the matches of each in
the order of its schedule. A match that repeats an earlier one, in any of these
tournaments, does not count. A rating period of Glicko-2 has at most 15 matches
of a bot. A new bot has rating 1500, deviation 350 and volatility 0.06; the
constant tau is 0.5.`

	sayRate     = "rates players from a list of results"
	exampleRate = `Examples:
  sembra rate results.csv
  sembra rate - --anchor Deep --mean 2000 --format json < results.csv

The file has a header with the columns first, second and result, in any order,
separated by commas or by tabs. A result is 1-0, 0-1 or 1/2-1/2, as the player
who moves first sees it, or the points of that player: 1, 0, 1/2, 0.5 or =.
Games of the same two players with the same text in the optional column pair
count as one observation, such as two games from one opening with the seats
swapped. Other columns are ignored. The file - is standard input.

It prints the rating of each player with its 95 % interval. The ratings are the
maximum likelihood estimate of the Bradley-Terry model; a draw is half a win,
and moving first has an advantage. A player who won or lost everything has only
a bound; --prior adds virtual draws and rates it too. With --differences, it
prints the difference between each two players and how likely the first one is
the stronger one (LOS).`

	sayUnpaired = "warning: the list has no column pair, so each game counts as an observation of its own " +
		"(hint: give games from one opening with the seats swapped the same text in a column pair)"

	sayStats     = "prints the statistics of one match from its counts, as JSON"
	exampleStats = `Examples:
  sembra stats --penta 34,54,63,64,75 --elo0 0 --elo1 5
  sembra stats --wdl 76,123,89

--penta counts pairs of games with the seats swapped, by their results for the
first player: two losses (LL), a loss and a draw (LD), level (WLDD: a win and a
loss, or two draws), a win and a draw (WD), two wins (WW). --wdl counts single
games: wins, draws and losses. With --elo0 and --elo1 it also prints a
sequential test of these two hypotheses.`

	sayRulesets     = "lists the games"
	exampleRulesets = `Example:
  sembra rulesets`

	sayMoves     = "prints the legal moves of a position"
	exampleMoves = `Example:
  sembra moves awale --position '0,0,0,0,2,1/4,4,4,4,4,4 10-11 S sow 1 0'

It prints one move on each line.`

	sayNoMove = "note: there is no legal move"

	sayApply     = "plays moves and prints the new position"
	exampleApply = `Example:
  sembra apply oware C b F

If these moves end the match, a second line shows its result.`

	sayShow     = "draws a position"
	exampleShow = `Examples:
  sembra show awale --position '0,0,0,0,2,1/4,4,4,4,4,4 10-11 S sow 1 0'
  sembra show bechi C b D

With moves, it draws the board after them and says what the last move did. It
draws Unicode lines on a terminal, and plain ASCII elsewhere.`

	sayPerft     = "counts the sequences of legal moves"
	examplePerft = `Examples:
  sembra perft oware 10
  sembra perft awale 6 --divide

DEPTH is the length of the sequences. It prints the count on standard output,
and the speed on standard error.`

	sayLab     = "measures the balance of a game"
	exampleLab = `Examples:
  sembra lab bechi
  sembra lab awale --bots greedy --opening-plies 6
  sembra lab redu --bots minimax,random --matches 100 --format json

It plays matches between built-in bots (sembra bot lists them) and prints how
large the advantage of moving first is, how long the matches are, how many moves
there are to choose from, and how the matches end. It saves nothing.

Two matches form a pair: they begin with the same opening, and the bots swap
seats. Greedy and minimax always choose the same move in the same position, so
give them openings with --opening-plies. If you press Ctrl-C, it prints the
report of the matches so far.`

	sayLevels     = "measures how strong the built-in bots are"
	exampleLevels = `Examples:
  sembra levels --format markdown
  sembra levels oware --pairs 10

It plays matches between built-in bots that are near each other in strength, in
all rulesets or in those that you name, and prints the rating of each bot. The
rating of level5 is 1000. Each pair of matches begins with 6 random plies.
No bot has a clock, so the same command always prints the same table; it is the
table of the guide, bots/README.md. With the default number of pairs, it takes
minutes. It saves nothing.

If you press Ctrl-C, it prints the rulesets that it has finished.`

	sayMisleading = "note: these bots always play the same moves from the same position, so many matches are the same " +
		"and the errors are too small (hint: --opening-plies 6, or another number)"
	sayRepeats = "note: some matches are the same: a bot without randomness that plays itself repeats the first match " +
		"of each pair in the second"

	sayCheck     = "tests your bot, or all bots of a tournament file"
	exampleCheck = `Examples:
  sembra check spring.toml
  sembra check -- python3 bots/samples/first.py
  sembra check --ruleset awale --dir mybot -- ./mybot --quiet
  sembra check --protocol uci -- java -jar aalina.jar

It tests everything that a referee asks of a bot, and prints a line for each
test:

  ok    the bot passed
  FAIL  the bot would lose a match, or its tournament would be refused
  warn  the bot breaks the protocol, but does not lose a match by it
  note  not a fault
  skip  not tested

Below FAIL and warn it prints the last lines to the bot (>) and from the bot
(<), with the seconds since the test began, and the bot's standard error. It
then starts the bot again for the next test. The exit status is 1 if a test
failed.

A single argument that ends in .toml is a tournament file, unless -- stands
before it. The command then tests all bots of that file as the tournament runs
them. It prints a line for each bot, and the reasons below.

As in a tournament, the bot is isolated from the rest of the machine. It runs
with your own rights only if you say --isolation none.`

	sayMore        = "… %d more …"
	sayStderr      = "its standard error:"
	sayStderrEnd   = "the end of its standard error (%d bytes before it are not shown):"
	sayCheckFailed = "%s: %s failed"

	sayBot = "runs a built-in bot on standard input and output"

	sayClock     = "measures the time that this machine adds to each move"
	exampleClock = `Examples:
  sembra clock
  sembra clock --concurrency 8 --isolation none

It plays matches of awale between two bots that answer at once. They are
processes, as in a tournament. It prints how long their moves took by the clock
of the tournament. The bots do not think, so this is the time that the machine
and Sembra themselves take from a bot.

It then suggests a value for margin in the table [time] of the tournament file:
twice the longest time, rounded up, and at least 10 ms. It saves nothing.

Run it with the concurrency of your tournament while nothing else runs. If you
press Ctrl-C, it prints what it has measured so far.`

	sayWorker     = "plays matches for a runner on another machine"
	exampleWorker = `Examples:
  sembra worker 127.0.0.1:4222
  sembra worker runner.example.org:4222 --credentials workers.toml

On the other machine, "sembra run CONFIG --workers listen:0.0.0.0:4222" prints
this command. Both must be the same build of Sembra. ADDR can also be a NATS
server of your own: HOST:PORT, nats://HOST:PORT or tls://HOST:PORT. The servers
of a cluster have commas between them.

--credentials FILE is needed unless the server is on this machine. The file has
one line: token = "a long random text". The run and all workers have the same
token.

The worker gets the files of the bots, keeps them in your cache folder, and
plays the bots in its own jail. Interpreters such as python3 must be installed
here. If one is missing, the worker leaves the matches that need it to others.

The worker first measures how much time this machine adds to a move. It refuses
a tournament with a clock if that is more than the margin.

It plays one run after another until you press Ctrl-C. It then gives back what
it has not finished.

Bots play in a jail, without the network. A worker refuses a tournament whose
[isolation] allows them more, unless you give --trust or the server is on this
machine.`

	sayWorkers     = "lists the workers at a NATS server"
	exampleWorkers = `Example:
  sembra workers runner.example.org:4222 --credentials workers.toml

ADDR and --credentials are those of sembra worker.

For each worker it prints how many matches it plays and how many it can play at
once, when it was last heard of, and how much its machine adds to a move at
most. It also prints how many matches of this run it has played, its share of
all matches, and how many of them bots lost by a fault or on time. A second
table names the matches in play. Lines below point out what a worker cannot
play, and a worker where bots are at fault far more often than elsewhere.`

	sayListens    = "start workers with: sembra worker %s%s"
	sayListensToo = " (this machine is also at %s)"
	sayNotTidied  = "note: the server still has something of the tournament, because %v"

	sayCompletion     = "prints a completion script for a shell"
	exampleCompletion = `Examples:
  source <(sembra completion bash)
  source <(sembra completion zsh)
  sembra completion fish | source`

	sayVersion     = "prints the version of this program and how it was built"
	exampleVersion = `Example:
  sembra version

It prints the version, the commit and its date, the version of Go, and the
system. The commit and its date are known only if the program was built in a Git
checkout. sembra --version prints the version and the commit in one line.`
)

// What a match of a person says.
const (
	sayPlay     = "plays a match between you and a bot"
	examplePlay = `Examples:
  sembra play awale
  sembra play bechi --against greedy --seat north --rounds 3
  sembra play oware --against "python3 mybot.py" --time 5s --save match.txt

You have no clock, and you can take moves back. On a terminal, Sembra draws the
board, asks what you want to do and tells what the bot has done. The key ? lists
the legal moves and the keys. You can save the match when it is over.

If the output or the input is no terminal, or with --plain, Sembra reads and
prints lines of text. A line of the input is a move, or one of these commands:
undo, hint, resign (twice), board, quit, and ? for the legal moves. Sembra
prints what was played as sentences, and then one line each for "position" and
"legal". At the end it prints "result SEAT STORES ENDING" as sembra apply does.
If it cannot do what you want, it prints "error" and the reason.

A BOT is written as in sembra duel: a built-in bot such as level5 or
minimax:Depth=8, a path such as ./mybot, or a quoted command line. level1 to
level10 are graded; level1 is the weakest. A bot at fault loses the match. Such
a match counts in no tournament.`

	sayContinue = "the match has no result; this command goes on from its last position:\n" +
		"sembra play %s%s --position %s"

	sayPlainBegin  = "%s: you are %s, against %s (? lists the moves and commands)"
	sayPlainUndone = "undone: %s"
	sayPlainResign = "write resign again to give up the match"
	sayPlainHelp   = "commands: undo, hint, resign, board, quit"

	sayYouAre       = "you are %s, against %s: %s"
	sayYourMove     = "your move: %s"
	sayThinks       = "%s thinks …"
	sayPlayed       = "the match is over"
	sayReallyResign = "give up the match? y: yes, any other key: no"
	saySaveAs       = "save the match as: %s_"
	saySavedAs      = "the match is saved as %s"
	sayNoSuchMove   = "no move begins with %s (? lists the moves)"
	sayHint         = "hint: %s"
	sayHintComes    = "looking for a good move …"
	sayLater        = "as soon as the bot has answered"
	sayLegal        = "Legal moves"

	sayPlayKeys   = "letter or arrows, Enter; ? help, h hint, u undo, r resign, q quit"
	sayChoiceKeys = "arrows and Enter, or the key; Esc goes back"
	sayThinkKeys  = "? keys, u undo, r resign, q quit"
	sayPlayedKeys = "s save, u undo, q quit"
	sayLostKeys   = "s save, q quit"
	saySaveKeys   = "Enter saves, Esc goes back"
	sayPlayHelp   = `
  left  right  up  down   mark another hole or choice
  a letter                mark that hole
  Enter                   play it, or go on with what else is to choose
  a whole move and Enter  play that move
  Esc  backspace          back to the choice before
  u                       take back your last move
  h                       show a good move
  r                       resign
  q  Ctrl-C               quit`
)

// What the viewer of a match says. It is plain ASCII, for every terminal.
const (
	sayStart      = "ply 0 of %d  the start"
	sayPly        = "ply %d of %d  %s  used %.3fs - %.3fs"
	sayKeys       = "right/left 1, down/up 10, home/end, r/R round, number Enter, ? help, q quit"
	sayGoTo       = "go to ply %s_  (press Enter)"
	sayGoToNone   = "go to ply %s_  there is no such ply (0 to %d)"
	sayNoPly      = "there is no ply %d (0 to %d)"
	sayLastRound  = "this is the last round"
	sayFirstRound = "this is the start of the first round"
	sayAnyKey     = "press any key to go back to the board"
	saySaid       = "the end of the conversation: sembra replay %d --log"
	sayTooSmall   = "the window is too small"
	sayViewerHelp = `
  right  space  l  n      next ply
  left  backspace  h  p   previous ply
  down  page down  j  ]   ten plies forward
  up  page up  k  [       ten plies back
  home  g                 start of the match
  end  G                  end of the match
  r                       next round
  R                       start of this round, then the previous round
  a number and Enter      that ply
  q  Esc  Ctrl-C          quit`
)

// exampleBot returns the help of the command bot, which lists the bots.
func exampleBot() string {
	var b strings.Builder
	b.WriteString("Examples:\n  sembra bot greedy\n  sembra bot minimax --help\n\n" +
		"Without NAME it lists the bots. With NAME --help it tells how a bot plays, and\nits options.\n\nBots:\n")
	writeBots(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// writeBots writes a line for each built-in bot.
func writeBots(b *strings.Builder) {
	for _, builtin := range bots.Builtins() {
		writeItem(b, 7, builtin.Name, builtin.Summary)
	}
}

package main

// What the program says beside its help, in the order of the commands.
const (
	sayInitFailed  = "bot %s failed: %s"
	sayInitWritten = "%s is written; play it with: sembra run %s"

	sayReplace          = "note: %s: %s will be taken out when the bots have started, and all are played again"
	sayReplacing        = "note: the replacement of %s goes on (another one can begin when all matches are played)"
	sayCopied           = "note: the database as it was before is in %s"
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
	sayLessBusy    = "  (hint: a lower concurrency than %d, or a larger margin)"

	sayStarts          = "starting all bots once, before the first match"
	sayWaitsForWorkers = "waiting for the first match of a worker"

	sayAgain = "the same as before"

	sayLost = "%d of %s ended by a fault; see sembra faults --db %s"

	sayTest        = "LLR %+.2f (%.2f to %+.2f), pairs %s"
	saySameOpening = "warning: all pairs begin with the start position: " +
		"bots without randomness repeat the same match, which counts only once (hint: give the test [openings])"
	sayFewOpenings = "note: the test has %s, so it ends after that many pairs at the latest (max_pairs is %d)"

	sayOpeningsHead = "# %s for %s, %s from the start"
	sayOpeningsMade = "# sembra openings %s --plies %d --count %d --seed %d"
	sayOpeningsGood = "%s: %s for %s, all different and none decided"

	sayFileNotBot = "note: %q is read as a file, although there is a bot of that name (hint: --db names the database)"
	sayBeside     = "note: there is no %s here: reading %s, which lies beside the tournament file"

	sayRunning = "note: a tournament is running: these are its results so far"

	sayNeverMet = "note: no two of these bots have played each other"

	sayNoMatch = "note: no match fits these flags"

	sayServing    = "sembra shows %s at this address; open it in a browser (Ctrl-C ends it)"
	sayServingRun = "open %s in a browser to see the tournament while it is played"
	sayServed     = "the pages have ended with the run; to see them again: sembra serve %s"
	sayReachable  = "warning: every machine that can reach %s can see the pages"
	sayPlayOff    = "nobody can play bots on the pages, because other machines can reach them and would start programs here " +
		"(hint: --play allows it)"
	sayNoConfigBots = "warning: only the built-in bots can be played on the pages: %v"

	sayOpenReport = " (open %s in a browser)"

	saySeveral = "note: %s has several matches, and this is the first (sembra replay %s 2 shows the next)"

	sayNoFault = "match %d ended without a fault, so its conversation was not kept " +
		"(sembra run --log-io keeps all conversations)"
	sayNoEvidence = "match %d: its conversation was not kept (%s)"

	sayExported = "%s written to %s"

	sayUnpaired = "warning: the list has no column pair, so each game counts as an observation of its own " +
		"(hint: give games from one opening with the seats swapped the same text in a column pair)"

	sayNoMove = "note: there is no legal move"

	sayMisleading = "note: these bots always play the same moves from the same position, so many matches are the same " +
		"and the errors are too small (hint: --opening-plies 6, or another number)"
	sayRepeats = "note: some matches are the same: a bot without randomness that plays itself repeats the first match " +
		"of each pair in the second"

	sayMore        = "… %d more …"
	sayStderr      = "its standard error:"
	sayCheckFailed = "%s: %s failed"

	sayWorkers   = "%s (matches at once: %d)"
	sayNotTidied = "note: the server still has something of the tournament, because %v"
)

// What a match of a person says.
const (
	sayContinue = "the match has no result; this command goes on from its last position:\n" +
		"sembra play %s%s --position %s"

	sayPlayBegin = "%s: you are %s, against %s. Write ? for help."
	sayUndone    = "undone: %s"
	sayResign    = "write resign again to give up the match"
	sayNoAnswer  = "%s is no move, choice or command; ? lists them"
	sayAfterEnd  = "save FILE, undo, or quit?"
	sayPlayHelp  = `
  the letter of a hole    sow it; if there is more to choose, Sembra asks
  a number                that choice; an empty line goes back
  a whole move            as in the list above
  undo, u                 take back your last move
  hint, h                 show a good move
  board                   draw the board again
  resign, r               give up the match; write it twice
  save FILE               save the match for sembra replay, when it is over
  quit, q                 leave`
)

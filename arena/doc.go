// Package arena runs bots, referees their matches and plays tournaments.
//
// [Tournament] is a plan ([results.Tournament]) with everything that is needed
// to play it: the ruleset, an [Entry] for each bot, a [TimeControl] and an
// [Isolation]. [Tournament.Run] plays the matches that have no record yet. It
// writes each record through a [Recorder] and tells what happens as an [Event].
// A [Feed] knows which matches are in play, with their moves, for whoever asks.
//
// Package guest runs the bots of the tournament as processes.
//
// Package check examines one bot for its author.
//
// [Friendly] is a match of one person against one bot. [FriendlyMatch] has the state
// that a terminal or a page draws, and does what the person wants. It uses the same
// players and the same referee too.
//
// # One move's way
//
// The schedule (package results/schedule) knows the next slots. The dispatcher
// gives each table one of them, which is a [Job]. The table calls the two bots
// and hands the match to a referee. For each move, the referee
//
//   - asks the bot: the question goes through the host of package protocol to
//     the bot's standard input, and the clock starts;
//   - reads one line of bounded length from its standard output, up to a
//     deadline, and stops the clock;
//   - judges: the engine finds the legal move whose text equals the token;
//   - plays the move, and queues it for the next question to each bot.
//
// When the match is over, its record goes to a bounded backlog, and the table plays
// its next match. One goroutine takes the records from the backlog, all that are
// there at once, and keeps them in the order in which the matches ended. A match
// counts as ended only when the Recorder has returned, that is, when its record is
// safe. Only then is the [MatchEnded] told.
//
// # Goroutines
//
// Each table is a goroutine, and so is the keeper of the records. A bot's wire,
// journal and clock belong to the goroutine of its table. Tables share only the
// dispatcher, the backlog, the spawner, the pool of idle bots and the feed, which
// have locks of their own.
//
// In a match of a person there is one goroutine while the bot thinks, and none while
// the person does. Whoever calls its methods plays the person's moves.
//
// One goroutine more looks at all bots and tables: whether a bot works while it is not
// to move, and whether the bots of a table wait for their processors. It and the
// referees meet in the freezer and in the pinning of a table, which have locks.
package arena

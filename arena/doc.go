// Package arena referees matches between bots and plays tournaments. Package guest runs the bots as processes.
//
// [Run] is a tournament with all that is needed to play it. [Run.Play] plays the matches that have no record yet. It
// writes each record through a [Recorder] and reports what happens as an [Event]. A [Feed] knows which matches are in
// play, with their moves, for whoever asks. A [Local] plays matches on this machine; a [Remote] has them played
// elsewhere. [Friendly] is a match of a person against a bot, with the same referee.
//
// Each match has one record, which is on disk before it is reported. A failure of the machine is never a bot's
// fault. The package prints nothing and knows neither NATS nor the database file.
//
// # The path of a move
//
// The schedule (package results/schedule) knows the next matches. The dispatcher gives each table one of them, which
// is a [Job]. The table calls the two bots and hands the match to a referee. For each move, the referee
//
//   - asks the bot: the question goes through the host of package protocol to the bot's standard input, and the clock
//     starts;
//   - reads one line of bounded length from its standard output, up to a deadline, and stops the clock;
//   - judges: the engine finds the legal move whose text equals the token;
//   - plays the move, and queues it for the next question to each bot.
//
// When the match is over, its record goes to a bounded backlog, and the table plays its next match. One goroutine takes
// the records from the backlog, all that are there together, and keeps them in the order in which the matches ended. A
// match counts as ended only when its record is safe. Only then is the [MatchEnded] reported.
//
// # Goroutines
//
// Each table is a goroutine, and so is the keeper of the records. A bot's wire, journal and clock belong to the
// goroutine of its table; while two bots are called to a table, each has one. A pair that a [Remote] plays is a
// goroutine until its records are back. Tables share only the dispatcher, the backlog, the spawner, the pool of idle
// bots and the feed, which have locks of their own. In a match of a person there is one goroutine while the bot thinks,
// and none while the person does.
package arena

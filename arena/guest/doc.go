// Package guest runs bots: it starts each as a process, in a sandbox if there is one, talks with it, and ends it with
// all that it has started.
//
// [Start] starts the bot of an [Entry] and takes it through the handshake. The [Player] that it returns has the bot's
// wire, the host of its protocol and a [Journal] of what is said. A [Command] is a bot as a process; the tests start
// bots in memory. A [Spawner] owns the processes, which live on a [Thread], and makes sure that none is left. A [Pool]
// keeps bots that have no match, stopped. A [Freezer] stops those that work while they are not to move, and a [Pinning]
// binds the bots of a match to processors.
//
// A bot's wire, journal and host belong to one goroutine at a time. Two goroutines more live as long as a bot: one
// keeps its standard error, one waits for its exit if no sandbox does. [Freezer.Watch] is one for all bots of a run.
//
// The package knows neither rules nor matches.
package guest

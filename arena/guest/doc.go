// Package guest runs bots: it starts each as a process, in a sandbox if there is one, talks with it, and ends it with
// all that it has started.
//
// [Start] starts the bot of an [Entry] and takes it through the handshake. The [Player] that it returns has the bot's
// wire, the host of its protocol and a [Journal] of what is said. A [Command] is a bot as a process; the tests start
// bots in memory. A [Spawner] owns the processes, which live on a [Thread], and makes sure that none is left. A [Pool]
// keeps bots that have no match, stopped. A bot runs only while it is waited for ([Player.Ready]), and the bots of a match
// run on the same processors ([ShareProcessors]).
//
// A bot's wire, journal and host belong to one goroutine at a time. Two goroutines more live as long as a bot: one
// keeps its standard error, one waits for its exit if no sandbox does.
//
// The package knows neither rules nor matches.
package guest

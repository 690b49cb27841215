// Package sandboxinit is the life of an init, the process that stays above a bot in
// a jail until the bot ends. It is the runner's own program, which the runner
// executes once more with [Word] as the first argument, in the bot's namespaces if
// the machine has them.
//
// An init knows nothing of jails. The runner sends it a [Task]: a list of system
// calls and the program to execute. The calls that take rights away from the bot
// are made on a thread of their own. The bot is forked from that thread, so it
// inherits what the thread has lost, and then the thread ends.
//
// Go initialises all packages of a program before main, and those that the
// program needs for its tables and command line take longer than everything that
// an init does at its start. So this package has an init function, which never
// returns in such a process. It runs early, because Go initialises a package as
// soon as everything that the package imports is initialised. Therefore this
// package may import only os, syscall and what these need. TestEntered checks that.
package sandboxinit

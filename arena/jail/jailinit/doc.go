// Package jailinit starts bots in jails. It has three kinds of processes:
//
//   - The fork server: the runner's own program, which the runner executes once
//     more with [Word] as the first argument. It forks an init for every bot.
//   - An init stays above a bot until the bot ends. It is a child of the runner,
//     and in its own namespaces, if the machine has them.
//   - The bot, which its init forks. It gives up the rights that it may not have,
//     and executes the program of the bot.
//
// An init and a bot that has not been executed yet are copies of the fork server
// without its other threads. So they have no Go runtime: they make system calls
// only, in functions that are marked nosplit. The linker checks that such
// functions need no more stack than there is. Starting a Go runtime would take
// longer than everything else, and a limit of the bot could end it.
//
// Without optimisation these functions need too much stack. So a build for a
// debugger leaves this package out:
//
//	go build -gcflags='sembra/...=-N -l' -gcflags=sembra/arena/jail/jailinit= ./cmd/sembra
//
// Go initialises all packages of a program before main, and those that the
// program needs for its tables and command line take longer than everything that
// the fork server does at its start. So this package has an init function, which
// never returns in such a process. It runs early, because Go initialises a package
// as soon as everything that the package imports is initialised. Therefore this
// package may import only os, syscall and what these need. TestEntered checks that.
//
// These processes know nothing of jails. The runner sends a [Task] for each bot: a
// list of system calls and the program to execute.
package jailinit

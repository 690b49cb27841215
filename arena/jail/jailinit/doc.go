// Package jailinit is the process that starts a bot in a jail and stays above
// it until the bot ends: the jail's init.
//
// The runner executes its own program again with [Word] as the first argument.
// Go initialises all packages of a program before main, and those that the
// program needs for its tables and command line take longer than everything
// that the init does. So this package has an init function, which never
// returns in such a process. It runs early, because Go initialises a package as
// soon as everything that the package imports is initialised. Therefore this
// package may import only os, procfs, syscall and what these need. TestEntered
// checks that.
//
// The init itself knows nothing of jails. The runner sends it a [Task]: a
// list of system calls and the program to execute.
package jailinit

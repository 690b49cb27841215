// Package bots holds the loop of a bot in Go, [Serve], and the built-in bots,
// which are started as processes and see no more of a match than anybody's bot
// does. README.md beside this file is the guide for bot authors; samples holds
// bots in other languages.
package bots

// Package notation writes and reads the records of matches as text. The page results/README.md describes the formats.
//
//   - A [Game] is a match with what is known about its tournament. [Write] writes it as a text record, which people can
//     read.
//   - [Read] reads a file of text records, or of JSON lines as sembra matches writes them. It yields a [Claim] for each
//     match: what the file says, and in which lines.
//   - A [Referee] plays the moves of a claim, adds what the file left out, and finds what is wrong in the file.
//
// The package opens no file.
package notation

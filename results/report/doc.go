// Package report says what came of matches, for people and for programs.
//
// A [Report] is all that a command prints, as plain data: tables and charts with their titles and notes, the
// rows of CSV, an object of JSON or JSON lines. A constructor for each kind of report takes what package results
// has computed. [Report.Write] is the only place that turns a report into text, and the only one that has to
// know how a format is written and what may reach a terminal.
//
// The fields of CSV and JSON are those of one struct a kind of row, in the order of the CSV. Their names are
// stable: results/README.md explains them.
//
// The boards of a recorded match are written by a [Match].
package report

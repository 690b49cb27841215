// Package report writes the results of matches, for people and for programs.
//
// A [Report] is all that a command prints, as plain data: tables with their titles and notes, the lines of CSV, a value
// of JSON, or JSON lines. A function for each kind of report takes what package results has computed. Only
// [Report.Write] turns a report into text, so only it knows the formats and what may reach a terminal.
//
// A table is a sequence of rows, and a [Row] is a list of [Column] values: names, titles and what they have in
// the row. Tables, CSV and JSON are made from the same rows. The names are stable; results/FIELDS.md explains them.
//
// A [Match] writes a recorded match as boards, as text or as a JSON line, and [ReadMatches] reads such lines.
// The package opens no file or database, and writes only to the writer that it is given.
package report

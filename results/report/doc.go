// Package report writes the results of matches, for people and for programs.
//
// A [Report] is all that a command prints, as plain data: tables and charts with their titles and notes, the
// rows of CSV, an object of JSON, or JSON lines. A function for each kind of report takes what package results has
// computed. Only [Report.Write] turns a report into text, so only it knows the formats and what may reach a
// terminal.
//
// Each kind of row has one list of [Column]s, from which tables, CSV and JSON are made. Their names are stable;
// results/README.md explains them.
//
// A [Match] writes a recorded match as boards, as text or as a JSON line, and [ReadMatches] reads such lines.
package report

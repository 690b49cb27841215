package engine

import _ "embed" // for the document

//go:embed RULES.md
var document string

// Document returns RULES.md, the contract for all games, as Markdown. Each ruleset
// has a section of the second level, whose heading is its name.
func Document() string { return document }

package results

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter/tw"
)

// VoidList is a list of void matches to write.
type VoidList struct {
	Tournament Tournament
	Voids      []VoidMatch
}

// Write writes one line a void match; see MatchFormats.
func (l VoidList) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return l.writeTable(w)
	case FormatCSV:
		return l.writeCSV(w)
	case FormatJSONL:
		return l.writeJSONL(w)
	}
	_, err := ParseFormat(string(format), MatchFormats())
	return err
}

func (l VoidList) writeTable(w io.Writer) error {
	t := new(table)
	t.column("pair", tw.AlignRight)
	t.column("south", tw.AlignLeft)
	t.column("north", tw.AlignLeft)
	t.column("no", tw.AlignRight)
	t.column("reason", tw.AlignLeft)
	for _, void := range l.Voids {
		t.row(strconv.Itoa(void.Pair), void.South, void.North, strconv.Itoa(void.Number), printable(void.Reason))
	}
	return t.text(w)
}

func (l VoidList) writeCSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	rows := [][]string{{"tournament", "pair", "south", "north", "number", "reason"}}
	for _, void := range l.Voids {
		rows = append(rows, []string{
			l.Tournament.Name, strconv.Itoa(void.Pair), void.South, void.North,
			strconv.Itoa(void.Number), printable(void.Reason),
		})
	}
	return writer.WriteAll(rows)
}

func (l VoidList) writeJSONL(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, void := range l.Voids {
		line := struct {
			Tournament string `json:"tournament"`
			Pair       int    `json:"pair"`
			South      string `json:"south"`
			North      string `json:"north"`
			Number     int    `json:"number"`
			Reason     string `json:"reason"`
		}{l.Tournament.Name, void.Pair, void.South, void.North, void.Number, void.Reason}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// printable puts a space in place of every character that could move a terminal's cursor.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

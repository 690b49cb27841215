package results

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"sembra/results/stats"
)

// MaxPlayers is the greatest number of players for ReadGames. The time to rate a field grows with the third power
// of this number.
const MaxPlayers = 5000

// GameList is the games of a field of players, from any source.
type GameList struct {
	Players []string     // in the order of their first games
	Games   []stats.Game // the games of one unit are adjacent; otherwise in their order
	Paired  bool         // there is a column that says which games are one unit
}

// ReadGames reads results as CSV (RFC 4180; UTF-8, with or without a byte order mark). If the first line has a tab and
// no comma, tabs separate the cells. The header has the columns first, second and result, in any order and case. There
// may be a column pair; other columns are ignored. A result
// is 1-0, 0-1 or 1/2-1/2 from the view of first, or its points 1, 0, 1/2, 0.5 or =. Games between the same two players
// with the same pair are one unit; a game without a pair is a unit of its own. Spaces around a cell do not count. Name
// is the name of the input in errors.
func ReadGames(input io.Reader, name string) (GameList, error) {
	buffered := skipByteOrderMark(input)
	if startsWith(buffered, []byte("\xff\xfe")) || startsWith(buffered, []byte("\xfe\xff")) {
		return GameList{}, fmt.Errorf("%s: the file is UTF-16; save it as UTF-8", name)
	}
	r := gameReader{
		rows:   rowReader{input: buffered, comma: separator(buffered)},
		player: make(map[string]int),
		unit:   make(map[pairLabel]int),
	}
	if err := r.read(); err != nil {
		return GameList{}, fmt.Errorf("%s: %w", name, err)
	}
	byUnit := func(a, b stats.Game) int { return cmp.Compare(a.Unit, b.Unit) }
	if !slices.IsSortedFunc(r.list.Games, byUnit) {
		slices.SortStableFunc(r.list.Games, byUnit)
	}
	return r.list, nil
}

// skipByteOrderMark returns the input without the mark with which some programs begin a file.
func skipByteOrderMark(input io.Reader) *bufio.Reader {
	buffered := bufio.NewReader(input)
	if mark := []byte("\uFEFF"); startsWith(buffered, mark) {
		_, _ = buffered.Discard(len(mark)) // it was peeked at
	}
	return buffered
}

// separator returns what separates the cells of the first line, without reading it. It looks at a few thousand bytes.
func separator(r *bufio.Reader) rune {
	start, _ := r.Peek(r.Size()) // the next read returns the error again
	header, _, _ := bytes.Cut(start, []byte("\n"))
	if bytes.ContainsRune(header, '\t') && !bytes.ContainsRune(header, ',') {
		return '\t'
	}
	return ','
}

func startsWith(r *bufio.Reader, prefix []byte) bool {
	start, _ := r.Peek(len(prefix)) // the next read returns the error again
	return bytes.Equal(start, prefix)
}

// gameReader reads the rows of a list of games.
type gameReader struct {
	rows   rowReader
	column map[string]int // places of the columns by name; pair may be missing
	list   GameList
	player map[string]int
	unit   map[pairLabel]int
	units  int
}

// pairLabel identifies a unit. a < b are the players.
type pairLabel struct {
	a, b  int
	label string
}

func (r *gameReader) read() error {
	header, err := r.rows.next()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it is empty; %s", gameHeader)
	}
	if err != nil {
		return err
	}
	if r.column, err = findGameColumns(header); err != nil {
		return fmt.Errorf("line %d: %w", r.rows.line, err)
	}
	_, r.list.Paired = r.column["pair"]
	width := len(header)
	for {
		row, err := r.rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if len(row) != width {
			return fmt.Errorf("line %d: %d in place of %d columns", r.rows.line, len(row), width)
		}
		if err := r.game(row); err != nil {
			return fmt.Errorf("line %d: %w", r.rows.line, err)
		}
	}
	if len(r.list.Games) == 0 {
		return errors.New("there is no game in it, only the header")
	}
	return nil
}

// gameHeader describes the header.
const gameHeader = "the first line must name the columns first,second,result and may name pair"

// findGameColumns returns the places of the known columns in a header.
func findGameColumns(header []string) (map[string]int, error) {
	places := make(map[string]int)
	for i, title := range header {
		name := strings.ToLower(strings.TrimSpace(title))
		if !slices.Contains([]string{"first", "second", "result", "pair"}, name) {
			continue
		}
		if _, twice := places[name]; twice {
			return nil, fmt.Errorf("column %q is there twice", strings.TrimSpace(title))
		}
		places[name] = i
	}
	var missing []string
	for _, name := range []string{"first", "second", "result"} {
		if _, found := places[name]; !found {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return places, nil
	}
	hint := ""
	if len(header) == 1 && strings.Contains(header[0], ";") {
		hint = " (hint: columns are separated by commas, not by semicolons)"
	}
	return nil, fmt.Errorf("the header %q lacks %s; %s%s",
		Clip(strings.Join(header, ",")), strings.Join(missing, ", "), gameHeader, hint)
}

// game reads one row.
func (r *gameReader) game(row []string) error {
	first, err := r.playerOf("first", row[r.column["first"]])
	if err != nil {
		return err
	}
	second, err := r.playerOf("second", row[r.column["second"]])
	if err != nil {
		return err
	}
	if first == second {
		return fmt.Errorf("%q plays against itself", r.list.Players[first])
	}
	game := stats.Game{First: first, Second: second, Unit: r.units}
	result := strings.TrimSpace(row[r.column["result"]])
	if game.Score, err = scoreOf(result); err != nil {
		return err
	}
	if pair, found := r.column["pair"]; found {
		game.Unit = r.unitOf(first, second, strings.TrimSpace(row[pair]))
	}
	if game.Unit == r.units {
		r.units++
	}
	r.list.Games = append(r.list.Games, game)
	return nil
}

// scoreOf reads a result: as 1-0 with a hyphen or an en dash, or as the points of the player who moved first.
func scoreOf(result string) (float64, error) {
	switch strings.ReplaceAll(result, "–", "-") { // an en dash
	case "1-0", "1":
		return 1, nil
	case "1/2-1/2", "½-½", "1/2", "½", "=", "0.5", "0.5-0.5":
		return 0.5, nil
	case "0-1", "0":
		return 0, nil
	}
	return 0, fmt.Errorf("result is %q; it must be 1-0, 0-1 or 1/2-1/2", Clip(result))
}

// playerOf returns the number of a player; a new name gets a new number.
func (r *gameReader) playerOf(column, name string) (int, error) {
	name = strings.TrimSpace(name)
	if number, ok := r.player[name]; ok {
		return number, nil
	}
	switch {
	case name == "":
		return 0, fmt.Errorf("column %s is empty; it must hold the name of a player", column)
	case !utf8.ValidString(name):
		return 0, fmt.Errorf("column %s is %q, which is not UTF-8", column, Clip(name))
	case len(r.list.Players) == MaxPlayers:
		return 0, fmt.Errorf("%q is player %d, at most %d can be rated", Clip(name), MaxPlayers+1, MaxPlayers)
	}
	name = strings.Clone(name) // a part of a row would keep the whole row in memory
	number := len(r.list.Players)
	r.list.Players = append(r.list.Players, name)
	r.player[name] = number
	return number, nil
}

// unitOf returns the number of the unit of a game between two players; a new unit gets a new number.
func (r *gameReader) unitOf(first, second int, label string) int {
	if label == "" {
		return r.units
	}
	key := pairLabel{min(first, second), max(first, second), label}
	if unit, ok := r.unit[key]; ok {
		return unit
	}
	key.label = strings.Clone(label)
	r.unit[key] = r.units
	return r.units
}

// rowReader reads rows of CSV. It limits the memory for a row, because the input can be anything.
type rowReader struct {
	input io.Reader
	comma rune  // separates cells
	taken int64 // bytes that csv has read
	done  int64 // bytes of the rows so far
	csv   *csv.Reader
	line  int // of the last row
}

// maxRow is the greatest length of a row, in bytes.
const maxRow = 1 << 20

// next returns a row, which is valid until the next call; io.EOF at the end.
func (r *rowReader) next() ([]string, error) {
	if r.csv == nil {
		r.csv = csv.NewReader(r)
		r.csv.Comma = r.comma
		r.csv.ReuseRecord = true
		r.csv.FieldsPerRecord = -1 // the caller checks this with a better message
	}
	row, err := r.csv.Read()
	if wrong := new(csv.ParseError); errors.As(err, &wrong) {
		return nil, fmt.Errorf("line %d: %w", wrong.StartLine, wrong.Err)
	}
	if errors.Is(err, errLongRow) {
		return nil, fmt.Errorf("after line %d: %w", r.line, err)
	}
	if err != nil {
		return nil, err
	}
	r.line, _ = r.csv.FieldPos(0)
	r.done = r.csv.InputOffset()
	return row, nil
}

var errLongRow = fmt.Errorf("a row has more than %d bytes, or a quote is open", maxRow)

// Read passes the input to csv, which keeps the whole row in memory.
func (r *rowReader) Read(to []byte) (int, error) {
	if r.taken-r.done > maxRow {
		return 0, errLongRow
	}
	n, err := r.input.Read(to)
	r.taken += int64(n)
	return n, err
}

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

// MaxPlayers is the most players that ReadGames takes: the rating of a field takes time with the third power of
// their number.
const MaxPlayers = 5000

// GameList is the games of a field of players, from anywhere.
type GameList struct {
	Players []string     // in the order in which they appear
	Games   []stats.Game // the games of a unit next to each other, else in their order
}

// ReadGames reads results as CSV (RFC 4180; UTF-8, with or without a byte order mark). The header names the
// columns first, second and result, in any order and case, and a column pair may be there; other columns are ignored. A result
// is 1-0, 0-1 or 1/2-1/2, as first has it. Games between the same two players with the same pair are one unit; a
// game without is its own. Spaces around a cell do not count. The input is read row after row, and name is what errors
// call it.
func ReadGames(input io.Reader, name string) (GameList, error) {
	r := gameReader{
		rows:   rowReader{input: skipByteOrderMark(input)},
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

// skipByteOrderMark is the input without the mark that some programs begin a file with.
func skipByteOrderMark(input io.Reader) io.Reader {
	buffered := bufio.NewReader(input)
	if mark := []byte("\uFEFF"); startsWith(buffered, mark) {
		_, _ = buffered.Discard(len(mark)) // it was peeked at
	}
	return buffered
}

func startsWith(r *bufio.Reader, prefix []byte) bool {
	start, _ := r.Peek(len(prefix)) // an error comes again when it is read
	return bytes.Equal(start, prefix)
}

// gameReader reads the rows of a list of games.
type gameReader struct {
	rows   rowReader
	column gameColumns
	list   GameList
	player map[string]int
	unit   map[pairLabel]int
	units  int
}

// gameColumns are the places of the columns.
type gameColumns struct {
	first, second, result int
	pair                  int // less than 0: there is none
}

// pairLabel is what games of one unit have in common. a < b are the players.
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
			return fmt.Errorf("line %d has %s, but the header has %d", r.rows.line, columns(len(row)), width)
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

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// gameHeader says what a header has.
const gameHeader = "the first line must name the columns first,second,result and may name pair"

func findGameColumns(header []string) (columns gameColumns, err error) {
	columns = gameColumns{-1, -1, -1, -1}
	for i, title := range header {
		var column *int
		switch strings.ToLower(strings.TrimSpace(title)) {
		case "first":
			column = &columns.first
		case "second":
			column = &columns.second
		case "result":
			column = &columns.result
		case "pair":
			column = &columns.pair
		default:
			continue
		}
		if *column >= 0 {
			return columns, fmt.Errorf("column %q is there twice", strings.TrimSpace(title))
		}
		*column = i
	}
	var missing []string
	for _, column := range []struct {
		title string
		place int
	}{{"first", columns.first}, {"second", columns.second}, {"result", columns.result}} {
		if column.place < 0 {
			missing = append(missing, column.title)
		}
	}
	if missing != nil {
		hint := ""
		if len(header) == 1 && strings.Contains(header[0], ";") {
			hint = " (hint: columns are separated by commas, not by semicolons)"
		}
		return columns, fmt.Errorf("the header %q lacks %s; %s%s",
			clip(strings.Join(header, ",")), strings.Join(missing, ", "), gameHeader, hint)
	}
	return columns, nil
}

// game reads one row.
func (r *gameReader) game(row []string) error {
	first, err := r.playerOf("first", row[r.column.first])
	if err != nil {
		return err
	}
	second, err := r.playerOf("second", row[r.column.second])
	if err != nil {
		return err
	}
	if first == second {
		return fmt.Errorf("%q plays against itself", r.list.Players[first])
	}
	game := stats.Game{First: first, Second: second, Unit: r.units}
	switch result := strings.TrimSpace(row[r.column.result]); result {
	case "1-0":
		game.Score = 1
	case "0-1":
		game.Score = 0
	case "1/2-1/2":
		game.Score = 0.5
	default:
		return fmt.Errorf("result is %q; it must be 1-0, 0-1 or 1/2-1/2", clip(result))
	}
	if r.column.pair >= 0 {
		game.Unit = r.unitOf(first, second, strings.TrimSpace(row[r.column.pair]))
	}
	if game.Unit == r.units {
		r.units++
	}
	r.list.Games = append(r.list.Games, game)
	return nil
}

// playerOf is the number of a player, a new one for a new name.
func (r *gameReader) playerOf(column, name string) (int, error) {
	name = strings.TrimSpace(name)
	if number, ok := r.player[name]; ok {
		return number, nil
	}
	switch {
	case name == "":
		return 0, fmt.Errorf("column %s is empty; it must hold the name of a player", column)
	case !utf8.ValidString(name):
		return 0, fmt.Errorf("column %s is %q, which is not UTF-8", column, clip(name))
	case len(r.list.Players) == MaxPlayers:
		return 0, fmt.Errorf("%q is player %d, at most %d can be rated", clip(name), MaxPlayers+1, MaxPlayers)
	}
	name = strings.Clone(name) // it is a part of a row, which would stay in memory with it
	number := len(r.list.Players)
	r.list.Players = append(r.list.Players, name)
	r.player[name] = number
	return number, nil
}

// unitOf is the number of the unit of a game between two players, a new one where there is none yet.
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

// clip cuts a long text from elsewhere for an error.
func clip(text string) string {
	const most = 40
	count := 0
	for i := range text {
		if count == most {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

// rowReader reads rows of CSV. No row takes more than some memory, whatever the input is.
type rowReader struct {
	input io.Reader
	taken int64 // bytes of the input that csv has read
	done  int64 // and that were the rows so far
	csv   *csv.Reader
	line  int // of the last row that was read
}

// maxRow is the most bytes of a row.
const maxRow = 1 << 20

// next reads a row, which holds until the next one; io.EOF at the end.
func (r *rowReader) next() ([]string, error) {
	if r.csv == nil {
		r.csv = csv.NewReader(r)
		r.csv.ReuseRecord = true
		r.csv.FieldsPerRecord = -1 // this is seen to with a better message
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

// Read gives the input to csv, which keeps in memory all of a row.
func (r *rowReader) Read(to []byte) (int, error) {
	if r.taken-r.done > maxRow {
		return 0, errLongRow
	}
	n, err := r.input.Read(to)
	r.taken += int64(n)
	return n, err
}

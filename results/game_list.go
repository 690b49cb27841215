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

	"sembra/results/safe"
	"sembra/results/stats"
)

// mostPlayers is the greatest number of players of a list. The time to rate a field grows with the third power of this
// number.
const mostPlayers = 5000

// GameList is the games of a field of players, from any source.
type GameList struct {
	Players []string     // in the order of their first games
	Games   []stats.Game // the games of one unit are adjacent; otherwise in their order
	Paired  bool         // there is a column that says which games are one unit
}

// ReadGames reads results as CSV (RFC 4180; UTF-8, with or without a byte order mark). Tabs or semicolons separate the
// cells if the first line has one and no comma. The header has the columns first, second and result, in any order and
// case. There may be a column pair; other columns are ignored. A result is 1-0, 0-1 or 1/2-1/2 from the view of first,
// or its points 1, 0, 1/2, 0.5 or =. Games between the same two players with the same pair are one unit; a game without
// a pair is a unit of its own. Spaces around a cell do not count. Name is the name of the input in errors.
func ReadGames(input io.Reader, name string) (GameList, error) {
	r := gameReader{player: make(map[string]int), unit: make(map[pairLabel]int)}
	if err := r.read(input); err != nil {
		if wrong := new(csv.ParseError); errors.As(err, &wrong) {
			err = fmt.Errorf("line %d: %w", wrong.StartLine, wrong.Err)
		}
		return GameList{}, fmt.Errorf("%s: %w", name, err)
	}
	slices.SortStableFunc(r.list.Games, func(a, b stats.Game) int { return cmp.Compare(a.Unit, b.Unit) })
	return r.list, nil
}

type gameReader struct {
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

func (r *gameReader) read(input io.Reader) error {
	buffered := bufio.NewReader(input)
	start, _ := buffered.Peek(buffered.Size()) // the next read returns the error again
	if bytes.IndexByte(start, 0) >= 0 {        // a line of it could be endless
		return errors.New("it is binary, not a text")
	}
	if mark := []byte("\uFEFF"); bytes.HasPrefix(start, mark) {
		_, _ = buffered.Discard(len(mark)) // it was peeked at
	}
	rows := csv.NewReader(buffered)
	rows.ReuseRecord = true
	line, _, _ := bytes.Cut(start, []byte("\n"))
	for _, separator := range "\t;" {
		if bytes.ContainsRune(line, separator) && !bytes.ContainsRune(line, ',') {
			rows.Comma = separator
		}
	}
	header, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it is empty; %s", gameHeader)
	}
	if err != nil {
		return err
	}
	if r.column, err = findGameColumns(header); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	_, r.list.Paired = r.column["pair"]
	for {
		row, err := rows.Read()
		switch {
		case errors.Is(err, io.EOF) && len(r.list.Games) == 0:
			return errors.New("it has a header but no games")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := r.game(row); err != nil {
			line, _ := rows.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

const gameHeader = "the first line must name the columns first,second,result and may name pair"

// findGameColumns returns the places of the known columns in a header.
func findGameColumns(header []string) (map[string]int, error) {
	places := make(map[string]int)
	for i, title := range header {
		name := strings.ToLower(strings.TrimSpace(title))
		if _, twice := places[name]; twice && slices.Contains([]string{"first", "second", "result", "pair"}, name) {
			return nil, fmt.Errorf("column %q appears twice", name)
		}
		places[name] = i
	}
	missing := slices.DeleteFunc([]string{"first", "second", "result"}, func(name string) bool {
		_, found := places[name]
		return found
	})
	if len(missing) > 0 {
		return nil, fmt.Errorf("the header %s lacks %s; %s",
			safe.Quote(strings.Join(header, ",")), strings.Join(missing, ", "), gameHeader)
	}
	return places, nil
}

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
	switch strings.ReplaceAll(result, "–", "-") { // an en dash
	case "1-0", "1":
		game.Score = 1
	case "1/2-1/2", "½-½", "1/2", "½", "=", "0.5", "0.5-0.5":
		game.Score = 0.5
	case "0-1", "0":
	default:
		return fmt.Errorf("result is %s; it must be 1-0, 0-1 or 1/2-1/2", safe.Quote(result))
	}
	if pair, found := r.column["pair"]; found {
		if label := strings.TrimSpace(row[pair]); label != "" {
			key := pairLabel{min(first, second), max(first, second), strings.Clone(label)}
			if unit, known := r.unit[key]; known {
				game.Unit = unit
			} else {
				r.unit[key] = r.units
			}
		}
	}
	if game.Unit == r.units {
		r.units++
	}
	r.list.Games = append(r.list.Games, game)
	return nil
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
		return 0, fmt.Errorf("column %s is %s, which is not UTF-8", column, safe.Quote(name))
	case len(r.list.Players) == mostPlayers:
		return 0, fmt.Errorf("%s is player %d, at most %d can be rated", safe.Quote(name), mostPlayers+1, mostPlayers)
	}
	name = strings.Clone(name) // a part of a row would keep the whole row in memory
	number := len(r.list.Players)
	r.list.Players = append(r.list.Players, name)
	r.player[name] = number
	return number, nil
}

package results

import (
	"fmt"
	"strings"
	"testing"

	"sembra/results/stats"
)

func TestReadGames(t *testing.T) {
	t.Parallel()
	plain := GameList{
		Players: []string{"a", "b", "c"},
		Games: []stats.Game{
			{First: 0, Second: 1, Score: 1, Unit: 0},
			{First: 1, Second: 2, Score: 0, Unit: 1},
			{First: 1, Second: 0, Score: 0.5, Unit: 2},
		},
	}
	for name, test := range map[string]struct {
		text string
		want GameList
	}{
		"plain":      {"first,second,result\na,b,1-0\nb,c,0-1\nb,a,1/2-1/2\n", plain},
		"no newline": {"first,second,result\na,b,1-0\nb,c,0-1\nb,a,1/2-1/2", plain},
		"CRLF":       {"first,second,result\r\na,b,1-0\r\nb,c,0-1\r\nb,a,1/2-1/2\r\n", plain},
		"byte order": {"\uFEFFfirst,second,result\na,b,1-0\nb,c,0-1\nb,a,1/2-1/2\n", plain},
		"any case":   {"First,SECOND,Result\na,b,1-0\nb,c,0-1\nb,a,1/2-1/2\n", plain},
		"any order, others, spaces, quotes, empty lines": {
			"date, result ,second,\"first\"\n\nx,1-0, b , a \n,0-1,\"c\",b\n\n\"1,2\n3\",\"1/2-1/2\",a,b\n", plain,
		},
		"tabs":                          {"first\tsecond\tresult\na\tb\t1-0\nb\tc\t0-1\nb\ta\t1/2-1/2\n", plain},
		"semicolons":                    {"first;second;result\na;b;1-0\nb;c;0-1\nb;a;1/2-1/2\n", plain},
		"points":                        {"first,second,result\na,b,1\nb,c,0\nb,a,½-½\n", plain},
		"half a point":                  {"first,second,result\na,b,1\nb,c,0\nb,a,1/2\n", plain},
		"en dashes":                     {"first,second,result\na,b,1–0\nb,c,0–1\nb,a,½–½\n", plain},
		"half a point ½":                {"first,second,result\na,b,1\nb,c,0\nb,a,½\n", plain},
		"equals":                        {"first,second,result\na,b,1-0\nb,c,0-1\nb,a,=\n", plain},
		"decimals":                      {"first,second,result\na,b,1\nb,c,0\nb,a,0.5\n", plain},
		"both points":                   {"first,second,result\na,b,1-0\nb,c,0-1\nb,a,0.5-0.5\n", plain},
		"commas in a header with a tab": {"\tfirst,second,result\t\na,b,1-0\nb,c,0-1\nb,a,=\n", plain},
		"units": {
			"first,second,result,pair\na,b,1-0,1\nc,d,1-0,1\nb,a,1-0,1\na,b,0-1,\na,b,0-1,\nd,c,1/2-1/2,1\n",
			GameList{
				Players: []string{"a", "b", "c", "d"},
				Games: []stats.Game{
					{First: 0, Second: 1, Score: 1, Unit: 0},
					{First: 1, Second: 0, Score: 1, Unit: 0},
					{First: 2, Second: 3, Score: 1, Unit: 1},
					{First: 3, Second: 2, Score: 0.5, Unit: 1},
					{First: 0, Second: 1, Score: 0, Unit: 2},
					{First: 0, Second: 1, Score: 0, Unit: 3},
				},
				Paired: true,
			},
		},
		"names with commas and quotes": {
			"first,second,result\n\"a, the \"\"first\"\"\",b,1-0\n",
			GameList{Players: []string{`a, the "first"`, "b"}, Games: []stats.Game{{First: 0, Second: 1, Score: 1}}},
		},
	} {
		got, err := ReadGames(strings.NewReader(test.text), "games.csv")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, name, test.want, got)
	}
}

// TestReadGamesRefuses: errors name the file, the line and what was expected.
func TestReadGamesRefuses(t *testing.T) {
	t.Parallel()
	const header = "first,second,result\n"
	var many strings.Builder
	many.WriteString(header)
	for i := range mostPlayers/2 + 1 {
		fmt.Fprintf(&many, "p%d,q%d,1-0\n", i, i)
	}
	for _, test := range []struct{ text, want string }{
		{"", "games.csv: it is empty; the first line must name the columns first,second,result and may name pair"},
		{"\n\n", "games.csv: it is empty; the first line must name the columns first,second,result and may name pair"},
		{header, "games.csv: it has a header but no games"},
		{"a,b,1-0\n", "games.csv: line 1: the header \"a,b,1-0\" lacks first, second, result; the first line must name the columns first,second,result and may name pair"},
		{"white,black,result\na,b,1-0\n", "games.csv: line 1: the header \"white,black,result\" lacks first, second; the first line must name the columns first,second,result and may name pair"},
		{"First,first,result\n", "games.csv: line 1: column \"first\" appears twice"},
		{"first,second,result,first\n", `games.csv: line 1: column "first" appears twice`},
		{header + "a,b,1-0\na,b,2-0\n", `games.csv: line 3: result is "2-0"; it must be 1-0, 0-1 or 1/2-1/2`},
		{header + "a,b,\n", `games.csv: line 2: result is ""; it must be 1-0, 0-1 or 1/2-1/2`},
		{header + "a,b," + strings.Repeat("ä", 100) + "\n", `games.csv: line 2: result is "` + strings.Repeat("ä", 40) + `…"; it must be 1-0, 0-1 or 1/2-1/2`},
		{header + "a, ,1-0\n", "games.csv: line 2: column second is empty; it must hold the name of a player"},
		{header + ",b,1-0\n", "games.csv: line 2: column first is empty; it must hold the name of a player"},
		{header + "a,a,1-0\n", `games.csv: line 2: "a" plays against itself`},
		{header + "\xff,a,1-0\n", `games.csv: line 2: column first is "\xff", which is not UTF-8`},
		{header + "a,b\n", "games.csv: line 2: wrong number of fields"},
		{header + "a,b\"c,1-0\n", `games.csv: line 2: bare " in non-quoted-field`},
		{header + "a,b,1-0\n\"a,b,1-0\na,b,1-0\n", `games.csv: line 3: extraneous or missing " in quoted-field`},
		{many.String(), fmt.Sprintf("games.csv: line %d: %q is player %d, at most %d can be rated", mostPlayers/2+2, fmt.Sprintf("p%d", mostPlayers/2), mostPlayers+1, mostPlayers)},
	} {
		_, err := ReadGames(strings.NewReader(test.text), "games.csv")
		if err == nil || err.Error() != test.want {
			t.Errorf("%.80q:\n%v\nwant\n%s", test.text, err, test.want)
		}
	}
}

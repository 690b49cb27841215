package results

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Tally counts the results of some matches from the view of one player.
type Tally struct {
	Matches int     `json:"matches"`
	Points  float64 `json:"points"` // 1 for a win and 1/2 for a draw
	Wins    int     `json:"wins"`
	Draws   int     `json:"draws"`
	Losses  int     `json:"losses"`
}

// Void returns the number of matches in which both bots were at fault.
func (t Tally) Void() int { return t.Matches - t.Wins - t.Draws - t.Losses }

// add counts a match with its points. A match that is not decided has no points.
func (t *Tally) add(points float64, decided bool) {
	t.Matches++
	t.Points += points
	switch {
	case !decided:
	case points == 1:
		t.Wins++
	case points == 0:
		t.Losses++
	default:
		t.Draws++
	}
}

// Profile counts the matches of one bot of a tournament.
type Profile struct {
	Bot     string
	Seats   [2]Tally         // as South and as North
	Endings map[Ending]Tally // by how the matches ended
	Time    time.Duration    // charged thinking time over all matches
}

// NewProfile counts the matches of a bot among summaries. It counts every match, as the standings do.
func NewProfile(bot string, summaries []Numbered) Profile {
	p := Profile{Bot: bot, Endings: make(map[Ending]Tally)}
	for i := range summaries {
		match := &summaries[i]
		for seat, name := range [2]string{match.South, match.North} {
			if name == bot {
				points, ending := match.Points()[seat], p.Endings[match.Ending]
				p.Seats[seat].add(points, match.Result != Void)
				ending.add(points, match.Result != Void)
				p.Endings[match.Ending] = ending
				p.Time += match.Times[seat]
			}
		}
	}
	return p
}

// Leaders counts the points of the bots of a tournament while it is played.
type Leaders struct {
	bots   []string           // in configured order
	points map[string]float64 // of those that have played
}

// Leader is one bot with its points so far.
type Leader struct {
	Bot    string
	Points float64 // with those for byes
}

// Leaders returns a count without matches.
func (t Tournament) Leaders() *Leaders {
	return &Leaders{bots: t.Bots, points: make(map[string]float64, len(t.Bots))}
}

// Add counts a match.
func (l *Leaders) Add(s Summary) {
	for seat, bot := range [2]string{s.South, s.North} {
		l.points[bot] += s.Points()[seat]
	}
}

// Top returns at most n bots that have played, those with the most points first. Bots with equal points are in the
// order of the tournament. merits says what they have beside their matches, and may be nil.
func (l *Leaders) Top(n int, merits map[string]StageResult) []Leader {
	var all []Leader
	for _, bot := range l.bots {
		points, played := l.points[bot]
		if byes := merits[bot].ByePoints; played || byes > 0 {
			all = append(all, Leader{bot, points + byes})
		}
	}
	slices.SortStableFunc(all, func(a, b Leader) int { return cmp.Compare(b.Points, a.Points) })
	return all[:min(n, len(all))]
}

// WorkerMatches counts the matches of a worker.
type WorkerMatches struct {
	Worker  string `json:"worker"` // with its machine, as in [Summary]; "": the machine of the run
	Matches int    `json:"matches"`
	Faults  int    `json:"faults"` // matches in which a bot was at fault; also counts Late
	Late    int    `json:"late"`   // matches that a bot lost on time
}

// workerCounts are the matches of each worker, by its name.
type workerCounts map[string]*WorkerMatches

// add counts a match. One on the machine of the run that ended before the first move, because a bot did not start or was
// disqualified, does not count: hardly any such match was played.
func (c workerCounts) add(match Numbered) {
	if match.Worker == "" && match.Ending == EndStart {
		return
	}
	w := c[match.Worker]
	if w == nil {
		w = &WorkerMatches{Worker: match.Worker}
		c[match.Worker] = w
	}
	w.Matches++
	if match.Fault != NoFault {
		w.Faults++
	}
	if match.Ending == EndTime {
		w.Late++
	}
}

// all returns the counts in the order of the names, those of the machine of the run first; nil if there was no worker.
func (c workerCounts) all() []WorkerMatches {
	if len(c) == 1 && c[""] != nil {
		return nil
	}
	var all []WorkerMatches
	for _, name := range slices.Sorted(maps.Keys(c)) {
		all = append(all, *c[name])
	}
	return all
}

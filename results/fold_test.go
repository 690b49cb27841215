package results

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// repeating is a tournament whose pairs all begin alike, and a record for every slot: equal bots in equal
// seats play equal moves, with seven results, so most matches are repeats.
func repeating(pairs int) (Tournament, *roundRobin, []Record) {
	t := spring(pairs, "a", "b", "c")
	for i := range t.Openings {
		t.Openings[i] = "opening"
	}
	order := newRoundRobin(t)
	return t, order, someRecords(order)
}

// In whatever order and portions records come, after failed transactions and in a file that was opened
// again, the stored ratings are those of a fold that leaves repeats out.
func TestStoredRatingsLeaveRepeatsOut(t *testing.T) {
	tournament, order, records := repeating(12)
	random := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		path := filepath.Join(t.TempDir(), "test.db")
		store, err := Open(path)
		must(t, err)
		must(t, store.Create(tournament))
		left := random.Perm(len(records))
		done := make([]bool, len(records)+1)
		for len(left) > 0 {
			size := min(1+random.IntN(6), len(left))
			var portion []Record
			for _, at := range left[:size] {
				portion = append(portion, records[at])
			}
			if bad := records[left[len(left)-1]]; random.IntN(3) == 0 && size < len(left) {
				score := math.NaN() // which no body can hold
				bad.Scores = []*float64{&score, &score, &score}
				if err := store.Put("spring", order, append(portion, bad)); err == nil {
					t.Fatal("a score that is no number was stored")
				}
			} else {
				must(t, store.Put("spring", order, portion))
				for _, at := range left[:size] {
					done[at] = true
				}
				left = left[size:]
			}
			checkRatings(t, store, tournament, records, done)
			if random.IntN(4) == 0 {
				must(t, store.Close())
				store, err = Open(path)
				must(t, err)
			}
			if random.IntN(6) == 0 {
				must(t, store.Replace(tournament, order))
				checkRatings(t, store, tournament, records, done)
			}
		}
		stored, err := store.Ratings("spring")
		must(t, err)
		table, err := standingsOf(tournament, slotted(order, records), nil)
		must(t, err)
		for _, line := range table {
			if math.Float64bits(line.Elo) != math.Float64bits(stored.Elo[line.Bot]) || line.Repeats == 0 {
				t.Errorf("%s has %v in the standings and %v in the file, with %d repeats", line.Bot, line.Elo, stored.Elo[line.Bot], line.Repeats)
			}
		}
		must(t, store.Close())
	}
}

// storeEarlier stores the ratings of the first matches as an earlier version did, which rated repeats too.
func storeEarlier(t *testing.T, path string, tournament Tournament, records []Record) {
	t.Helper()
	edit(t, path, func(tournaments *bolt.Bucket) {
		r, err := roomIn(tournaments.Bucket([]byte(tournament.Name)), tournament.Name)
		must(t, err)
		fold := newRatingFold(tournament)
		fold.repeats = nil
		for _, record := range records {
			must(t, fold.add(record.Summary))
		}
		value := fold.encode([]byte(r.name))
		value[0] = 1
		must(t, r.folded.Put([]byte(keyElo), seal([]byte(r.name), value[:len(value)-checksumSize])))
	})
}

func TestRatingsOfAnEarlierVersionBeginAgain(t *testing.T) {
	tournament, order, records := repeating(4)
	path := filepath.Join(t.TempDir(), "test.db")
	store, err := Open(path)
	must(t, err)
	must(t, store.Create(tournament))
	must(t, store.Put("spring", order, records[:20]))
	right, err := store.Ratings("spring")
	must(t, err)
	must(t, store.Close())

	storeEarlier(t, path, tournament, records[:20])
	store = open(t, path)
	if old, err := store.Ratings("spring"); err != nil || old.Slots != 20 || old.Elo["a"] == right.Elo["a"] {
		t.Errorf("%+v, %v; without repeats %+v", old, err, right)
	}
	must(t, store.Put("spring", order, records[20:21]))
	done := make([]bool, len(records)+1)
	for i := range 21 {
		done[i] = true
	}
	checkRatings(t, store, tournament, records, done)
}

// Verification knows both ways in which ratings were stored, and takes neither for the other.
func TestVerifyKnowsRepeats(t *testing.T) {
	c := cup(t, "awale", 3)
	c.Openings[1], c.Openings[2] = c.Openings[0], c.Openings[0]
	order := newRoundRobin(c)
	var records []Record
	for slot := 1; slot <= order.Len(); slot++ {
		records = append(records, playedMatch(t, c, 1+(slot-1)%2, order.Key(slot)))
	}
	path := filepath.Join(t.TempDir(), "cup.db")
	store, err := Open(path)
	must(t, err)
	must(t, store.Create(c))
	must(t, store.Put(c.Name, order, records))
	must(t, store.Close())
	same := func(want string) {
		t.Helper()
		lines, _, err := verifyFile(t, path)
		must(t, err)
		if got := strings.Join(lines, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
	same("")
	storeEarlier(t, path, c, records)
	same("")
	unrepeated := c
	unrepeated.Rating.K = 15
	storeEarlier(t, path, unrepeated, records)
	same("the stored ratings start at 1500 with K 15")

	edit(t, path, func(tournaments *bolt.Bucket) {
		r, err := roomIn(tournaments.Bucket([]byte(c.Name)), c.Name)
		must(t, err)
		fold := newRatingFold(c)
		fold.repeats = nil
		for _, record := range records {
			must(t, fold.add(record.Summary))
		}
		must(t, r.writeRatings(fold.storedRatings))
	})
	same("the stored rating of a is ")
}

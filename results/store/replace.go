package store

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sembra/results"
	"sembra/results/schedule"
)

// undone returns the error for a replacement of bots that would undo matches of later stages; nil if it
// undoes none. The records begun are all. Numbers are those that are recorded.
func (s *Store) undone(begun *Records, numbers []int, kept *schedule.Schedule, bots []string) error {
	stage, matches := math.MaxInt, 0
	for _, number := range numbers {
		if _, stays := kept.Number(begun.Schedule.Key(number)); !stays {
			stage, matches = min(stage, begun.Schedule.Stage(number)), matches+1
		}
	}
	if matches == 0 {
		return nil
	}
	change := fmt.Sprintf("to replace %s would undo recorded matches (%d, from stage %d on), because their "+
		"pairings depend on earlier results", strings.Join(bots, " and "), matches, stage)
	return s.wrap(&results.ChangeError{Tournament: begun.Tournament.Name, Changes: []string{change}})
}

// replace takes out all recorded matches of some bots, and computes the stored ratings again from the first match,
// because the schedule has changed. Every other recorded match must be in the schedule.
func (b buckets) replace(order *schedule.Schedule, bots []string, fold *results.RatingFold) error {
	var keys [][]byte
	err := b.summaries.ForEach(func(raw, _ []byte) error {
		key, err := readKey(raw)
		if key.Of(bots) {
			keys = append(keys, slices.Clone(raw))
		}
		return err
	})
	for _, raw := range keys {
		err = cmp.Or(err, b.summaries.Delete(raw), b.bodies.Delete(raw))
	}
	if err == nil {
		_, err = b.numbers(order)
	}
	if err != nil {
		return err
	}
	return b.extendRatings(fold, order)
}

// copyMiddle stands in the name of a copy between the name of the file and a number: cup-before-replace-1.db.
const copyMiddle = "-before-replace-"

// saveCopy copies the file to a new one beside it, which is on the disk when saveCopy returns its path.
func (s *Store) saveCopy() (path string, err error) {
	err = s.withFile(true, func(file *os.File) error {
		all := copies(s.beside)
		next := all[len(all)-1]
		saved, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = io.Copy(saved, file)
			if err = cmp.Or(err, saved.Sync(), saved.Close()); err != nil {
				_ = os.Remove(next) // it is of no use
			}
		}
		if err != nil {
			return fmt.Errorf("it cannot be copied: %w", err)
		}
		path = next
		return nil
	})
	return path, err
}

// copyPath returns the path of a copy of a file.
func copyPath(path string, number int) string {
	ending := filepath.Ext(path)
	return fmt.Sprintf("%s%s%d%s", strings.TrimSuffix(path, ending), copyMiddle, number, ending)
}

// copies returns the paths of all copies of a file, and of the next one.
func copies(path string) (paths []string) {
	ending := filepath.Ext(path)
	start := filepath.Base(strings.TrimSuffix(path, ending)) + copyMiddle
	entries, _ := os.ReadDir(filepath.Dir(path)) // a folder that cannot be read shows nobody a copy
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, start) && strings.HasSuffix(name, ending) {
			paths = append(paths, filepath.Join(filepath.Dir(path), name))
		}
	}
	number := 1
	for slices.Contains(paths, copyPath(path, number)) {
		number++
	}
	return append(paths, copyPath(path, number))
}

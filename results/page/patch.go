package page

import (
	"strings"
)

// splice is a change of a list of texts: at an index, a number of texts goes and others come. It is a JSON array:
// [at, removed, [text, …]].
type splice [3]any

// split cuts a page into texts, each of which often stays the same when the page changes: lines, and cells of tables.
func split(page string) (texts []string) {
	for line := range strings.SplitAfterSeq(page, "\n") {
		for {
			at := strings.Index(line[min(1, len(line)):], "<td")
			if at < 0 {
				break
			}
			texts = append(texts, line[:at+1])
			line = line[at+1:]
		}
		if line != "" {
			texts = append(texts, line)
		}
	}
	return texts
}

// patch returns splices that make the list now from the list before, when each is done after those that follow it.
// If the lists are equally long, there is a splice for each run of changed texts; otherwise there is only one.
func patch(before, now []string) []splice {
	splices := []splice{}
	if len(before) == len(now) {
		for i := 0; i < len(now); i++ {
			first := i
			for i < len(now) && before[i] != now[i] {
				i++
			}
			if i > first {
				splices = append(splices, splice{first, i - first, now[first:i]})
			}
		}
		return splices
	}
	first, last := 0, 0
	for shorter := min(len(before), len(now)); first < shorter && before[first] == now[first]; first++ {
	}
	for shorter := min(len(before), len(now)) - first; last < shorter && before[len(before)-1-last] == now[len(now)-1-last]; last++ {
	}
	return append(splices, splice{first, len(before) - last - first, now[first : len(now)-last]})
}

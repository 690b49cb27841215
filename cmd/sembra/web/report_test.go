package web

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/store"
)

// hostile is a text that a page has to show and not to obey.
const hostile = `</script><script>alert(1)</script>"><img src=http://example.com/x onerror='alert(2)'>` + "\x1b[2J\u202e\u2066&amp;`${x}`"

// openReport returns the report of a tournament with hostile texts. It has two stages.
func openReport(t *testing.T, plan results.Tournament) *Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spring.db")
	db := must2(store.Open(path))
	t.Cleanup(func() { _ = db.Close() })
	b := must2(db.Begin(plan.Plan, false))
	var records []results.Record
	for number := 1; number <= b.Schedule.Known(); number++ {
		const short = 5 // a match that ends soon, by a fault
		var record results.Record
		if number <= 2*short {
			record = playedRecord(t, plan, b.Schedule.Key(number), number, map[string]int{plan.Bots[0]: 1})
		} else {
			record = records[short-1]
			record.Key = b.Schedule.Key(number)
		}
		if record.Evidence != nil {
			record.Evidence.What = hostile
		}
		records = append(records, record)
	}
	must(t, b.Put(records))
	return must2(NewReport(b))
}

// reportFiles returns the files of the report, by name, as one file or as a folder.
func reportFiles(t *testing.T, r *Report, folder bool) map[string]string {
	t.Helper()
	files := make(map[string]string)
	if folder {
		must(t, r.WriteFiles(t.Context(), func(name string, text []byte) error {
			files[name] = string(text)
			return nil
		}))
		return files
	}
	var text bytes.Buffer
	must(t, r.WriteFile(t.Context(), &text))
	files[""] = text.String()
	return files
}

// partsOf returns the parts of a report, unpacked, by the links that lead to them.
func partsOf(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	parts := make(map[string]string)
	unpack := func(text string) string {
		unpacked := must2(zlib.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))))
		return string(must2(io.ReadAll(unpacked)))
	}
	for name, file := range files {
		if name == "" {
			packed := regexp.MustCompile(`<script type="text/plain" data-part="([^"]*)" data-title="[^"]*">([^<]*)</script>`)
			for _, found := range packed.FindAllStringSubmatch(file, -1) {
				parts["#"+found[1]] = unpack(found[2])
			}
			written := regexp.MustCompile(`(?s)<article id="([^"]*)" data-part="[^"]*" data-title="[^"]*">(.*?)\n</article>\n(?:<article id|<script)`)
			for {
				at := written.FindStringSubmatchIndex(file)
				if at == nil {
					break
				}
				parts["#"+file[at[2]:at[3]]] = file[at[4]:at[5]]
				file = file[at[5]:]
			}
			continue
		}
		if strings.HasSuffix(name, ".html") {
			parts[name] = file
		}
		_, text, isData := strings.Cut(file, "Sembra.parts({")
		if !isData || name == scriptAsset {
			continue
		}
		var data map[string][2]string
		must(t, json.Unmarshal([]byte("{"+strings.TrimSuffix(text, ");\n")), &data))
		for part, packed := range data {
			if part, _, _ := strings.Cut(part, "/"); part+".js" != name {
				t.Errorf("%s is in %s", part, name)
			}
			parts[packedFile+"#"+part] = unpack(packed[1])
		}
	}
	return parts
}

// TestReport: the files of a report load nothing, show hostile texts, and their links lead to parts.
func TestReport(t *testing.T) {
	t.Parallel()
	plan := planOf("spring", "awale", 17, "two words", "Ünï.+-_", hostile, "two_words")
	r := openReport(t, plan)
	for _, folder := range []bool{false, true} {
		files := reportFiles(t, r, folder)
		parts := partsOf(t, files)
		for name, file := range files {
			if !strings.HasSuffix(name, ".css") && !strings.HasSuffix(name, ".js") {
				checkPolicy(t, name, file)
			}
		}
		matches, listed, ofTwo := 0, 0, 0
		for of, text := range parts {
			for _, link := range checkMarkup(t, of, text) {
				checkLink(t, of, link, parts)
			}
			_, name, _ := strings.Cut(of, "#")
			if name == "" {
				name = strings.TrimSuffix(of, ".html")
			}
			main := strings.Index(text, "<main")
			switch n := strings.Count(text[max(0, main):], "match-"); {
			case regexp.MustCompile(`^(replays-\d+/)?match-\d+$`).MatchString(name):
				matches++
			case regexp.MustCompile(`^matches(-\d+)?$`).MatchString(name):
				listed += n
			case strings.HasSuffix(name, "matches/bot=2/opponent=4"):
				ofTwo += n
			}
		}
		if all := len(r.matches); matches != all || listed != all || ofTwo != all/6 {
			t.Errorf("folder %v: %d matches are in the report, %d in the list of all, and %d in that of two bots; want %d, %d and %d",
				folder, matches, listed, ofTwo, all, all, all/6)
		}
		for name := range files {
			if folder != IsReportFile(name) || !strings.Contains(files[name][:min(1<<10, len(files[name]))], ReportMark) {
				t.Errorf("%q is not recognised as a file of a report", name)
			}
		}
	}
}

// TestNoReport: there is no report without a match, and none in one file with too many.
func TestNoReport(t *testing.T) {
	t.Parallel()
	db := must2(store.Open(filepath.Join(t.TempDir(), "spring.db")))
	defer db.Close()
	b := must2(db.Begin(planOf("spring", "awale", 1, "ann", "ben").Plan, false))
	must(t, b.PutVoid(b.Schedule.Key(1), "no memory"))
	if _, err := NewReport(b); err == nil || err.Error() != `tournament "spring" has no match so far, so there is nothing to report` {
		t.Errorf("error %v", err)
	}
	r := &Report{records: newReader(b, links{}), matches: make([]results.Numbered, mostInFile)}
	must(t, r.CheckFile())
	r.matches = append(r.matches, results.Numbered{})
	if err := r.CheckFile(); err == nil || err.Error() != `tournament "spring" has 5001 matches, and a report in one file has at most 5000` {
		t.Errorf("error %v", err)
	}
}

// checkPolicy checks that the policy of a file permits its own style sheet and scripts, and no more.
func checkPolicy(t *testing.T, name, file string) {
	t.Helper()
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(file)
	if policy == nil {
		t.Fatalf("%s has no policy", name)
	}
	permitted := make(map[string][]string)
	for directive := range strings.SplitSeq(policy[1], "; ") {
		words := strings.Fields(directive)
		permitted[words[0]] = words[1:]
	}
	found := make(map[string][]string)
	for _, block := range regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(file, -1) {
		found[block[1]] = append(found[block[1]], source([]byte(block[2])))
	}
	if name != "" {
		beside := []string{"'self'", "file:"}
		found = map[string][]string{"script": beside, "style": beside}
	}
	want := map[string][]string{
		"default-src": {"'none'"}, "base-uri": {"'none'"}, "form-action": {"'none'"}, "img-src": {"data:"},
		"script-src": found["script"], "style-src": found["style"],
	}
	if diff := cmp.Diff(want, permitted); diff != "" || name == "" && (len(found["script"]) != 2 || len(found["style"]) != 1) {
		t.Errorf("%s: the policy -wanted +found:\n%s", name, diff)
	}
}

// checkMarkup checks that a part of a report loads nothing but the files beside it, and that no hostile text is markup in
// it. It returns its links.
func checkMarkup(t *testing.T, where, text string) []string {
	t.Helper()
	m := readMarkup(t, where, text)
	for _, loads := range []string{"src", "srcset", "action", "href"} {
		for _, value := range m.values[loads] {
			beside := value == styleAsset || value == themeAsset || value == scriptAsset
			if !beside && !slices.Contains(m.links, value) && !strings.HasPrefix(value, "data:image/svg+xml,") {
				t.Errorf("%s loads %s", where, value)
			}
		}
	}
	return m.links
}

// checkLink checks that a link in a part of a report leads to a part.
func checkLink(t *testing.T, of, link string, parts map[string]string) {
	t.Helper()
	address, err := url.Parse(link)
	if err != nil || address.Scheme != "" || address.Host != "" || address.RawQuery != "" {
		t.Fatalf("%s: the link %q", of, link)
	}
	link, _, _ = strings.Cut(link, "&ply=")
	if _, ok := parts[link]; ok || link == "#main" {
		return
	}
	if address.Path == "" && strings.Contains(parts[of], ` id="`+html.EscapeString(address.Fragment)+`"`) {
		return
	}
	t.Errorf("%s: the link %q leads nowhere", of, link)
}

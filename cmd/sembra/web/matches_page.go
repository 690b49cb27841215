package web

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/safe"
)

type fieldView struct {
	Name, Label string
	Options     []optionView
}

// optionView is a value that a field may have.
type optionView struct {
	Value, Text string // as a browser sends it and shows it; "" chooses all
	Chosen      bool
}

const (
	matchesOnPage = 200
	allPages      = 0 // in place of a number of a page
)

// sortTitles are the titles of the columns by which a list can be sorted. Not every list has all of them.
var sortTitles = []string{
	"match", "stage", "pair", "south", "north", "result", "stores", "donkeys", "ending", "fault", "plies", "reason", "note",
}

func (r *reader) matchesPage(query url.Values) content {
	fields := r.matchFields()
	choice, err := readMatchChoice(fields, query)
	if err != nil {
		check(missing(err.Error(), hyperlink{"All matches", r.toMatches(nil)}))
	}
	action, all := "", "" // of the form, and of the whole list; "": there is no form, and this is it
	if r.translate == nil {
		action = r.toMatches(nil)
	}
	if len(choice) > 0 {
		all = r.toMatches(nil)
	}
	fields = slices.DeleteFunc(fields, func(f fieldView) bool { return len(f.Options) < 2 })
	title := "Matches of " + safe.Line(r.Tournament.Name)
	for _, field := range fields {
		for i := range field.Options {
			o := &field.Options[i]
			o.Chosen = o.Value == choice[field.Name]
			if o.Chosen && o.Value != "" {
				title += fmt.Sprintf(", %s: %s", strings.ToLower(field.Label), safe.Line(o.Text))
			}
		}
	}
	page := max(1, choice.number(byPage))
	shown, sorted := page, choice[bySort]
	if sorted != "" {
		shown = allPages
	}
	list, found := r.chosenMatches(choice, shown)
	last := max(1, (found+matchesOnPage-1)/matchesOnPage)
	if page > last {
		check(missing(fmt.Sprintf("the list of matches has no page %d", page), hyperlink{"All matches", r.toMatches(nil)}))
	}
	matches := r.table("Matches", report.Matches(list).Parts[0])
	matches.nameWinners()
	_, descending := choice[byDesc]
	if sorted != "" {
		matches.sort(sorted, descending)
		matches.Rows = matches.Rows[(page-1)*matchesOnPage : min(page*matchesOnPage, found)]
	}
	matches.Fixed = r.translate == nil || last > 1 // a script would sort only this page
	if r.translate == nil {
		r.linkHeaders(&matches, choice)
	}
	for i := range matches.Columns { // on a narrow screen the names are the first line of a match, and the rest is the second
		switch c := &matches.Columns[i]; c.Title {
		case "pair", "result", "plies":
			c.Class += " wide"
		case "fault":
			c.Class = "short"
		}
	}
	return r.below("matches", title, templateData{
		"Title": title, "Action": action, "Fields": fields, "Found": foundMatches(found, page, len(choice) > 0), "All": all,
		"Matches": matches, "Pages": r.otherPages(choice, page, last), "Sort": sorted, "Descending": descending,
	})
}

// linkHeaders lets the headers of a list lead to the whole list sorted by their columns: numbers the largest first, and
// the other way round where it is sorted so already.
func (r *reader) linkHeaders(t *tableView, choice matchChoice) {
	for i := range t.Columns {
		column := &t.Columns[i]
		_, isDescending := choice[byDesc]
		descends := column.Class == "number"
		if column.Title == choice[bySort] {
			descends = !isDescending
			column.Sorted = "ascending"
			if isDescending {
				column.Sorted = "descending"
			}
		}
		other := maps.Clone(choice)
		delete(other, byPage)
		delete(other, byDesc)
		other[bySort] = column.Title
		if descends {
			other[byDesc] = ""
		}
		column.URL = r.toMatches(other)
	}
}

// sort sorts the rows by the column with a title, if there is one: by the number with which its cells begin, or else by
// their texts.
func (t *tableView) sort(title string, descending bool) {
	at := t.column(title)
	if at < 0 {
		return
	}
	number := func(text string) float64 {
		text, _, _ = strings.Cut(text, "-") // of stores, South's come first
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(t.Rows, func(a, b []cellView) int {
		if descending {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(number(a[at].Text), number(b[at].Text)), cmp.Compare(a[at].Text, b[at].Text))
	})
}

// otherPages links to the pages of a list before and after one of them.
func (r *reader) otherPages(choice matchChoice, page, last int) []hyperlink {
	var links []hyperlink
	link := func(text string, to int) {
		if to < 1 || to > last || to == page {
			return
		}
		other := maps.Clone(choice)
		delete(other, byPage)
		if to > 1 {
			other[byPage] = strconv.Itoa(to)
		}
		links = append(links, hyperlink{text, r.toMatches(other)})
	}
	link("First", 1)
	link("Previous", page-1)
	link("Next", page+1)
	link("Last", last)
	return links
}

// nameWinners names the winner of each match in place of the winner's seat.
func (t *tableView) nameWinners() {
	result := t.column("result")
	if result < 0 { // no match has one
		return
	}
	t.Columns[result].Class = "name"
	for _, row := range t.Rows {
		if seat := t.column(row[result].Text); seat >= 0 { // south or north
			row[result].Text, row[seat].Won = row[seat].Text, true
		}
	}
}

// matchFields returns the fields of the form with all values that they may have. Those of a number have no options, or
// one for each stage.
func (r *reader) matchFields() []fieldView {
	bots := func(all string, more ...optionView) []optionView {
		options := append([]optionView{{Text: all}}, more...)
		for _, bot := range r.Tournament.Bots {
			options = append(options, optionView{Value: bot, Text: bot})
		}
		return options
	}
	stages := fieldView{byStage, "Stage", nil}
	if last := r.Schedule.Known(); r.Tournament.Staged() && last > 0 {
		stages.Options = []optionView{{Text: "any stage"}}
		for stage := range r.Schedule.Stage(last) {
			number := strconv.Itoa(stage + 1)
			stages.Options = append(stages.Options, optionView{Value: number, Text: number})
		}
	}
	endings := fieldView{byEnding, "Ending", []optionView{{Text: "any ending"}}}
	for ending := results.EndNormal; ending.Valid(); ending++ {
		endings.Options = append(endings.Options, optionView{Value: ending.String(), Text: ending.String()})
	}
	return []fieldView{
		{byBot, "Bot", bots("any bot")},
		{byOpponent, "Opponent", bots("any bot")},
		stages,
		endings,
		{byFault, "At fault", bots("any match", optionView{Value: anyFault, Text: "either bot"})},
		{byKind, "Kind", []optionView{{Text: "recorded"}, {Value: voidKind, Text: "without a result"}}},
		{Name: byPage},
	}
}

// readMatchChoice reads what queryOf wrote, or the form sent. The error says what it does not know.
func readMatchChoice(fields []fieldView, query url.Values) (matchChoice, error) {
	c := make(matchChoice)
	for _, field := range fields {
		value := query.Get(field.Name)
		if value == "" {
			continue
		}
		if slices.ContainsFunc(field.Options, func(o optionView) bool { return o.Value == value }) {
			c[field.Name] = value
			continue
		}
		isNumber := field.Name == byStage || field.Name == byPage
		number, err := strconv.Atoi(value)
		if !isNumber || err != nil || number < 1 || number > math.MaxInt32 {
			return nil, fmt.Errorf("the list of matches has no %s %q", field.Name, value)
		}
		if field.Name == byStage || number > 1 {
			c[field.Name] = strconv.Itoa(number)
		}
	}
	if title := query.Get(bySort); slices.Contains(sortTitles, title) {
		c[bySort] = title
	} else if title != "" {
		return nil, fmt.Errorf("the list of matches cannot be sorted by %q", title)
	}
	if query.Has(byDesc) {
		c[byDesc] = ""
	}
	return c, nil
}

// foundMatches says in words which of the found matches a page shows. They are all, or chosen ones.
func foundMatches(found, page int, chosen bool) string {
	switch {
	case found == 0 && !chosen:
		return "No match is recorded so far."
	case found == 0:
		return "No match fits."
	case found > matchesOnPage:
		return fmt.Sprintf("Matches %d to %d of %d.", (page-1)*matchesOnPage+1, min(page*matchesOnPage, found), found)
	}
	return show.Count(found, "match", "matches") + "."
}

// chosenMatches returns the matches of one page of a list, or of all pages, and the number of matches on all pages. The matches without
// a record come last.
func (r *reader) chosenMatches(choice matchChoice, page int) (list report.MatchList, found int) {
	list = report.MatchList{Tournament: r.Tournament, Places: r.Schedule}
	isVoid := choice[byKind] == voidKind
	filter := results.Filter{
		Bot: choice[byBot], Opponent: choice[byOpponent], Fault: choice[byFault], Void: isVoid, Undecided: !isVoid,
	}
	filter.Ending, _ = results.ParseEnding(choice[byEnding]) // readMatchChoice has checked it; 0 chooses all
	stage := choice.number(byStage)
	isShown := func(number int) bool {
		if stage > 0 && r.Schedule.Stage(number) != stage {
			return false
		}
		found++
		return page == allPages || (page-1)*matchesOnPage < found && found <= page*matchesOnPage
	}
	var shown []results.Noted
	for _, match := range r.recorded() {
		if filter.Passes(match) && isShown(match.Number) {
			shown = append(shown, results.Noted{Numbered: match, Note: r.notes()[match.Number]})
		}
	}
	list.Matches = report.Each(shown)
	if isVoid {
		isOther := func(void results.VoidMatch) bool { return !isShown(void.Number) }
		list.Voids = slices.DeleteFunc(got(r.SelectVoids(filter)), isOther)
	}
	return list, found
}

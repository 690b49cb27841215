package web

import (
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// matchesView is a list of matches with a form that chooses them.
type matchesView struct {
	Title   string
	Action  string // the address that the form leads to; "": there is no form
	Fields  []fieldView
	Matches tableView
	Found   string // "matches 201 to 400 of 1234"
	Pages   []link // the pages before and after this one
	All     string // the address of the whole list; "": this is it
}

// fieldView is a field of the form.
type fieldView struct {
	Name, Label string
	Options     []optionView
}

// optionView is a value that a field may have.
type optionView struct {
	Value, Text string
	Chosen      bool
}

// matchesOnPage is the greatest number of matches on a page of the list.
const matchesOnPage = 200

func matchesPage(b *reader, r *http.Request, l links) (content, error) {
	choice, err := readMatchChoice(b.Tournament, r.URL.Query())
	if err != nil {
		all := link{"All matches", l.matches(b.Tournament.Name, matchChoice{})}
		return content{}, &missingError{what: err.Error(), known: []link{all}}
	}
	view, err := newMatchesView(b, choice, l)
	return below(b, l, "matches", view.Title, view), err
}

// tournamentTrail is the trail of a page below that of a tournament. A report has no list of tournaments.
func tournamentTrail(name string, l links) (trail []link) {
	if all := l.tournaments(); all != "" {
		trail = append(trail, link{"Tournaments", all})
	}
	if name != "" {
		trail = append(trail, link{name, l.tournament(name)})
	}
	return trail
}

// readMatchChoice reads what matchChoice.query wrote, or the form sent. The error says
// what it does not know.
func readMatchChoice(t results.Tournament, values url.Values) (c matchChoice, err error) {
	for key, target := range map[string]*string{"bot": &c.Bot, "opponent": &c.Opponent, "fault": &c.Fault} {
		name := values.Get(key)
		if name == "" || key == "fault" && name == anyFault {
			*target = name
			continue
		}
		// The form has names as a person sees them, because a browser may change others.
		at := slices.Index(t.Bots, name)
		if at < 0 {
			at = slices.IndexFunc(t.Bots, func(bot string) bool { return results.VisibleAll(bot) == name })
		}
		if at < 0 {
			return c, fmt.Errorf("tournament %q has no bot %q", t.Name, name)
		}
		*target = t.Bots[at]
	}
	for key, target := range map[string]*int{"stage": &c.Stage, "page": &c.Page} {
		text := values.Get(key)
		if text == "" {
			continue
		}
		if *target, err = strconv.Atoi(text); err != nil || *target < 1 || *target > math.MaxInt32 {
			return c, fmt.Errorf("%s %q is not a number from 1", key, text)
		}
	}
	if c.Ending = values.Get("ending"); c.Ending != "" {
		if _, err := results.ParseEnding(c.Ending); err != nil {
			return c, err
		}
	}
	c.Kind = matchKind(values.Get("kind"))
	if !slices.Contains([]matchKind{recordedMatches, voidMatches}, c.Kind) {
		return c, fmt.Errorf("there is no kind %q of matches", c.Kind)
	}
	return c, nil
}

// filter returns what the choice says about a match, but for its stage.
func (c matchChoice) filter() results.Filter {
	f := results.Filter{Bot: c.Bot, Opponent: c.Opponent, Fault: c.Fault}
	f.Ending, _ = results.ParseEnding(c.Ending) // readMatchChoice has checked it; 0 chooses all
	f.Void = c.Kind == voidMatches
	f.Undecided = !f.Void
	return f
}

func newMatchesView(b *reader, choice matchChoice, l links) (v matchesView, err error) {
	t := b.Tournament
	v = matchesView{Title: choice.title(t.Name), Action: l.matchForm(t.Name)}
	if v.Action != "" {
		v.Fields = matchFields(b, choice)
	}
	if first := (matchChoice{}); choice != first {
		v.All = l.matches(t.Name, first)
	}
	page := max(1, choice.Page)
	list, found, err := chosenMatches(b, choice, page)
	if err != nil {
		return v, err
	}
	if v.Matches, err = newCellLinks(t, l).table("Matches", report.Matches(list).Parts[0]); err != nil {
		return v, err
	}
	last := max(1, (found+matchesOnPage-1)/matchesOnPage)
	v.Found = foundMatches(found, page)
	for _, to := range []struct {
		text string
		page int
	}{{"First", 1}, {"Previous", page - 1}, {"Next", page + 1}, {"Last", last}} {
		if to.page >= 1 && to.page <= last && to.page != page && last > 1 {
			next := choice
			next.Page = to.page
			v.Pages = append(v.Pages, link{to.text, l.matches(t.Name, next)})
		}
	}
	return v, nil
}

// title says in words what the list has.
func (c matchChoice) title(tournament string) string {
	of := tournament
	switch {
	case c.Bot != "" && c.Opponent != "":
		of = c.Bot + " and " + c.Opponent
	case c.Bot != "" || c.Opponent != "":
		of = c.Bot + c.Opponent
	}
	title := "Matches of " + results.VisibleAll(of)
	if c.Stage > 0 {
		title += ", stage " + strconv.Itoa(c.Stage)
	}
	if c.Ending != "" {
		title += ", ending " + c.Ending
	}
	switch c.Fault {
	case "":
	case anyFault:
		title += ", lost by a fault"
	default:
		title += ", lost by a fault of " + results.VisibleAll(c.Fault)
	}
	if c.Kind == voidMatches {
		title += ", without a result"
	}
	return title
}

// foundMatches says in words which of the found matches a page shows.
func foundMatches(found, page int) string {
	from, to := (page-1)*matchesOnPage+1, min(page*matchesOnPage, found)
	switch {
	case found == 0:
		return "No match fits."
	case from > found:
		return fmt.Sprintf("There is no page %d: only %d matches fit.", page, found)
	case found == 1:
		return "1 match."
	case from == 1 && to == found:
		return fmt.Sprintf("%d matches.", found)
	}
	return fmt.Sprintf("Matches %d to %d of %d.", from, to, found)
}

// chosenMatches returns the matches of one page of a list, and the number of matches on
// all pages. The matches without a record come last.
func chosenMatches(b *reader, choice matchChoice, page int) (list report.MatchList, found int, err error) {
	list = report.MatchList{Tournament: b.Tournament, Places: b.Schedule}
	filter := choice.filter()
	var shown []results.Noted
	isShown := func() bool {
		found++
		return (page-1)*matchesOnPage < found && found <= page*matchesOnPage
	}
	for match, err := range b.matches(filter) { // faster than Book.Select for a whole tournament
		if err != nil {
			return list, 0, err
		}
		if inStage(b, choice, match.Slot) && isShown() {
			shown = append(shown, match)
		}
	}
	list.Matches = inMemory(shown)
	if choice.Kind != voidMatches {
		return list, found, nil
	}
	voids, err := b.SelectVoids(filter)
	for _, void := range voids {
		if inStage(b, choice, void.Slot) && isShown() {
			list.Voids = append(list.Voids, void)
		}
	}
	return list, found, err
}

// inStage reports whether a slot is in the stage that was chosen.
func inStage(b *reader, choice matchChoice, slot int) bool {
	return choice.Stage == 0 || b.Schedule.Stage(slot) == choice.Stage
}

// inMemory yields things that are in memory, and so no error.
func inMemory[T any](things []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, thing := range things {
			if !yield(thing, nil) {
				return
			}
		}
	}
}

// matchFields returns the fields of the form.
func matchFields(b *reader, choice matchChoice) []fieldView {
	t := b.Tournament
	bots := func(name, label, chosen string, more ...optionView) fieldView {
		f := fieldView{name, label, append([]optionView{{"", "any bot", chosen == ""}}, more...)}
		for _, bot := range t.Bots {
			shown := results.VisibleAll(bot)
			f.Options = append(f.Options, optionView{shown, shown, bot == chosen})
		}
		return f
	}
	fault := bots("fault", "At fault", choice.Fault, optionView{anyFault, "either bot", choice.Fault == anyFault})
	fault.Options[0].Text = "any match"
	endings := fieldView{"ending", "Ending", []optionView{{"", "any ending", choice.Ending == ""}}}
	for _, name := range results.EndingNames() {
		endings.Options = append(endings.Options, optionView{name, name, name == choice.Ending})
	}
	fields := []fieldView{
		bots("bot", "Bot", choice.Bot), bots("opponent", "Opponent", choice.Opponent), endings, fault,
		{"kind", "Kind", []optionView{
			{string(recordedMatches), "recorded", choice.Kind == recordedMatches},
			{string(voidMatches), "without a result", choice.Kind == voidMatches},
		}},
	}
	if last := b.Schedule.Len(); t.Staged() && last > 0 {
		stages := fieldView{"stage", "Stage", []optionView{{"", "any stage", choice.Stage == 0}}}
		for stage := range b.Schedule.Stage(last) {
			number := strconv.Itoa(stage + 1)
			stages.Options = append(stages.Options, optionView{number, number, stage+1 == choice.Stage})
		}
		fields = slices.Insert(fields, 2, stages)
	}
	return fields
}

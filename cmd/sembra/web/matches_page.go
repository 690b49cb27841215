package web

import (
	"fmt"
	"iter"
	"math"
	"net/url"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// fieldView is a field of the form.
type fieldView struct {
	Name, Label string
	Options     []optionView
}

// optionView is a value that a field may have.
type optionView struct {
	Value, Text string // as a browser sends it and shows it; "" chooses all
	Chosen      bool
	value       string // as it is
}

// option returns a value as a person sees it, because a browser may change it otherwise.
func option(value, text string) optionView {
	return optionView{value: value, Value: results.VisibleAll(value), Text: results.VisibleAll(text)}
}

// matchesOnPage is the greatest number of matches on a page of the list.
const matchesOnPage = 200

// matchesPage is a list of matches. The query of its address chooses them.
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
	for _, field := range fields {
		for i := range field.Options {
			field.Options[i].Chosen = field.Options[i].value == choice[field.Name]
		}
	}
	page := max(1, choice.number(byPage))
	list, found := r.chosenMatches(choice, page)
	last := max(1, (found+matchesOnPage-1)/matchesOnPage)
	var pages []hyperlink // before and after this one
	for _, to := range []struct {
		text string
		page int
	}{{"First", 1}, {"Previous", page - 1}, {"Next", page + 1}, {"Last", last}} {
		if to.page >= 1 && to.page <= last && to.page != page && last > 1 {
			next := choice.with(byPage, strconv.Itoa(to.page))
			if to.page == 1 {
				delete(next, byPage)
			}
			pages = append(pages, hyperlink{to.text, r.toMatches(next)})
		}
	}
	title := choice.title(r.Tournament.Name)
	return r.below("matches", title, templateData{
		"Title": title, "Action": action, "Fields": fields, "Found": foundMatches(found, page), "All": all,
		"Matches": r.table("Matches", report.Matches(list).Parts[0]), "Pages": pages,
	})
}

// matchFields returns the fields of the form with all values that they may have. Those of a number have no options, or
// one for each stage.
func (r *reader) matchFields() []fieldView {
	bots := func(all string, more ...optionView) []optionView {
		options := append([]optionView{{Text: all}}, more...)
		for _, bot := range r.Tournament.Bots {
			options = append(options, option(bot, bot))
		}
		return options
	}
	stages := fieldView{byStage, "Stage", nil}
	if last := r.Schedule.Len(); r.Tournament.Staged() && last > 0 {
		stages.Options = []optionView{{Text: "any stage"}}
		for stage := range r.Schedule.Stage(last) {
			number := strconv.Itoa(stage + 1)
			stages.Options = append(stages.Options, option(number, number))
		}
	}
	endings := fieldView{byEnding, "Ending", []optionView{{Text: "any ending"}}}
	for ending := results.EndNormal; ending.Valid(); ending++ {
		endings.Options = append(endings.Options, option(ending.String(), ending.String()))
	}
	return []fieldView{
		{byBot, "Bot", bots("any bot")},
		{byOpponent, "Opponent", bots("any bot")},
		stages,
		endings,
		{byFault, "At fault", bots("any match", option(anyFault, "either bot"))},
		{byKind, "Kind", []optionView{{Text: "recorded"}, option(voidKind, "without a result")}},
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
		at := slices.IndexFunc(field.Options, func(o optionView) bool { return o.value == value || o.Value == value })
		switch number, err := strconv.Atoi(value); {
		case at >= 0:
			c[field.Name] = field.Options[at].value
		case field.Name != byStage && field.Name != byPage || err != nil || number < 1 || number > math.MaxInt32:
			return nil, fmt.Errorf("the list of matches has no %s %q", field.Name, value)
		case field.Name == byStage || number > 1:
			c[field.Name] = strconv.Itoa(number)
		}
	}
	return c, nil
}

// title says in words what the list has.
func (c matchChoice) title(tournament string) string {
	of := c[byBot] + c[byOpponent]
	switch {
	case c[byBot] != "" && c[byOpponent] != "":
		of = c[byBot] + " and " + c[byOpponent]
	case of == "":
		of = tournament
	}
	title := "Matches of " + results.VisibleAll(of)
	if stage := c[byStage]; stage != "" {
		title += ", stage " + stage
	}
	if ending := c[byEnding]; ending != "" {
		title += ", ending " + ending
	}
	switch fault := c[byFault]; fault {
	case "":
	case anyFault:
		title += ", lost by a fault"
	default:
		title += ", lost by a fault of " + results.VisibleAll(fault)
	}
	if c[byKind] == voidKind {
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

// chosenMatches returns the matches of one page of a list, and the number of matches on all pages. The matches without
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
		return (page-1)*matchesOnPage < found && found <= page*matchesOnPage
	}
	var shown []results.Noted
	for _, match := range r.noted() {
		if filter.Passes(match.Numbered) && isShown(match.Number) {
			shown = append(shown, match)
		}
	}
	list.Matches = inMemory(shown)
	if isVoid {
		isOther := func(void results.VoidMatch) bool { return !isShown(void.Number) }
		list.Voids = slices.DeleteFunc(got(r.SelectVoids(filter)), isOther)
	}
	return list, found
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

package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sembra/cmd/sembra/friendly"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results/safe"
)

// opponentGroup is the opponents below one heading.
type opponentGroup struct {
	Name string
	Bots []optionView
}

// playPage shows the form for a match. The query of its address can choose the fields; the page says what is wrong with
// them.
func (s *Server) playPage(r *http.Request) content {
	chosen, problem := readChoices(r.URL.Query()), error(nil)
	if r.URL.RawQuery != "" {
		_, problem = s.playing.friendly(chosen)
	}
	return s.playForm(chosen, problem)
}

// offered returns the options of a field and, if it is not one of them, the value that was chosen by an address.
func offered(chosen string, options ...optionView) []optionView {
	if slices.ContainsFunc(options, func(o optionView) bool { return o.Value == chosen }) {
		return options
	}
	return append(options, optionView{Value: chosen, Text: safe.Line(chosen)})
}

// playForm returns the form with these choices. The problem is why no match began with them; nil: none.
func (s *Server) playForm(chosen choices, problem error) content {
	c := content{Title: "Play", Section: playSection, Template: "play"}
	if problem != nil {
		c.Status = statusOf(problem)
	}
	if len(s.playing.Opponents) == 0 {
		c.View = templateData{"Off": true}
		return c
	}
	if !slices.Contains(engine.RulesetNames(), chosen["ruleset"]) { // one of another size, by an address
		chosen["other"] = cmp.Or(chosen["other"], chosen["ruleset"])
	}
	v := templateData{
		"Off": false, "Problem": "", "Chosen": chosen, "Games": rulesets(), "Opponents": s.playing.groups(),
		"Times": offered(chosen["time"],
			optionView{Value: "200ms", Text: "a fifth of a second"},
			optionView{Value: "1s", Text: "1 second"},
			optionView{Value: "3s", Text: "3 seconds"},
			optionView{Value: "10s", Text: "10 seconds"},
		),
		"Rounds": offered(chosen["rounds"],
			optionView{Text: "the whole match, at most 8"},
			optionView{Value: "1", Text: "1 round"},
			optionView{Value: "2", Text: "2 rounds"},
			optionView{Value: "4", Text: "4 rounds"},
		),
		"Limit": mostPlaying, "Idle": int(idleLimit.Minutes()), // minutes after which a match ends
	}
	if problem != nil {
		v["Problem"] = sentence(problem)
	}
	c.View = v
	return c
}

// groups returns the opponents by their headings.
func (p *playing) groups() (groups []opponentGroup) {
	for i, o := range p.Opponents {
		if p.opponent(o.Entry.Name) != i {
			continue // it cannot be played
		}
		if n := len(groups); n == 0 || groups[n-1].Name != o.Group {
			groups = append(groups, opponentGroup{Name: o.Group})
		}
		text := o.Entry.Name
		if o.Summary != "" {
			text += ": " + o.Summary
		}
		group := &groups[len(groups)-1]
		group.Bots = append(group.Bots, optionView{Value: o.Entry.Name, Text: text})
	}
	return groups
}

// beginMatch begins the match of a form, and leads to its page.
func (s *Server) beginMatch(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)) // a bot may start slowly
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	err := r.ParseForm()
	chosen := readChoices(r.PostForm)
	var begun *session
	if err == nil {
		begun, err = s.playing.begin(chosen)
	}
	if err != nil {
		s.answer(w, s.playForm(chosen, err))
		return
	}
	http.Redirect(w, r, "/play/"+begun.id, http.StatusSeeOther)
}

// playMatchPage is the page of a match.
func (s *Server) playMatchPage(r *http.Request) content {
	session := got(s.session(r))
	match, chosen := session.match, session.chose
	rules := match.Rules()
	var names [2]string
	names[match.Seat()], names[match.Seat().Other()] = chosen["name"], chosen["bot"]
	if chosen["name"] == friendly.DefaultName {
		names[match.Seat()] = "You"
	}
	v := templateData{
		"Game": rules.Info().Name, "Seat": match.Seat().String(), "Bot": chosen["bot"],
		"Again": s.links.play(chosen), "Isolation": match.Isolated().Line,
		"Board": show.Board(rules, match.State().Position, show.Unicode),
		"Data": templateData{ // for the script
			"address": "/play/" + session.id, "layout": newBoardLayout(rules, names[engine.South], names[engine.North]),
			"seat": int(match.Seat()), "bot": chosen["bot"],
		},
	}
	return content{
		Title: rules.Info().Name + " against " + chosen["bot"], Section: playSection, Template: "play-match", View: v,
		Trail: []hyperlink{{"Play", s.links.play(nil)}},
	}
}

// session returns the match of a request.
func (s *Server) session(r *http.Request) (*session, error) {
	if found := s.playing.find(r.PathValue("id")); found != nil {
		return found, nil
	}
	return nil, missing("this match is not kept any more", hyperlink{"Play another match", s.links.play(nil)})
}

// answerState answers with the state of a match, as soon as it is newer than the one that the page shows.
func answerState(w http.ResponseWriter, r *http.Request, s *session) (any, error) {
	seen, err := strconv.Atoi(r.URL.Query().Get("seen"))
	if err != nil {
		return nil, fmt.Errorf("seen must be a number, not %q", r.URL.Query().Get("seen"))
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(writeTime)) // news may come after readTime
	_ = control.SetWriteDeadline(time.Now().Add(newsWait + 10*time.Second))
	ctx, cancel := context.WithTimeout(r.Context(), newsWait)
	defer cancel()
	state := s.await(ctx, seen)
	if state.Number == seen {
		return nil, nil
	}
	return s.state(state), nil
}

// answerRecord answers with the JSON line of a match that has ended, as a file to save.
func (s *Server) answerRecord(w http.ResponseWriter, r *http.Request) {
	session := got(s.session(r))
	var text bytes.Buffer
	if friendly.WriteRecord(&text, session.match, session.match.State()) != nil {
		check(missing("only a match that has ended has a record, and this one is still in play", hyperlink{}))
	}
	name := session.match.Rules().Info().Name + "-" + time.Now().Format("2006-01-02-1504") + ".jsonl"
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, _ = w.Write(text.Bytes()) // fails only if the browser has gone
}

// answerAction answers a request to do something in a match.
func (s *Server) answerAction(w http.ResponseWriter, r *http.Request, session *session) (any, error) {
	var a action
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType, what: "an action must be JSON"}
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBody)).Decode(&a); err != nil {
		return nil, fmt.Errorf("the action cannot be read: %w", err)
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(writeTime)) // a hint may have to wait
	return s.playing.obey(r.Context(), session, a)
}

// inJSON answers requests of the script of a match with a value, with nothing if it is nil, or with an error in one
// sentence.
func (s *Server) inJSON(find func(http.ResponseWriter, *http.Request, *session) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var value any
		session, err := s.session(r)
		if err == nil {
			value, err = find(w, r, session)
		}
		status := http.StatusOK
		if err != nil {
			status, value = statusOf(err), map[string]string{"error": err.Error()}
		}
		w.Header().Set("Cache-Control", "no-store")
		if value == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value) // a person who has left needs no answer
	}
}

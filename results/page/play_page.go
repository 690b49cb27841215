package page

import (
	"net/http"

	"sembra/engine"
)

// playView is the page on which a person plays a bot.
type playView struct {
	Rulesets []engine.Info
}

func (s *Server) playPage(*http.Request) (content, error) {
	var v playView
	for _, rules := range engine.Rulesets() {
		v.Rulesets = append(v.Rulesets, rules.Info())
	}
	return content{Title: "Play", Section: playSection, Template: "play", View: v}, nil
}

package configs

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// CheckTournamentName refuses a name that a tournament file could not give to its tournament.
func CheckTournamentName(name string) error {
	if !validName(name) {
		return fmt.Errorf("the tournament's name is %q; it must be %s", name, nameShape)
	}
	return nil
}

// Names are the names of the bots of one tournament that does not come from a tournament file. They keep to the same
// rules as the names in one.
type Names struct {
	normal map[string]string // by name as it was given
	shapes map[string]string // the normal names by what they look like
}

// NewNames returns no names.
func NewNames() *Names {
	return &Names{normal: make(map[string]string), shapes: make(map[string]string)}
}

// Add adds a name, or finds it among the others, and returns it in the normal form NFC. The error says that the name is
// not allowed, or that it looks like another one.
func (n *Names) Add(name string) (normal string, err error) {
	if known, ok := n.normal[name]; ok {
		return known, nil
	}
	normal = norm.NFC.String(name)
	if problem := nameProblem(normal); problem != "" {
		return "", fmt.Errorf("the name is %.200q; %s", normal, problem)
	}
	if normal == "both" || normal == "any" {
		return "", fmt.Errorf("a bot cannot be named %q: it stands for bots of a match", normal)
	}
	shape := skeleton(normal)
	digits := strings.NewReplacer("0", "O", "1", "l", "I", "l") // as in alike
	shapes := []string{"letters " + withoutCase(shape), "digits " + digits.Replace(shape)}
	for _, shape := range shapes {
		if other, taken := n.shapes[shape]; taken && other != normal {
			return "", fmt.Errorf("the names %q and %q look alike, so people could take one bot for the other", other, normal)
		}
	}
	for _, shape := range shapes {
		n.shapes[shape] = normal
	}
	n.normal[name] = normal
	return normal, nil
}

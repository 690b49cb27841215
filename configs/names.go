package configs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// nameShape describes the names of tournaments.
const nameShape = "1 to 32 characters of A-Z a-z 0-9 . _ + -"

func validName(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9._+-]{1,32}$`).MatchString(name)
}

// The bounds of a bot's name. The names of two bots with a tournament's name make a
// file name, which on most systems has at most 255 bytes.
const (
	mostLetters = 32
	mostBytes   = 96
)

// botShape describes the names of bots. They appear in tables, file names and
// terminals.
const botShape = "1 to 32 characters (96 bytes): letters of any script with up to 3 marks each, digits, . _ + - " +
	"and single spaces between words"

// nameProblem returns what is wrong with the name of a bot, which is in the normal
// form NFC; "" if it is allowed.
func nameProblem(name string) string {
	const (
		letter = `(?:\pL[\p{Mn}\p{Mc}]{0,3}|\p{Nd})`
		any    = `(?:` + letter + `|[._+-])`
		word   = `[._+-]*` + letter + any + `*`
	)
	switch odd := strings.TrimLeftFunc(name, permitted); {
	case name == "both":
		return "it stands for both bots of a match"
	case name == "any":
		return "it stands for any bot of a match"
	case odd != "":
		return fmt.Sprintf("it must be %s (%U is none of these)", botShape, []rune(odd)[0])
	case utf8.RuneCountInString(name) > mostLetters || len(name) > mostBytes,
		!regexp.MustCompile(`^(?:` + any + `+|` + word + `(?: ` + word + `)+)$`).MatchString(name):
		return "it must be " + botShape
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" ._+-", r) }) {
		if scripts := mixed(word); scripts != nil {
			return fmt.Sprintf("its word %q mixes the scripts %s, whose letters may look alike",
				word, strings.Join(scripts, " and "))
		}
	}
	return ""
}

// permitted reports whether a name may hold a character. Some letters and marks
// show nothing, for example the fillers of Hangul.
func permitted(r rune) bool {
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return false
	}
	return unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd) || strings.ContainsRune(" ._+-", r)
}

// mixed returns the scripts of a word, if no language mixes them. Japanese, Korean and
// Chinese have several. Characters that belong to several scripts do not count.
func mixed(word string) []string {
	scripts := make(map[string]bool)
	for _, r := range word {
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) && name != "Common" && name != "Inherited" {
				scripts[name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(scripts))
	for _, language := range []string{"Han Hiragana Katakana", "Hangul Han", "Bopomofo Han"} {
		strange := func(script string) bool { return !slices.Contains(strings.Fields(language), script) }
		if !slices.ContainsFunc(names, strange) {
			return nil
		}
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// shapes returns what a name looks like, in two ways. Two names look alike if one of them is the same, that is, if they
// differ only in these points, all together in the first line or in the second:
//
//   - the case of letters; what skeleton leaves out
//   - 0 and O; 1, l and I; what skeleton leaves out
func shapes(name string) [2]string {
	shape := skeleton(name)
	return [2]string{"a" + cases.Fold().String(shape), "b" + strings.NewReplacer("0", "O", "1", "l", "I", "l").Replace(shape)}
}

// skeleton returns a name without its style, and with Latin letters for the Cyrillic,
// Greek and Armenian letters of the same shape. A space becomes an underscore, as in
// file names. The letters are from https://www.unicode.org/Public/security/latest/confusables.txt.
func skeleton(name string) string {
	const (
		others = "АВЕЅІЈКМНОРСТХУҮԚԜӀЬаеѕіјорсхуүԛԝԁһӏгк" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγηικνορυχ" + "ՍՕՏօոսհցյզ" + "ıɑɡɩ "
		latin  = "ABESIJKMHOPCTXYYQWIbaesijopcxyyqwdhlrk" + "ABEZHIKMNOPTYXaynikvopux" + "UOSonuhgjq" + "iagi_"
	)
	from, to := []rune(others), []rune(latin)
	return strings.Map(func(r rune) rune {
		if n := slices.Index(from, r); n >= 0 {
			return to[n]
		}
		return r
	}, norm.NFKD.String(name))
}

// Names are the names of the bots of one tournament, by each of their shapes.
type Names map[string]string

// Add adds a name, or finds it among the others, and returns it in the normal form NFC. The error says that the name is
// not allowed, or that it looks like another one.
func (n Names) Add(name string) (normal string, err error) {
	normal = norm.NFC.String(name)
	if problem := nameProblem(normal); problem != "" {
		return normal, fmt.Errorf("the bot's name is %.200q; %s", normal, problem)
	}
	if other, taken := n.like(normal); taken && other != normal {
		return normal, fmt.Errorf("the names %q and %q look alike, so people could take one bot for the other "+
			"(hint: change one of them by more than case, spaces, 0 and O, 1 and l, or the script)", other, normal)
	}
	for _, shape := range shapes(normal) {
		n[shape] = normal
	}
	return normal, nil
}

// like returns a name that is the same or looks alike, if there is one.
func (n Names) like(name string) (other string, taken bool) {
	for _, shape := range shapes(name) {
		if other, taken = n[shape]; taken {
			break
		}
	}
	return other, taken
}

package configs

import (
	"fmt"
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

// mostLetters is the length of the longest name of a bot.
const mostLetters = 32

// botShape describes the names of bots. They appear in tables, file names and terminals.
const botShape = "1 to 32 characters: letters of any script with up to 3 marks each, digits, . _ + - " +
	"and single spaces between words"

// nameProblem returns what is wrong with the name of a bot, which is in the normal form NFC; "" if it is allowed.
func nameProblem(name string) string {
	switch odd := strings.TrimLeftFunc(name, permitted); {
	case name == "both" || name == "any":
		return "commands use this word for the bots of a match"
	case odd != "":
		return fmt.Sprintf("it must be %s (%U is none of these)", botShape, []rune(odd)[0])
	case utf8.RuneCountInString(name) > mostLetters, !isWords(name):
		return "it must be " + botShape
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" ._+-", r) }) {
		scripts := 0
		for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian} {
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(script, r) }) {
				scripts++
			}
		}
		if scripts > 1 {
			return fmt.Sprintf("its word %q mixes scripts with letters that look alike", word)
		}
	}
	return ""
}

// isWords reports whether a name of permitted characters consists of words with single spaces between them, in which
// marks follow a letter, at most three of them.
func isWords(name string) bool {
	const marks = 3
	for word := range strings.SplitSeq(name, " ") {
		room := 0 // for marks
		for _, r := range word {
			switch {
			case unicode.IsLetter(r):
				room = marks
			case !unicode.In(r, unicode.Mn, unicode.Mc):
				room = 0
			case room == 0:
				return false
			default:
				room--
			}
		}
		if word == "" {
			return false
		}
	}
	return true
}

// permitted reports whether a name may hold a character. Some letters and marks
// show nothing, for example the fillers of Hangul.
func permitted(r rune) bool {
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return false
	}
	return unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd) || strings.ContainsRune(" ._+-", r)
}

// latin returns a name with Latin letters for the Cyrillic, Greek and Armenian letters of the same shape, which are
// from https://www.unicode.org/Public/security/latest/confusables.txt, and with marks as characters of their own.
func latin(name string) string {
	const (
		others = "АВЕЅІЈКМНОРСТХУҮԚԜӀЬаеѕіјорсхуүԛԝԁһӏгк" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγηικνορυχ" + "ՍՕՏօոսհցյզ"
		shapes = "ABESIJKMHOPCTXYYQWIbaesijopcxyyqwdhlrk" + "ABEZHIKMNOPTYXaynikvopux" + "UOSonuhgjq"
	)
	from, to := []rune(others), []rune(shapes)
	return strings.Map(func(r rune) rune {
		if n := slices.Index(from, r); n >= 0 {
			return to[n]
		}
		return r
	}, norm.NFKD.String(name))
}

// Names are the names of the bots of one tournament, by what they look like.
type Names map[string]string

// Add adds a name, which is in the normal form NFC. The error says that it is not allowed, or that another bot has it
// or looks like it: then the two differ only in the case, style or width of letters, in a space and an underscore,
// which stands for a space in file names, or in a script all of whose letters look Latin.
func (n Names) Add(name string) error {
	if problem := nameProblem(name); problem != "" {
		return fmt.Errorf("the bot's name is %.200q; %s", name, problem)
	}
	plain := norm.NFKC.String(strings.ReplaceAll(name, " ", "_"))
	shapes := []string{cases.Fold().String(plain), cases.Fold().String(latin(plain))}
	for _, shape := range shapes {
		switch other, taken := n[shape]; {
		case taken && other == name:
			return fmt.Errorf("there is already a bot named %q", name)
		case taken:
			return fmt.Errorf("the names %q and %q look alike, so people could take one bot for the other", other, name)
		}
	}
	for _, shape := range shapes {
		n[shape] = name
	}
	return nil
}

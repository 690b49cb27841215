package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sembra/arena/guest"
	"sembra/arena/protocol"
)

// Protocols returns the protocols that may stand before a command, as in "uci:./engine". A contest stands for the
// protocol board with its lines.
func Protocols() []string {
	return append(namesOf(protocol.Dialects(), protocol.Dialect.String), protocol.ContestNames()...)
}

// SetProtocol sets the protocol of a bot to one of [Protocols].
func (b *Bot) SetProtocol(name string) error {
	switch {
	case !slices.Contains(Protocols(), name):
		return fmt.Errorf("unknown protocol %q %s", name, ListKnown(name, Protocols()))
	case slices.Contains(protocol.ContestNames(), name):
		b.Protocol = protocol.OneLine
		b.Options = append([]protocol.OptionValue{{Name: "board", Value: name}}, b.Options...)
	default:
		b.Protocol = protocol.Dialect(name)
	}
	return nil
}

// wrongArgument is a mistake in a bot on a command line, at a column from 1; 0: in the bot as a whole.
func wrongArgument(text string, column int, format string, args ...any) *Error {
	place := fmt.Sprintf("bot %q", text)
	if column > 0 {
		place += fmt.Sprintf(", column %d", column)
	}
	return &Error{File: place, Problem: fmt.Sprintf(format, args...)}
}

// ParseBots reads the bots on a command line. See [ParseBot]. Bots whose names are
// equal or look alike get numbers: a, a-2, a-3. After them stand more bots, whose names are allowed.
func ParseBots(texts []string, builtins []Builtin, more ...Bot) (bots []Bot, err error) {
	for _, text := range texts {
		b, err := ParseBot(text, builtins)
		if err != nil {
			return nil, err
		}
		bots = append(bots, b)
	}
	bots = append(bots, more...)
	names := make(Names)
	for i := range bots {
		b, name := &bots[i], bots[i].Name
		for n := 2; names.Add(b.Name) != nil; n++ { // the name is allowed, so another bot has it
			ending := fmt.Sprintf("-%d", n)
			b.Name = shortened(name, mostLetters-len(ending)) + ending
		}
	}
	return bots, nil
}

// ParseBot reads a bot on a command line. It is one of these:
//
//   - a built-in bot, with options if the person wants: minimax:Depth=8
//   - the path of a program, which has a slash: ./mybot, or with options ./mybot:Depth=8
//   - a command line, which has a space: python3 mybot.py
//
// The words of a command line may be quoted as in a shell. A text with spaces that
// is the path of a file is a path, and a path may have colons. A path or a command line may follow a protocol:
// uci:./engine. Relative paths begin at the current directory. ParseBot looks for
// the program, but does not start it. A mistake is an [*Error].
func ParseBot(text string, builtins []Builtin) (Bot, error) { return ParseBotIn("", text, builtins) }

// ParseBotIn is like [ParseBot] for a bot that runs in a folder, where relative paths begin; "" is the current one.
func ParseBotIn(folder, text string, builtins []Builtin) (Bot, error) {
	prefix, rest, prefixed := cutPrefix(text)
	for _, known := range builtins {
		if known.Name != prefix {
			continue
		}
		b := Bot{Protocol: protocol.MBI, Builtin: known.Name, Args: known.Command}
		if prefixed {
			var err error
			if b.Options, err = parseOptions(rest, &protocol.Identity{Options: known.Options}); err != nil {
				return Bot{}, wrongArgument(text, 0, "%v", err)
			}
		}
		b.Name = allowedName(known.Name, b.Options)
		return b, nil
	}
	return parseProgram(folder, text, builtins)
}

// parseProgram reads a bot that is not built in: a path or a command line, after its protocol if there is one. The
// names of the built-in bots are for errors.
func parseProgram(folder, text string, builtins []Builtin) (Bot, error) {
	refuse := func(format string, args ...any) (Bot, error) {
		return Bot{}, wrongArgument(text, 0, format, args...)
	}
	prefix, rest, prefixed := cutPrefix(text)
	command, at := text, 0
	if prefixed {
		command, at = rest, len(prefix)+1
	}
	isCommand := strings.ContainsAny(command, "/ \t\n"+string(filepath.Separator))
	switch {
	case !utf8.ValidString(text):
		return refuse("it is not UTF-8")
	case strings.TrimSpace(text) == "":
		return refuse("it is empty; it must be a built-in bot (%s), a path with a slash or a command line with a space",
			strings.Join(builtinNames(builtins), ", "))
	case prefixed && slices.Contains(Protocols(), prefix) && !isCommand:
		return refuse("%s: needs a path with a slash or a command line with a space after it, not %q", prefix, rest)
	case !isCommand:
		return refuse("unknown built-in bot %q %s%s", prefix, ListKnown(prefix, builtinNames(builtins)), hintOfWord(folder, text))
	}

	b := Bot{Protocol: protocol.MBI, Dir: folder}
	if prefixed {
		if err := b.SetProtocol(prefix); err != nil {
			return refuse("%v", err)
		}
	}
	args := []string{command}
	var options []protocol.OptionValue
	if path, given, found := cutOptions(folder, command); found {
		var err error
		if options, err = parseOptions(given, nil); err != nil {
			return refuse("%v", err)
		}
		args = []string{path}
	} else if !isFile(within(folder, command)) {
		var err error
		if args, err = splitCommand(text, at); err != nil {
			return Bot{}, err
		}
	}
	if _, err := (guest.Command{Args: args, Dir: fromFile(new(document), folder)}).Program(); err != nil {
		return refuse("%v", err)
	}
	b.Name, b.Args, b.Options = allowedName(BotName(folder, args), options), args, append(b.Options, options...)
	return b, nil
}

// cutOptions cuts the path of a program before its options, as in ./mybot:Depth=8. The path of a file that has a colon
// itself has no options, and neither has a command line.
func cutOptions(folder, command string) (path, options string, found bool) {
	parts := regexp.MustCompile(`^(.+?):([^:]*=.*)$`).FindStringSubmatch(command)
	if parts == nil || isFile(within(folder, command)) || strings.ContainsAny(command, " \t\n") {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// cutPrefix cuts a text behind the name at its beginning, which ends at a colon.
// Without a colon, prefix is the whole text. A drive of Windows is not a name.
func cutPrefix(text string) (prefix, rest string, found bool) {
	prefix, rest, found = strings.Cut(text, ":")
	if !found || strings.ContainsAny(prefix, " \t\n/\\\"'") || filepath.VolumeName(text) != "" {
		return text, "", false
	}
	return prefix, rest, true
}

// parseOptions reads options: NAME=VALUE,NAME=VALUE. A bot that has not reported its options yet is nil.
func parseOptions(text string, bot *protocol.Identity) (values []protocol.OptionValue, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		option := protocol.Option{Name: name, Type: "string"}
		if bot != nil && part != "" {
			if option, err = bot.Option(name); err != nil {
				return nil, errors.New(WithSuggestion(err))
			}
		}
		switch {
		case name == "":
			return nil, errors.New("an option is empty; options are written NAME=VALUE,NAME=VALUE")
		case value == "":
			return nil, fmt.Errorf("option %s has no value (hint: write %[1]s=VALUE)", name)
		case slices.ContainsFunc(values, func(v protocol.OptionValue) bool { return v.Name == name }):
			return nil, fmt.Errorf("option %s is given twice", name)
		}
		if err := option.Check(value); err != nil {
			return nil, err
		}
		values = append(values, protocol.OptionValue{Name: name, Value: value})
	}
	return values, nil
}

// splitCommand splits a command line, which begins at a byte of a text, into words. They may be quoted as in a shell.
// It refuses everything else that a shell gives a meaning to, because no shell runs.
func splitCommand(text string, from int) (words []string, err error) {
	plain := "\\s'\"|&;<>()$`*?\\[\\]{}~!#" // what is not plain
	if runtime.GOOS != "windows" {          // where a backslash is of a path
		plain += `\\`
	}
	// Spaces, plain text, text in single and in double quotes, and an escaped character.
	piece := regexp.MustCompile(`^(?:[ \t]+|([^` + plain + `]+)|'([^']*)'|"((?:[^"\\$` + "`" + `]|\\.)*)"|\\(.))`)
	escaped := regexp.MustCompile("\\\\([$`\"\\\\])")
	begun := false
	for rest := text[from:]; rest != ""; {
		found := piece.FindStringSubmatch(rest)
		if found == nil {
			c, _ := utf8.DecodeRuneInString(rest)
			return nil, wrongArgument(text, utf8.RuneCountInString(text)-utf8.RuneCountInString(rest)+1,
				"Sembra starts bots without a shell, so %q has no meaning here (hint: quote what belongs to a word "+
					"and close each quote, or write the command into a script)", c)
		}
		rest = rest[len(found[0]):]
		if strings.Trim(found[0], " \t") == "" {
			begun = false
			continue
		}
		if !begun {
			words, begun = append(words, ""), true
		}
		words[len(words)-1] += found[1] + found[2] + escaped.ReplaceAllString(found[3], "$1") + found[4]
	}
	if len(words) == 0 || words[0] == "" {
		return nil, wrongArgument(text, 0, "the name of the program is empty")
	}
	return words, nil
}

// hintOfWord returns a hint for a word that is neither a built-in bot nor a path.
func hintOfWord(folder, word string) string {
	if isFile(within(folder, word)) {
		return fmt.Sprintf(" (hint: %q is the file in this folder)", "./"+word)
	}
	if path, err := (guest.Command{Args: []string{word}}).Program(); err == nil {
		return fmt.Sprintf(" (hint: the program is %s; a command with arguments needs quotes, as in \"%s mybot\")", path, word)
	}
	return ""
}

// within returns the path that begins at a folder if it is relative.
func within(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

func isFile(path string) bool {
	stat, err := os.Stat(path)
	return err == nil && stat.Mode().IsRegular()
}

// BotName returns a name for a bot that runs in a folder: that of the file which the command of an interpreter names,
// as in python3 bot.py, and otherwise that of its program. It is without its ending; a number after a dot, as in
// bot-1.2, is none.
func BotName(dir string, args []string) string {
	path := args[0]
	found := !strings.ContainsAny(path, `/\`)
	if found || strings.HasPrefix(filepath.Base(path), "python") { // it may be in a virtual environment
		isScript := func(arg string) bool {
			return filepath.IsAbs(arg) && isFile(arg) || isFile(filepath.Join(dir, arg))
		}
		if i := slices.IndexFunc(args[1:], isScript); i >= 0 {
			path, found = args[1+i], false
		}
	}
	if found {
		return path // PATH finds it
	}
	name := filepath.Base(path)
	ending := filepath.Ext(name)
	if len(ending) > 1 && len(ending) < len(name) && !strings.ContainsRune("0123456789", rune(ending[1])) {
		return strings.TrimSuffix(name, ending)
	}
	return name
}

// allowedName makes an allowed name for a bot with options of a text.
func allowedName(text string, options []protocol.OptionValue) string {
	for _, o := range options {
		text += "-" + o.Name + o.Value
	}
	name := shortened(strings.Map(func(r rune) rune {
		if permitted(r) && r != ' ' {
			return r
		}
		return '_'
	}, norm.NFC.String(text)), mostLetters)
	if nameProblem(name) != "" {
		return "bot"
	}
	return name
}

// shortened cuts the end of a name that is too long.
func shortened(name string, most int) string {
	letters := []rune(name)
	return string(letters[:min(len(letters), most)])
}

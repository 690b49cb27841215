package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/configs"
	"sembra/engine"
	"sembra/results/store"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", ArgsUsage: "SHELL",
		BashComplete: func(c *cli.Context) {
			for _, shell := range shells() {
				printLine(c.App.Writer, shell)
			}
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c, 1, 1)
			if err != nil {
				return err
			}
			var script string
			switch args[0] {
			case "bash":
				script = bashCompletion
			case "zsh":
				script = zshCompletion
			case "fish":
				if script, err = c.App.ToFishCompletion(); err != nil {
					return err
				}
				script = strings.ReplaceAll(script, "`", "") // they mark the values of flags in our help texts
			default:
				return usage("unknown shell %q (known: %s)", args[0], strings.Join(shells(), ", "))
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}

// completeWith completes the flags of a command, the value of a flag, and else the
// arguments.
func completeWith(command *cli.Command, values cli.BashCompleteFunc) cli.BashCompleteFunc {
	flags := cli.DefaultCompleteWithFlags(command)
	return func(c *cli.Context) {
		current := os.Args[max(0, len(os.Args)-2)] // the last argument is the library's own flag
		if known := flagValues(command, current); known != nil {
			printLine(c.App.Writer, strings.Join(known, "\n"))
			return
		}
		if values == nil || strings.HasPrefix(current, "-") {
			flags(c)
			return
		}
		values(c)
	}
}

// flagValues returns the values that a flag can have; nil if they are not known, or
// if the text is no flag of the command.
func flagValues(command *cli.Command, text string) []string {
	name, isFlag := strings.CutPrefix(text, "--")
	if flag := findFlag(command, name); !isFlag || flag == nil {
		return nil
	} else if documented, ok := flag.(cli.DocGenerationFlag); ok && name == "format" {
		_, formats, _ := strings.Cut(documented.GetUsage(), ": ")
		return strings.Split(formats, ", ")
	}
	switch name {
	case "isolation":
		if command.Name == "clock" {
			return []string{string(arena.AutoIsolation), string(arena.NoIsolation)}
		}
		return strings.Split(isolationModes(), ", ")
	case "ruleset":
		return engine.RulesetNames()
	case "protocol":
		return configs.Protocols()
	case "seat":
		return []string{engine.South.String(), engine.North.String()}
	case "against":
		return namesOfBuiltins()
	case "tournament":
		tournaments, _ := completionNames()
		return tournaments
	case "bot", "south", "north", "lost", "anchor", "replace":
		_, bots := completionNames()
		return bots
	case "fault":
		_, bots := completionNames()
		return append(bots, "any", "both")
	}
	return nil
}

// completionNames returns the names of the tournaments in the database that the
// command line names, and of the bots of the newest one. It has no names if the
// database cannot be read.
func completionNames() (tournaments, bots []string) {
	db, err := store.OpenRead(completionDatabase(os.Args[1 : len(os.Args)-1]))
	if err != nil {
		return nil, nil
	}
	defer db.Close()
	all, err := db.Tournaments()
	if err != nil {
		return nil, nil
	}
	for _, t := range all {
		tournaments, bots = append(tournaments, t.Name), t.Bots
	}
	return tournaments, bots
}

// completionDatabase returns the database that the words of a command line name.
func completionDatabase(words []string) string {
	database := "sembra.db"
	for i, word := range words {
		if i > 0 && words[i-1] == "--db" {
			return word
		}
		switch kindOf(word) {
		case databaseFile:
			database = word
		case tournamentFile:
			named, _, err := configs.Source(word)
			if err != nil {
				continue
			}
			database = named
			if beside, ok := besideFile(word, named); ok {
				database = beside
			}
		}
	}
	return database
}

func shells() []string { return []string{"bash", "zsh", "fish"} }

const bashCompletion = `_sembra() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  local current="${COMP_WORDS[COMP_CWORD]}"
  case "$current" in
    --) words+=(-) ;; # "--" alone would end the flags
    -*) words+=("$current") ;;
  esac
  local value typed="${current//\\/}"
  COMPREPLY=()
  while IFS= read -r value; do # a bot's name may hold spaces
    [[ "$value" == "$typed"* ]] && COMPREPLY+=("$(printf %q "$value")")
  done < <("${words[@]}" --generate-bash-completion 2>/dev/null)
  [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _sembra sembra
`

const zshCompletion = `#compdef sembra
_sembra() {
  local -a found
  local current="${words[CURRENT]}"
  local -a before=("${words[@]:0:$((CURRENT-1))}")
  case "$current" in
    --) before+=(-) ;; # "--" alone would end the flags
    -*) before+=("$current") ;;
  esac
  found=("${(@f)$("${before[@]}" --generate-bash-completion 2>/dev/null)}")
  [[ -n "${found[*]}" ]] && _describe 'values' found || _files
}
compdef _sembra sembra
`

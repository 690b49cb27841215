package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/configs"
	"sembra/engine"
	"sembra/results/store"
)

func completionCommand() *cli.Command {
	return &cli.Command{Name: "completion", ArgsUsage: "SHELL", Action: func(c *cli.Context) error {
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
			script = fishCompletion
		default:
			return usage("unknown shell %q (known: bash, zsh, fish)", args[0])
		}
		_, err = fmt.Fprint(c.App.Writer, script)
		return err
	}}
}

// completeWith completes the names of rulesets and bots that are values of flags, the flags
// of a command, and else its arguments. The shell completes files where nothing is printed.
func completeWith(command *cli.Command, values cli.BashCompleteFunc) cli.BashCompleteFunc {
	flags := cli.DefaultCompleteWithFlags(command)
	return func(c *cli.Context) {
		current := os.Args[max(0, len(os.Args)-2)] // the last argument is the library's own flag
		switch current {
		case "--ruleset":
			printLine(c.App.Writer, strings.Join(engine.RulesetNames(), "\n"))
		case "--against":
			completeBots(c)
		case "--bot", "--south", "--north", "--lost", "--anchor", "--replace", "--fault":
			completePlayers(c)
		default:
			if values == nil || strings.HasPrefix(current, "-") {
				values = flags
			}
			values(c)
		}
	}
}

// completePlayers completes the bots of the newest tournament in the database that the
// command line names.
func completePlayers(c *cli.Context) {
	database := "sembra.db"
	for i, word := range os.Args {
		switch kindOf(word) {
		case databaseFile:
			database = word
		case tournamentFile:
			if named, _, err := configs.DatabaseOf(word); err == nil {
				database = named
			}
		}
		if i > 0 && os.Args[i-1] == "--db" {
			database = word
		}
	}
	db, err := store.OpenRead(database)
	if err != nil {
		return
	}
	defer db.Close()
	if all, err := db.Tournaments(); err == nil && len(all) > 0 {
		printLine(c.App.Writer, strings.Join(all[len(all)-1].Bots, "\n"))
	}
}

const bashCompletion = `_sembra() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  local current="${COMP_WORDS[COMP_CWORD]}" last="${words[COMP_CWORD-1]}"
  local value typed="${current//\\/}" files=1
  COMPREPLY=()
  if [[ " ${words[*]} " != *" -- "* ]]; then # what follows "--" is a command, which would run
    case "$current" in
      --) words+=(-) ;; # "--" alone would end the flags
      -*) words+=("$current") ;;
    esac
    while IFS= read -r value; do # a bot's name may hold spaces
      [[ "$last" == -* && "$value" != -* ]] && files= # it is one of the values of a flag
      [[ "$value" == "$typed"* ]] && COMPREPLY+=("$(printf %q "$value")")
    done < <("${words[@]}" --generate-bash-completion 2>/dev/null)
  fi
  [[ ${#COMPREPLY[@]} -gt 0 || -z "$files" ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _sembra sembra
`

const fishCompletion = `function __sembra_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  if contains -- -- $before # what follows it is a command, which would run
    __fish_complete_path $current
    return
  end
  switch "$current"
    case -- # alone it would end the flags
      set -a before -
    case '-*'
      set -a before $current
  end
  set -l found ($before --generate-bash-completion 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path $current
  end
end
complete -c sembra -f -a '(__sembra_complete)'
`

const zshCompletion = `#compdef sembra
_sembra() {
  local -a found
  local current="${words[CURRENT]}"
  local -a before=("${words[@]:0:$((CURRENT-1))}")
  if (( ${before[(I)--]} )); then # what follows it is a command, which would run
    _files
    return
  fi
  local last="${before[-1]}"
  case "$current" in
    --) before+=(-) ;; # "--" alone would end the flags
    -*) before+=("$current") ;;
  esac
  found=("${(@f)$("${before[@]}" --generate-bash-completion 2>/dev/null)}")
  [[ -n "${found[*]}" ]] && _describe 'values' found && return
  [[ "$last" == -* && -n "${found[*]}" && "${found[1]}" != -* ]] || _files # not for the values of a flag
}
compdef _sembra sembra
`

package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: sayCompletion, UsageText: exampleCompletion, ArgsUsage: "SHELL",
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

// completeWith completes the flags of a command, and else its values.
func completeWith(command *cli.Command, values cli.BashCompleteFunc) cli.BashCompleteFunc {
	flags := cli.DefaultCompleteWithFlags(command)
	return func(c *cli.Context) {
		current := os.Args[max(0, len(os.Args)-2)] // the last argument is the library's own flag
		if values == nil || strings.HasPrefix(current, "-") {
			flags(c)
			return
		}
		values(c)
	}
}

func shells() []string { return []string{"bash", "zsh", "fish"} }

const bashCompletion = `_sembra() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  local current="${COMP_WORDS[COMP_CWORD]}"
  case "$current" in
    --) words+=(-) ;; # "--" alone would end the flags
    -*) words+=("$current") ;;
  esac
  local value
  COMPREPLY=()
  while IFS= read -r value; do # a bot's name may hold spaces
    [[ "$value" == "$current"* ]] && COMPREPLY+=("$(printf %q "$value")")
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

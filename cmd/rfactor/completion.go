package main

import (
	"flag"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

var completionVerb = verbs.Verb{
	Name:  "completion",
	About: "prints the completion of commands and flags for a shell",
	Usage: `bash | zsh | fish

Examples:
  source <(rfactor completion bash)
  rfactor completion zsh > ~/.zfunc/_rfactor
  rfactor completion fish > ~/.config/fish/completions/rfactor.fish

What it prints asks rfactor completion words WORDS..., which prints what may stand in place of the last word.`,
}

// Completion lists the verbs, and is one: the loop is closed here.
func init() { completionVerb.Run = with(runCompletion) }

// shells are scripts that ask for words, each with a tab and what it is for behind it, and leave files to the shell where there are none.
var shells = map[string]string{
	"bash": `_rfactor() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(rfactor completion words "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f 1)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rfactor rfactor
`,
	"zsh": `#compdef rfactor
_rfactor() {
  local -a list=("${(@f)$(rfactor completion words "${(@)words[2,CURRENT]}" | sed 's/:/\\:/g; s/	/:/')}")
  [[ -n $list ]] && _describe rfactor list || _files
}
_rfactor "$@"
`,
	"fish": "complete -c rfactor -a '(rfactor completion words (commandline -opc)[2..] (commandline -ct))'\n",
}

func runCompletion(c *command, args []string) int {
	if len(args) > 0 && args[0] == "words" && c.Declared == nil {
		for _, w := range completed(args[1:]) {
			c.Stdout.Printf("%s\n", w)
		}
		return verbs.Matched
	}
	rest, code, ok := c.Parse(cli.NewFlags(), args, 1)
	if !ok {
		return code
	}
	if len(rest) == 0 || shells[rest[0]] == "" {
		return c.Errorf("expected a shell: bash, zsh or fish")
	}
	c.Stdout.Printf("%s", shells[rest[0]])
	return verbs.Matched
}

// completed lists what may stand in place of the last of some words, in any order. The flags of a verb say it themselves.
func completed(words []string) (list []string) {
	if len(words) < 2 || words[0] == "help" || words[0] == "man" {
		for _, v := range rfactorCommand.Verbs {
			list = append(list, v.Name+"\t"+v.About)
		}
		return list
	}
	for _, v := range rfactorCommand.Verbs {
		if v.Name != words[0] {
			continue
		}
		flags := v.Flags()
		if f := flags.Lookup(strings.TrimLeft(words[len(words)-2], "-")); f != nil && strings.HasPrefix(words[len(words)-2], "-") && !isSwitch(f) {
			return cli.Choices(f)
		}
		if words[0] == "completion" {
			return []string{"bash", "zsh", "fish"}
		}
		if strings.HasPrefix(words[len(words)-1], "-") {
			flags.VisitAll(func(f *flag.Flag) {
				_, usage := flag.UnquoteUsage(f)
				line, _, _ := strings.Cut(usage, "\n")
				list = append(list, "-"+f.Name+"\t"+strings.TrimRight(line, " ,;:"))
			})
		}
	}
	return list
}

func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

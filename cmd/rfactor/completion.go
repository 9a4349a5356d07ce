package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
)

var completionVerb = verbs.Verb{
	Name:  "completion",
	About: "prints the completion of commands and flags for a shell",
	Usage: `bash | zsh | fish

Examples:
  source <(rfactor completion bash)
  rfactor completion zsh > ~/.zfunc/_rfactor
  rfactor completion fish > ~/.config/fish/completions/rfactor.fish`,
}

// Completion lists the verbs, and is one: the loop is closed here.
func init() { completionVerb.Run = with(runCompletion) }

var shells = map[string]func([]completable) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

func runCompletion(c *command, args []string) int {
	rest, code, ok := c.Parse(cli.NewFlags(), args, 1)
	if !ok {
		return code
	}
	if len(rest) == 0 || shells[rest[0]] == nil {
		return c.Errorf("expected a shell: bash, zsh or fish")
	}
	head, script, _ := strings.Cut(shells[rest[0]](completables()), "\n")
	c.Stdout.Printf("%s\n", head)
	for _, p := range []*companion{goCode, laboratory} {
		if p.find() == "" {
			c.Stdout.Printf("# The flags of %s are not here: %s\n", p.verbs, p.missing())
		}
	}
	c.Stdout.Printf("%s", script)
	return verbs.Matched
}

// completable is a verb with its flags.
type completable struct {
	*verbs.Verb
	flags []*flag.Flag
}

func completables() (all []completable) {
	for _, v := range rfactorCommand.Verbs {
		k := completable{Verb: v}
		v.Flags().VisitAll(func(f *flag.Flag) { k.flags = append(k.flags, f) })
		all = append(all, k)
	}
	return all
}

// values lists what a flag or the argument of a verb may be, where that is one of a few words.
func values(name string) []string {
	switch name {
	case "assume":
		return append([]string{"all", "none", "default"}, ir.AllAssumptions.Names()...)
	case "matchers":
		return verbs.WayNames()
	case "solver":
		return solverNames()
	case "format":
		return []string{"dot", "json"}
	case "type", "types":
		return cli.TypeNames()
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "help", "man":
		return rfactorCommand.Names()
	}
	return nil
}

func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// firstLine is what a flag is for, in one line and without the quotes around the name of its value.
func firstLine(f *flag.Flag) string {
	_, usage := flag.UnquoteUsage(f)
	line, _, _ := strings.Cut(usage, "\n")
	return strings.TrimRight(line, " ,;:")
}

func bashCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString("# Bash completion of rfactor: source <(rfactor completion bash)\n_rfactor() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n  if ((COMP_CWORD == 1)); then\n")
	fmt.Fprintf(&b, "    COMPREPLY=($(compgen -W %q -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", strings.Join(rfactorCommand.Names(), " "))
	named := map[string]bool{}
	for _, v := range all {
		var words []string
		for _, f := range v.flags {
			words = append(words, "-"+f.Name)
			named[f.Name] = true
		}
		fmt.Fprintf(&b, "  %s) words=%q ;;\n", v.Name, strings.Join(append(words, values(v.Name)...), " "))
	}
	b.WriteString("  esac\n  case $prev in\n")
	for _, name := range sortedKeys(named) {
		if list := values(name); list != nil {
			fmt.Fprintf(&b, "  -%s) COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", name, strings.Join(list, " "))
		}
	}
	b.WriteString("  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"; compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _rfactor rfactor\n")
	return b.String()
}

func zshCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString("#compdef rfactor\n# Zsh completion of rfactor: rfactor completion zsh > FOLDER_OF_FPATH/_rfactor\n_rfactor() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n")
	for _, v := range all {
		fmt.Fprintf(&b, "      %s\n", shellQuote(v.Name+":"+v.About))
	}
	b.WriteString("    )\n    _describe command commands\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n")
	escape := strings.NewReplacer("[", "(", "]", ")", ":", ";").Replace
	for _, v := range all {
		fmt.Fprintf(&b, "  %s) _arguments", v.Name)
		for _, f := range v.flags {
			spec := fmt.Sprintf("-%s[%s]", f.Name, escape(firstLine(f)))
			if !isSwitch(f) {
				name, _ := flag.UnquoteUsage(f)
				spec += ":" + escape(name) + ":"
				if list := values(f.Name); list != nil {
					spec += "(" + strings.Join(list, " ") + ")"
				} else {
					spec += "_files"
				}
			}
			b.WriteString(" " + shellQuote(spec))
		}
		if list := values(v.Name); list != nil {
			fmt.Fprintf(&b, " %s", shellQuote(":argument:("+strings.Join(list, " ")+")"))
		} else {
			fmt.Fprintf(&b, " %s", shellQuote("*:file:_files"))
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n}\n_rfactor \"$@\"\n")
	return b.String()
}

func fishCompletion(all []completable) string {
	var b strings.Builder
	b.WriteString("# Fish completion of rfactor: rfactor completion fish > ~/.config/fish/completions/rfactor.fish\n")
	for _, v := range all {
		fmt.Fprintf(&b, "complete -c rfactor -n __fish_use_subcommand -f -a %s -d %s\n", v.Name, fishQuote(v.About))
	}
	for _, v := range all {
		when := fishQuote("__fish_seen_subcommand_from " + v.Name)
		for _, f := range v.flags {
			fmt.Fprintf(&b, "complete -c rfactor -n %s -o %s -d %s", when, f.Name, fishQuote(firstLine(f)))
			if list := values(f.Name); list != nil {
				fmt.Fprintf(&b, " -x -a %s", fishQuote(strings.Join(list, " ")))
			} else if !isSwitch(f) {
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
		if list := values(v.Name); list != nil {
			fmt.Fprintf(&b, "complete -c rfactor -n %s -f -a %s\n", when, fishQuote(strings.Join(list, " ")))
		}
	}
	return b.String()
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

func sortedKeys(m map[string]bool) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

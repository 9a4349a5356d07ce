package main

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/gocode"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// Every flag of every verb is given once, or says that it adds up; and takes no other flag for its value, unless that
// may be an expression.
func TestFlagsTwice(t *testing.T) {
	addUp := []string{"given", "in", "param", "extent"}
	expressions := []string{"given", "identity", "is", "operator", "until", "find"}
	seen := 0
	own := slices.Clone(gocode.Program.Verbs)
	for _, v := range rfactorCommand.Verbs {
		if !slices.ContainsFunc(own, func(o *verbs.Verb) bool { return o.Name == v.Name }) {
			own = append(own, v)
		}
	}
	for _, v := range own {
		v.Flags().VisitAll(func(f *flag.Flag) {
			seen++
			fs := v.Flags()
			value := map[string]string{
				"effort": "5", "workers": "2", "leaves": "3", "points": "3", "unroll": "4", "types": "i32", "assume": "nsw",
				"shard": "1/2", "in": "a=b", "param": "a=b", "extent": "a=0:3", "keep": "x0",
			}[f.Name]
			if list := cli.Choices(f); len(list) > 0 {
				value = list[0]
			} else if value == "" {
				value = "x"
			}
			words := []string{"-" + f.Name, value}
			if isSwitch(f) {
				words = words[:1]
			}
			if _, err := cli.Parse(fs, words); err != nil {
				t.Errorf("%s %v: %v", v.Name, words, err)
			}
			again := slices.Clone(words)
			if slices.Contains([]string{"in", "param", "extent"}, f.Name) {
				again[1] = strings.Replace(again[1], "a=", "c=", 1)
			}
			switch _, err := cli.Parse(v.Flags(), append(words, again...)); {
			case slices.Contains(addUp, f.Name) && err != nil:
				t.Errorf("%s -%s twice: %v", v.Name, f.Name, err)
			case !slices.Contains(addUp, f.Name) && (err == nil || !strings.Contains(err.Error(), "is given twice")):
				t.Errorf("%s -%s twice: %v", v.Name, f.Name, err)
			}
			if isSwitch(f) {
				return
			}
			_, err := cli.Parse(v.Flags(), []string{"-" + f.Name, "-" + f.Name})
			if isName := !slices.Contains(expressions, f.Name); isName != (err != nil && strings.Contains(err.Error(), "is a flag")) {
				t.Errorf("%s -%s -%s: %v", v.Name, f.Name, f.Name, err)
			}
		})
	}
	if seen < 80 {
		t.Errorf("only %d flags", seen)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rfactor-go/rfactor/golang"
)

var vetVerb = verb{
	name:  "vet",
	about: "finds the reductions in Go packages",
	run:   runVet,
	usage: `[flags] [PACKAGE ...]

Examples:
  rfactor vet ./...
  rfactor vet -all ./stat
  rfactor vet -diff ./stat
  go vet -vettool=$(which rfactor) -rfactor.all ./...

Packages are named as for the go command; without a name it is the one of this directory. At each loop that is a
reduction it says by which operator. Comments at a loop: //rfactor:ignore, //rfactor:assume nsw.
Exit code 0: all packages were looked at; 1: some were left out; 2: bad usage, or none could be loaded.`,
}

// asVetTool runs the analyzer for go vet, which asks the tool that -vettool names for its version and its flags, and
// then to look at the package that a file describes.
func asVetTool(args []string) bool {
	isTool := len(args) > 0 && (strings.HasPrefix(args[0], "-V=") || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg"))
	if isTool {
		unitchecker.Main(golang.Analyzer)
	}
	return isTool
}

func runVet(c *command, args []string) int {
	fs := newFlags()
	var o vetOptions
	fs.BoolVar(&o.all, "all", false, "report plain sums, and loops without an answer, too")
	tests := fs.Bool("test", false, "look at tests, too")
	fs.BoolVar(&o.asJSON, "json", false, "print one JSON object a loop")
	fs.BoolVar(&o.fix, "fix", false, "replace loops by calls of parallel functions, and say of each other answer why not")
	fs.BoolVar(&o.diff, "diff", false, "print what -fix would change, and change nothing")
	fs.StringVar(&o.sarif, "sarif", "", "write what is reported to `FILE` as SARIF 2.1.0 instead")
	fs.StringVar(&o.html, "html", "", "write a page about all loops to `FILE` instead")
	rest, code, ok := c.parse(fs, args, 1<<20)
	if !ok {
		return code
	}
	if o.fix && o.diff {
		return c.errorf("-fix and -diff exclude each other")
	}
	found, code := c.vet(rest, *tests)
	if found == nil {
		return code
	}
	return max(code, c.showSurvey(found, o))
}

// vetOptions say what becomes of findings.
type vetOptions struct {
	all, asJSON, fix, diff bool
	sarif, html            string
}

// showSurvey writes reports into files, or prints findings.
func (c *command) showSurvey(s *survey, o vetOptions) (code int) {
	if o.html != "" {
		text, err := vetHTML(s)
		code = c.writeReport(o.html, text, err)
	}
	if o.sarif != "" {
		text, err := sarif(slices.DeleteFunc(slices.Clone(s.Findings), func(f *golang.Finding) bool { return !o.all && f.Silent() }))
		code = max(code, c.writeReport(o.sarif, text, err))
	}
	if o.html+o.sarif != "" && !o.fix && !o.diff {
		return code
	}
	return max(code, c.showFindings(s.Findings, o))
}

// showFindings prints findings, and replaces loops where that is asked for.
func (c *command) showFindings(findings []*golang.Finding, o vetOptions) int {
	if o.fix || o.diff {
		return c.fixFindings(findings, o)
	}
	for _, f := range findings {
		switch {
		case !o.all && f.Silent():
		case o.asJSON:
			if err := c.printFinding(f); err != nil {
				return c.errorf("%v", err)
			}
		default:
			c.stdout.printf("%s: %s\n", f.Pos, f.Message())
		}
	}
	return exitMatched
}

func (c *command) printFinding(f *golang.Finding) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	c.stdout.Write(append(line, '\n'))
	return nil
}

// survey is what was found in packages.
type survey struct {
	Findings []*golang.Finding // once each
	Sum      golang.Summary
	LeftOut  []string // packages with their errors
	results  []vetted
}

// vet looks at packages, several at once, and returns what it finds in the order of the packages; nil where nothing was
// looked at.
func (c *command) vet(patterns []string, tests bool) (found *survey, code int) {
	packages, problems, err := golang.Load(c.ctx, "", tests, patterns...)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	found = &survey{}
	for _, p := range problems {
		c.errorf("%v", p)
		found.LeftOut = append(found.LeftOut, p.Error())
	}
	if len(packages) == 0 {
		return nil, c.errorf("no package could be loaded")
	}
	var in golang.Inspector
	results := make([]vetted, len(packages))
	var wait sync.WaitGroup
	tickets := make(chan bool, runtime.GOMAXPROCS(0))
	for i, p := range packages {
		wait.Add(1)
		tickets <- true
		go func() {
			defer wait.Done()
			r := &results[i]
			r.name = p.Types.Path()
			r.findings, r.summary, r.err = in.Inspect(c.ctx, p)
			<-tickets
		}()
	}
	wait.Wait()
	if c.ctx.Err() != nil {
		return nil, exitInterrupted
	}
	code = exitMatched
	if len(problems) > 0 {
		code = exitRefused
	}
	found.results = results
	return found, c.collect(found, code)
}

// vetted is what was found in a package.
type vetted struct {
	name     string
	findings []*golang.Finding
	summary  golang.Summary
	err      error
}

// collect lists findings once each, and counts: a package and its variant for tests have files in common.
func (c *command) collect(found *survey, code int) int {
	here, _ := os.Getwd()
	listed := map[token.Position]bool{}
	for _, r := range found.results {
		if r.err != nil {
			c.errorf("%v", r.err)
			found.LeftOut = append(found.LeftOut, r.err.Error())
			code = exitRefused
			continue
		}
		found.Sum.Add(r.summary)
		slices.SortStableFunc(r.findings, func(a, b *golang.Finding) int { return strings.Compare(a.Pos.Filename, b.Pos.Filename) })
		for _, f := range r.findings {
			if listed[f.Pos] {
				continue
			}
			listed[f.Pos] = true
			f.Pos.Filename = relative(here, f.Pos.Filename)
			found.Findings = append(found.Findings, f)
		}
	}
	sum := found.Sum
	fmt.Fprintf(c.stderr, "rfactor vet: %s in %s: %d innermost ones carry values, %d were read, %d have an answer\n",
		count(sum.Loops, "loop"), count(len(found.results), "package"), sum.Carried, sum.Read, sum.Answered)
	return code
}

// relative writes a path from here, where that is below.
func relative(here, path string) string {
	if r, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return path
}

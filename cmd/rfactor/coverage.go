package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

var coverageVerb = verbs.Verb{
	Name:  "coverage",
	About: "matches every update of a corpus and sums up",
	Run:   with(runCoverage),
	Usage: `[flags] CORPUS.tsv | -

Examples:
  rfactor coverage -assume all testdata/corpus/updates.tsv
  rfactor coverage -assume all -matchers greedy,egraph,all testdata/corpus/updates.tsv
  rfactor coverage -json -proof testdata/corpus/updates.tsv | rfactor verify

Columns are tab-separated: name, source, types, update, and optionally class, form, base
and, in the fourteenth, what is given as in match -given; lines that begin with # are comments, and no two
have one name. Each name in -matchers is an experiment of its own, and the summary puts them side by side. Times include proving an operator when it is
used first; make bench-match measures warm times.
Exit code 0, or 2 where an update cannot be read; refusals are results here.`,
}

// experiment is the corpus matched in one way.
type experiment struct {
	name    string
	ways    rfactor.Matchers
	answers []*rfactor.Answer // one per line
	times   []time.Duration   // of the lines that could be read
}

func runCoverage(c *command, args []string) int {
	fs := cli.NewFlags()
	assume := verbs.AssumeFlag(fs)
	effort := verbs.EffortFlag(fs, "each match", rfactor.DefaultEffort)
	table, rulesFile := verbs.TableFlag(fs), verbs.RulesFlag(fs)
	asJSON := fs.Bool("json", false, "print one JSON object a line and nothing else; of several experiments each says under matchers\nwhich it is of")
	summaryFile := fs.String("summary", "", "write the summary to `FILE`, as JSON with -json, instead of below the lines")
	proof := fs.Bool("proof", false, "with -json: add the certificates that rfactor verify replays")
	experiments := experimentsFlag(fs)
	rest, code, ok := c.Parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.Errorf("%v", c.Missing("a corpus"))
	case *proof && !*asJSON:
		return c.Errorf("-proof needs -json")
	}
	own, err := c.ReadTable(*table)
	if err != nil {
		return c.Errorf("%v", err)
	}
	ownRules, err := c.ReadRules(*rulesFile)
	if err != nil {
		return c.Errorf("%v", err)
	}
	lines, err := c.readCorpus(rest[0])
	if err != nil {
		return c.Errorf("%v", err)
	}
	bar := cli.NewBar(c.Stderr, len(lines)*len(*experiments))
	defer bar.Clear()
	for i := range *experiments {
		e := &(*experiments)[i]
		for _, l := range lines {
			bar.Step(e.name + " " + l.Name)
			a, err := c.matchLine(l, rfactor.Options{Name: l.Name, Allowed: assume.Allowed, Named: assume.Named, Matchers: e.ways, Effort: *effort, Table: own, Rules: ownRules, Describe: *proof})
			if err != nil {
				return verbs.Interrupted
			}
			if a.Status == rfactor.Failed {
				code = verbs.BadInput
				bar.Clear()
				c.Errorf("%s:%d: %s", rest[0], l.Line, a.Reason)
			} else {
				e.times = append(e.times, a.Elapsed)
			}
			e.answers = append(e.answers, a)
			switch {
			case *asJSON:
				of := ""
				if len(*experiments) > 1 {
					of = e.name
				}
				if err := c.printAnswer(a, *proof, of); err != nil {
					code = c.Errorf("%s: %v", l.Name, err)
				}
			case len(*experiments) == 1:
				code = max(code, c.Guarded(func() int {
					c.Stdout.Printf("%s", lineText(l, a))
					return verbs.Matched
				}))
			}
		}
	}
	bar.Clear()
	if bad := len(lines)*len(*experiments) - answered(*experiments); bad > 0 {
		c.Errorf("%s could not be read or matched: the summary has no times of them", cli.Count(bad, "line"))
	}
	if *summaryFile != "" {
		err := save.File(*summaryFile, func(w io.Writer) error {
			if *asJSON {
				return json.NewEncoder(w).Encode(newSummaryRecord(lines, *experiments))
			}
			_, err := io.WriteString(w, summary(lines, *experiments))
			return err
		})
		if err != nil {
			return c.Errorf("-summary: %v", err)
		}
		fmt.Fprintf(c.Stderr, "rfactor coverage: the summary of %s is in %s\n", cli.Count(len(lines), "line"), *summaryFile)
	} else if !*asJSON {
		c.Stdout.Printf("%s", summary(lines, *experiments))
	}
	return code
}

// answered counts the lines of experiments that have an answer or a refusal.
func answered(experiments []experiment) (n int) {
	for _, e := range experiments {
		n += len(e.times)
	}
	return n
}

// experimentsFlag is a flag whose every word is an experiment of its own.
func experimentsFlag(fs *flag.FlagSet) *[]experiment {
	list := []experiment{{name: "all", ways: rfactor.AllMatchers}}
	fs.Func("matchers", "`LIST` of experiments (default all);\negraph is saturation alone, greedy the same table after a greedy simplifier;"+cli.OneOf(verbs.WayNames()), func(s string) error {
		list = nil
		for name := range strings.SplitSeq(s, ",") {
			name = strings.TrimSpace(name)
			w, err := verbs.ParseWay(name)
			if err != nil {
				return err
			}
			list = append(list, experiment{name: name, ways: w})
		}
		return nil
	})
	return &list
}

func (c *command) readCorpus(name string) ([]program.CorpusLine, error) {
	if name == "-" {
		return program.ReadCorpus(c.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: there is no update in it", name)
	}
	return lines, nil
}

// matchLine matches one line. An update that cannot be read is an answer of its own; an
// error means that the user interrupted.
func (c *command) matchLine(l program.CorpusLine, opts rfactor.Options) (*rfactor.Answer, error) {
	u, err := l.Update()
	if err != nil {
		return failure(l.Name, err), nil
	}
	a, err := rfactor.Match(c.Ctx, u, opts)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return failure(l.Name, err), nil
	}
	return a, nil
}

// lineText is what is printed of one update: columns apart by tabs.
func lineText(l program.CorpusLine, a *rfactor.Answer) string {
	what := a.Reason
	if a.Status.IsAnswer() {
		what = operatorText(a)
		if a.Assumes != 0 {
			what += "  assumes " + assumed(a.Assumes)
		}
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\n", l.Name, l.Class, a.Status, a.Via(), micros(a.Elapsed), what)
}

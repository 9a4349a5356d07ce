package gocode

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

func runVet(c *command, args []string) int {
	fs := cli.NewFlags()
	var o vetOptions
	fs.BoolVar(&o.all, "all", false, "report plain sums, and loops without an answer, too")
	tests := fs.Bool("test", false, "look at tests, too")
	fs.BoolVar(&o.asJSON, "json", false, "print one JSON object a loop")
	fs.BoolVar(&o.fix, "fix", false, "let loops run in parallel where they are long, and say of each other answer why not")
	fs.BoolVar(&o.diff, "diff", false, "print what -fix would change, and change nothing")
	strict := fs.Bool("strict", false, "accept no answer that takes variables of different names to be apart (noalias)")
	par := fs.String("import", "", "with -fix, import package par from `PATH`, which the module has, instead of writing it to internal/par")
	fs.StringVar(&o.sarif, "sarif", "", "write what is reported to `FILE` as SARIF 2.1.0 instead")
	fs.StringVar(&o.html, "html", "", "write a page about all loops to `FILE` instead")
	fs.Func("category", "report findings of these `CATEGORIES` only, with commas between them;"+cli.OneOf(golang.Categories), func(s string) (err error) {
		for name := range strings.SplitSeq(s, ",") {
			err = errors.Join(err, cli.CheckChoice("category", name, golang.Categories))
			o.categories = append(o.categories, name)
		}
		return err
	})
	fs.StringVar(&o.baseline, "baseline", "", "do not report the findings that `FILE` lists")
	fs.BoolVar(&o.accept, "accept", false, "write what would be reported to the file of -baseline instead")
	fs.StringVar(&o.profile, "pprof", "", "look only at loops that take 1% or more of the time by the processor profile in `FILE`, the longest first")
	fs.BoolVar(&o.fail, "fail", false, "exit with 1 if something is reported")
	rest, code, ok := c.Parse(fs, args, 1<<20)
	if !ok {
		return code
	}
	switch {
	case o.fix && o.diff:
		return c.Errorf("-fix and -diff exclude each other")
	case o.profile != "" && o.html != "":
		return c.Errorf("-pprof and -html exclude each other: a page is about all loops")
	case o.accept && o.baseline == "":
		return c.Errorf("-accept takes -baseline FILE")
	}
	found, code := c.vet(rest, *tests, o.fix || o.diff, &golang.Inspector{Strict: *strict, Par: *par})
	if found == nil {
		return code
	}
	if o.profile != "" {
		var err error
		if found.Findings, o.total, err = found.hotLoops(o.profile); err != nil {
			return c.Errorf("%v", err)
		}
		o.all = true
	}
	return max(code, c.showSurvey(found, o))
}

// vetOptions say what becomes of findings.
type vetOptions struct {
	all, asJSON, fix, diff bool
	sarif, html            string
	categories             []string // empty for all
	baseline               string
	accept, fail           bool
	profile                string
	total                  int64 // nanoseconds of the profile
}

// isReported reports whether a finding is one to tell of.
func (o vetOptions) isReported(f *golang.Finding) bool {
	return (o.all || !f.Silent()) && (len(o.categories) == 0 || slices.Contains(o.categories, f.Category))
}

// showSurvey writes reports into files, or prints findings.
func (c *command) showSurvey(s *survey, o vetOptions) (code int) {
	reported := slices.DeleteFunc(slices.Clone(s.Findings), func(f *golang.Finding) bool { return !o.isReported(f) })
	if o.accept {
		if err := writeBaseline(o.baseline, reported); err != nil {
			return c.Errorf("%v", err)
		}
		fmt.Fprintf(c.Stderr, "rfactor vet: %s accepted\n", cli.Count(len(reported), "finding"))
		return verbs.Matched
	}
	if o.baseline != "" {
		var err error
		if reported, err = withoutBaseline(o.baseline, reported); err != nil {
			return c.Errorf("%v", err)
		}
	}
	if o.fail && len(reported) > 0 {
		code = verbs.Refused
	}
	if o.html != "" {
		code = max(code, c.writeReport(o.html, vetHTML(s), nil))
	}
	if o.sarif != "" {
		text, err := sarif(reported)
		code = max(code, c.writeReport(o.sarif, text, err))
	}
	switch {
	case o.fix || o.diff:
		return max(code, c.fixFindings(o.fixed(s.Findings), o))
	case o.html+o.sarif != "":
		return code
	}
	return max(code, c.showFindings(reported, o))
}

// fixed are the findings whose loops may be replaced: those of the categories, shown or not.
func (o vetOptions) fixed(findings []*golang.Finding) []*golang.Finding {
	o.all = true
	return slices.DeleteFunc(slices.Clone(findings), func(f *golang.Finding) bool { return !o.isReported(f) })
}

// showFindings prints findings.
func (c *command) showFindings(findings []*golang.Finding, o vetOptions) int {
	for _, f := range findings {
		if o.asJSON {
			if err := c.printFinding(f); err != nil {
				return c.Errorf("%v", err)
			}
			continue
		}
		c.Stdout.Printf("%s: %s%s\n", f.Pos, share(f, o.total), f.Message())
		if f.Source != "" {
			c.Stdout.Printf("\t%s\n", f.Source)
		}
	}
	return verbs.Matched
}

func (c *command) printFinding(f *golang.Finding) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	c.Stdout.Write(append(line, '\n'))
	return nil
}

// survey is what was found in packages.
type survey struct {
	Findings []*golang.Finding // once each
	Sum      golang.Summary
	LeftOut  []string // packages with their errors
	results  []*golang.Result
	paths    map[*golang.Finding]string // of their packages
}

// vet looks at packages, several at once, and returns what it finds in the order of the packages; nil where nothing was
// looked at. What was found before in packages that have not changed is remembered, but for tests, and where loops are to be changed.
func (c *command) vet(patterns []string, tests, changes bool, in *golang.Inspector) (found *survey, code int) {
	found = &survey{}
	var cache *golang.Cache
	needed := patterns
	if !tests && !changes && os.Getenv("RFACTOR_CACHE") != "off" {
		if made, err := golang.NewCache(in, os.Getenv("RFACTOR_CACHE")); err == nil {
			results, missing, err := made.Lookup(c.Ctx, "", patterns...)
			if err == nil && len(results) > 0 {
				cache, found.results, needed = made, results, missing
			}
		}
	}
	bar := cli.NewBar(c.Stderr, len(found.results))
	bar.At(0, len(found.results), "loading")
	defer bar.Clear()
	problems, err := []error(nil), error(nil)
	if cache != nil {
		problems, err = golang.LoadInBatches(c.Ctx, "", needed, func(list []*golang.Package) { c.inspect(list, found.results, in, changes, bar) })
	} else {
		var packages []*golang.Package
		packages, problems, err = golang.Load(c.Ctx, "", tests, patterns...)
		for _, p := range packages {
			found.results = append(found.results, &golang.Result{Path: p.Types.Path()})
		}
		c.inspect(packages, found.results, in, changes, bar)
	}
	bar.Clear()
	if err != nil {
		return nil, c.Errorf("%v", err)
	}
	for _, p := range problems {
		c.Errorf("%v", p)
		found.LeftOut = append(found.LeftOut, p.Error())
	}
	if c.Ctx.Err() != nil {
		return nil, verbs.Interrupted
	}
	found.results = slices.DeleteFunc(found.results, func(r *golang.Result) bool { return !r.Known && r.Err == nil }) // left out
	if len(found.results) == 0 {
		return nil, c.Errorf("no package could be loaded")
	}
	if cache != nil && len(needed) > 0 {
		cache.Store(found.results)
	}
	code = verbs.Matched
	if len(found.LeftOut) > 0 {
		code = verbs.Refused
	}
	return found, c.collect(found, code)
}

// inspect fills in the results that are not known: those of packages in their order, or by path. Packages are inspected after those that they
// import, so that of as few as possible more is held than what their functions do.
func (c *command) inspect(packages []*golang.Package, results []*golang.Result, in *golang.Inspector, changes bool, bar *cli.Bar) {
	byPath := map[string][]*golang.Result{} // a package and its variants for tests have one path
	for _, r := range results {
		byPath[r.Path] = append(byPath[r.Path], r)
	}
	of := map[*golang.Package]*golang.Result{}
	for _, p := range packages {
		if list := byPath[p.Types.Path()]; len(list) > 0 {
			of[p], byPath[p.Types.Path()] = list[0], list[1:]
		}
	}
	packages = golang.InOrder(packages)
	var wait sync.WaitGroup
	tickets := make(chan bool, runtime.GOMAXPROCS(0))
	known := 0
	for _, r := range results {
		if r.Known {
			known++
		}
	}
	for i, p := range packages {
		r := of[p]
		packages[i] = nil
		if r == nil || r.Known {
			continue
		}
		delete(of, p)
		wait.Add(1)
		tickets <- true
		bar.At(known, len(results), path.Base(r.Path))
		known++
		go func() {
			defer wait.Done()
			r.Err = guard.Call(func() (err error) {
				r.Findings, r.Summary, err = in.Inspect(c.Ctx, p)
				return err
			})
			if broken := (*guard.Error)(nil); errors.As(r.Err, &broken) {
				r.Err = fmt.Errorf("%s: %w", r.Path, r.Err)
			}
			r.Known = r.Err == nil
			if !changes {
				p.Forget()
			}
			<-tickets
		}()
	}
	wait.Wait()
}

// collect lists findings once each, and counts: a package and its variant for tests have files in common.
func (c *command) collect(found *survey, code int) int {
	here, _ := os.Getwd()
	listed := map[token.Position]bool{}
	found.paths = map[*golang.Finding]string{}
	for _, r := range found.results {
		if r.Err != nil {
			c.Errorf("%v", r.Err)
			found.LeftOut = append(found.LeftOut, r.Err.Error())
			code = verbs.Refused
			continue
		}
		found.Sum.Add(r.Summary)
		slices.SortStableFunc(r.Findings, func(a, b *golang.Finding) int { return strings.Compare(a.Pos.Filename, b.Pos.Filename) })
		for _, f := range r.Findings {
			if listed[f.Pos] {
				continue
			}
			listed[f.Pos] = true
			f.Pos.Filename = relative(here, f.Pos.Filename)
			for i := range f.Obstacles {
				f.Obstacles[i].Pos.Filename = relative(here, f.Obstacles[i].Pos.Filename)
			}
			found.Findings = append(found.Findings, f)
			found.paths[f] = r.Path
		}
	}
	sum := found.Sum
	fmt.Fprintf(c.Stderr, "rfactor vet: %s in %s: %d innermost ones carry values, %d were read, %d have an answer\n",
		cli.Count(sum.Loops, "loop"), cli.Count(len(found.results), "package"), sum.Carried, sum.Read, sum.Answered)
	return code
}

// relative writes a path from here, where that is below.
func relative(here, path string) string {
	if r, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return path
}

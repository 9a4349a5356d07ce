package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var runVerb = verb{
	name:  "run",
	about: "runs a program with its schedule on data",
	run:   runRun,
	usage: `FILE.rf -in NAME=DATA.npy... [-param NAME=VALUE...] [-out OUT.npy] [-auto]

Examples:
  rfactor run sum.rf -in input=data.npy
  rfactor run histogram.rf -in in=photo.jpeg -out hist.npy
  rfactor run complex-product.rf -in in=re.npy,im.npy -param n=1000 -verify

Data are .npy files, one for each component of an input, separated by commas, or a PNG or
JPEG image for a two-dimensional u8 input: its luminance. The last axis of a .npy file is
the program's first dimension; both lie contiguous. -given is promised of every update that is
factored.
With -out, a program of several functions or components writes several files: OUT.f.npy,
OUT.0.npy, OUT.f.0.npy. Without, results are printed.
Exit code 0: it ran; 1: the schedule was refused, or -verify found a difference
or cannot tell; 2: bad usage or input. Nothing is written in the latter cases.`,
}

// runFlags is what the user asks of run.
type runFlags struct {
	inputs map[string]string // files by name of an input
	params map[string]string
	factor plan.Options
	out    string
	verify bool
	asJSON bool
	auto   *autoFlag
	how    *matching
}

func newRunFlags(fs *flag.FlagSet) *runFlags {
	f := &runFlags{inputs: map[string]string{}, params: map[string]string{}}
	fs.Var(pairInto(f.inputs), "in", "`NAME=FILE` of an input's data; several files for several components, separated by commas")
	fs.Var(pairInto(f.params), "param", "`NAME=VALUE` of a parameter")
	fs.Var(cli.ListFunc(f.extent), "extent", "`NAME=MIN:EXTENT,...` of an output's dimensions, where the program does not tell")
	fs.StringVar(&f.out, "out", "", "write the results to `FILE`.npy instead of printing them; -json prints the names of the files")
	f.auto = newAutoFlag(fs)
	fs.BoolVar(&f.verify, "verify", false, "compare with the serial program, which is slow, and report the difference")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object for each function")
	f.how = matchingFlags(fs)
	return f
}

// pairInto reads NAME=VALUE, each name once.
func pairInto(m map[string]string) cli.ListFunc {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" || value == "" {
			return fmt.Errorf("expected NAME=VALUE, not %s", cli.Quote(s))
		}
		if _, twice := m[name]; twice {
			return fmt.Errorf("%s is given twice", name)
		}
		m[name] = value
		return nil
	}
}

func (f *runFlags) extent(s string) error {
	name, list, _ := strings.Cut(s, "=")
	if _, twice := f.factor.Extents[name]; twice {
		return fmt.Errorf("%s is given twice", name)
	}
	if f.factor.Extents == nil {
		f.factor.Extents = map[string]ndarray.Box{}
	}
	for dim := range strings.SplitSeq(list, ",") {
		lo, n, _ := strings.Cut(dim, ":")
		a, err := strconv.ParseInt(lo, 10, 32)
		b, err2 := strconv.ParseInt(n, 10, 32)
		if errors.Join(err, err2) != nil || b < 0 || name == "" {
			return fmt.Errorf("expected NAME=MIN:EXTENT,..., not %s", cli.Quote(s))
		}
		f.factor.Extents[name] = append(f.factor.Extents[name], ndarray.Range{Min: int(a), Extent: int(b)})
	}
	return nil
}

// known reports an -extent of what the program does not define.
func (f *runFlags) known(prog *program.Program) error {
	for _, name := range slices.Sorted(maps.Keys(f.factor.Extents)) {
		if prog.Func(name) == nil {
			return fmt.Errorf("-extent: the program defines no %s", name)
		}
	}
	return nil
}

func runRun(c *command, args []string) int {
	fs := cli.NewFlags()
	f := newRunFlags(fs)
	rest, code, ok := c.parseMatching(fs, f.how, args)
	if !ok {
		return code
	}
	if len(rest) == 0 {
		return c.errorf("%v", c.missing("a program"))
	}
	f.factor.Match, f.factor.Given, f.factor.Auto = f.how.options(""), *f.how.given, f.auto.on
	name, text, err := c.source(rest[0])
	if err != nil {
		return c.errorf("%v", err)
	}
	prog, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		return c.errorf("%v", err)
	}
	if err := f.known(prog); err != nil {
		return c.errorf("%v", err)
	}
	in, err := f.read(prog)
	if err != nil {
		return c.errorf("%v", err)
	}
	p, err := plan.Factor(c.ctx, prog, f.factor)
	if err != nil {
		c.errorf("%v", err)
		return exitRefused
	}
	if code := c.reportSerial(p, f.auto.strict); code != 0 {
		return code
	}
	return c.execute(p, in, f)
}

// execute runs a plan and shows what it gives.
func (c *command) execute(planned *plan.Plan, in *plan.Inputs, f *runFlags) int {
	bar := cli.NewBar(c.stderr, 1000)
	p, err := lower.Compile(planned, lower.RunOptions{Progress: func(done float64, stages int) {
		bar.At(int(done/float64(stages)*1000), 1000, "running")
	}})
	if err != nil {
		return c.errorf("%v", err)
	}
	out, err := p.Run(c.ctx, in)
	bar.Clear()
	if err != nil {
		return c.errorf("%v", err)
	}
	if f.verify {
		if code := c.compare(planned, in, out, f.factor); code != 0 {
			return code
		}
	}
	var files map[string][]string
	if f.out != "" {
		if files, err = writeResults(f.out, planned.Program, out); err != nil {
			return c.errorf("%v", err)
		}
	}
	for _, fn := range planned.Program.Funcs {
		switch {
		case f.asJSON:
			c.writeRecord(newResultRecord(fn, out[fn.Name], files[fn.Name], serialRecords(planned, fn)))
		case f.out == "":
			c.showResult(fn, out[fn.Name])
		}
	}
	return 0
}

// read reads the files of inputs, and parameters.
func (f *runFlags) read(prog *program.Program) (*plan.Inputs, error) {
	if err := f.checkNames(prog); err != nil {
		return nil, err
	}
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{}}
	for _, d := range prog.Inputs {
		files, ok := f.inputs[d.Name]
		if !ok {
			return nil, fmt.Errorf("the input %s is missing: -in %s=FILE%s", d.Name, d.Name, strings.Repeat(",FILE", len(d.Types)-1))
		}
		a, err := readInput(d, strings.Split(files, ","))
		if err != nil {
			return nil, fmt.Errorf("the input %s: %w", d.Name, err)
		}
		in.Arrays[d.Name] = a
	}
	for _, k := range prog.Params {
		text, ok := f.params[k.Name]
		if !ok {
			return nil, fmt.Errorf("the parameter %s has no value: -param %s=VALUE", k.Name, k.Name)
		}
		v, err := program.ParseValue(k.Var.Type(), text)
		if err != nil {
			return nil, fmt.Errorf("the parameter %s: %w", k.Name, err)
		}
		in.Params[k.Name] = v
	}
	return in, in.Check(prog)
}

// checkNames refuses what is given and not used: a misspelt name is told before one that is
// missing for it.
func (f *runFlags) checkNames(prog *program.Program) error {
	var inputs, params []string
	for _, d := range prog.Inputs {
		inputs = append(inputs, d.Name)
	}
	for _, k := range prog.Params {
		params = append(params, k.Name)
	}
	for _, given := range []struct {
		what   string
		values map[string]string
		names  []string
	}{{"input", f.inputs, inputs}, {"parameter", f.params, params}} {
		for _, name := range slices.Sorted(maps.Keys(given.values)) {
			switch {
			case slices.Contains(given.names, name):
			case len(given.names) == 0:
				return fmt.Errorf("%s has no %s, and so no %s", prog.Source.Name, given.what, name)
			default:
				return fmt.Errorf("%s has no %s %s: it has %s", prog.Source.Name, given.what, name, strings.Join(given.names, ", "))
			}
		}
	}
	return nil
}

// readInput reads one file for each component.
func readInput(d *program.Input, files []string) (*ndarray.Array, error) {
	if len(files) != len(d.Types) {
		return nil, fmt.Errorf("it has %s, and %s given", count(len(d.Types), "component"), count(len(files), "file"))
	}
	var all *ndarray.Array
	for _, name := range files {
		a, err := readArray(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case all == nil:
			all = a
			continue
		case fmt.Sprint(a.Dims) != fmt.Sprint(all.Dims):
			return nil, fmt.Errorf("%s and %s differ in shape", files[0], name)
		}
		all.Data = append(all.Data, a.Data...)
	}
	return all, nil
}

func readArray(name string) (*ndarray.Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".png", ".jpg", ".jpeg":
		return readImage(f)
	}
	return npy.Read(f)
}

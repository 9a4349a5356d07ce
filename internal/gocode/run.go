package gocode

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/ndarray/npy"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// runFlags is what the user asks of run.
type runFlags struct {
	arrays map[string]*ndarray.Array // by file, read once
	inputs map[string]string         // files by name of an input
	params map[string]string
	factor plan.Options
	out    string
	verify bool
	asJSON bool
	auto   *verbs.AutoFlag
	how    *verbs.Matching
}

func newRunFlags(fs *flag.FlagSet) *runFlags {
	f := &runFlags{arrays: map[string]*ndarray.Array{}, inputs: map[string]string{}, params: map[string]string{}}
	fs.Var(pairInto(f.inputs), "in", "`NAME=FILE` of an input's data; several files for several components, separated by commas")
	fs.Var(pairInto(f.params), "param", "`NAME=VALUE` of a parameter")
	verbs.ExtentFlag(fs, &f.factor)
	fs.StringVar(&f.out, "out", "", "write the results to `FILE`.npy instead of printing them; -json prints the names of the files")
	f.auto = verbs.NewAutoFlag(fs)
	fs.BoolVar(&f.verify, "verify", false, "compare with the serial program, which is slow, and report the difference")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object for each function")
	f.how = verbs.MatchingFlags(fs)
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

func runRun(c *command, args []string) int {
	fs := cli.NewFlags()
	f := newRunFlags(fs)
	rest, code, ok := c.ParseMatching(fs, f.how, args)
	if !ok {
		return code
	}
	if len(rest) == 0 {
		return c.Errorf("%v", c.Missing("a program"))
	}
	f.factor.Match, f.factor.Given, f.factor.Auto = f.how.Options(""), *f.how.Given, f.auto.On
	prog, err := c.ReadProgram(rest[0], f.factor, f.defaultType())
	if err != nil {
		return c.Errorf("%v", err)
	}
	in, err := f.read(prog)
	if err == nil {
		err = rangeOver(prog, in)
	}
	if err != nil {
		return c.Errorf("%v", err)
	}
	p, err := plan.Factor(c.Ctx, prog, f.factor)
	if code := c.FactorCode(err); code != 0 {
		return code
	}
	if code := c.ReportSchedule(p, f.auto.Strict); code != 0 {
		return code
	}
	return c.execute(p, in, f)
}

// execute runs a plan and shows what it gives.
func (c *command) execute(planned *plan.Plan, in *plan.Inputs, f *runFlags) int {
	bar := cli.NewBar(c.Stderr, 1000)
	p, err := lower.Compile(planned, lower.RunOptions{Progress: func(done float64, stages int) {
		bar.At(int(done/float64(stages)*1000), 1000, "running")
	}})
	if err != nil {
		return c.Errorf("%v", err)
	}
	out, err := p.Run(c.Ctx, in)
	bar.Clear()
	if err != nil {
		return c.Errorf("%v", err)
	}
	if f.verify {
		if code := c.compare(planned, in, out, f.factor); code != 0 {
			return code
		}
	}
	var files map[string][]string
	if f.out != "" {
		if files, err = writeResults(f.out, planned.Program, out); err != nil {
			return c.Errorf("%v", err)
		}
	}
	for _, fn := range planned.Program.Funcs {
		switch {
		case f.asJSON:
			c.WriteRecord(newResultRecord(fn, out[fn.Name], files[fn.Name], verbs.SerialRecords(planned, fn)))
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
		a, err := f.readInput(d, strings.Split(files, ","))
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
func (f *runFlags) readInput(d *program.Input, files []string) (*ndarray.Array, error) {
	if len(files) != len(d.Types) {
		return nil, fmt.Errorf("it has %s, and %s given", cli.Count(len(d.Types), "component"), cli.Count(len(files), "file"))
	}
	var all *ndarray.Array
	for _, name := range files {
		a, err := f.readArray(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case all == nil:
			all = a
			continue
		case fmt.Sprint(a.Dims) != fmt.Sprint(all.Dims):
			return nil, fmt.Errorf("%s and %s differ in shape", files[0], name)
		}
		all = &ndarray.Array{Dims: all.Dims, Data: slices.Concat(all.Data, a.Data)}
	}
	return all, nil
}

func (f *runFlags) readArray(name string) (*ndarray.Array, error) {
	if a := f.arrays[name]; a != nil {
		return a, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read := func() (*ndarray.Array, error) { return npy.Read(file) }
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".png", ".jpg", ".jpeg":
		read = func() (*ndarray.Array, error) { return readImage(file) }
	}
	f.arrays[name], err = read()
	return f.arrays[name], err
}

// defaultType is that of the first array: what the inputs of a program have that declares nothing.
func (f *runFlags) defaultType() ir.Type {
	for _, name := range slices.Sorted(maps.Keys(f.inputs)) {
		file, _, _ := strings.Cut(f.inputs[name], ",")
		if a, err := f.readArray(file); err == nil {
			return ndarray.TypeOf(a.Data[0])
		}
	}
	return ir.Invalid
}

// rangeOver lets domains that are not declared run over the arrays that are read at their coordinates.
func rangeOver(prog *program.Program, in *plan.Inputs) (err error) {
	for _, d := range prog.Definitions() {
		if d.Domain == nil {
			continue
		}
		declared := slices.ContainsFunc(d.Domain.Dims, func(dim program.Dim) bool { return dim.Extent.IsValid() })
		ir.Walk(slices.Concat(d.Args, d.Values), func(e ir.Expr) {
			if e.Op() != ir.Call || in.Arrays[e.Name()] == nil || declared {
				return
			}
			for i, n := range in.Arrays[e.Name()].Dims {
				for k := range d.Domain.Dims {
					dim := &d.Domain.Dims[k]
					extent := prog.Pool.Int(ir.I32, int64(n.Extent))
					switch {
					case e.Arg(i) != dim.Var:
					case dim.Extent.IsValid() && dim.Extent != extent:
						err = prog.Source.Errorf(d.Pos, "%s runs over %s elements of one array and %s of another: declare RDom %s(0, n)", dim.Var, dim.Extent, extent, d.Domain.Name)
					default:
						dim.Min, dim.Extent = prog.Pool.Int(ir.I32, 0), extent
					}
				}
			}
		})
	}
	return err
}

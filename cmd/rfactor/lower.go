package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var lowerVerb = verb{
	name:  "lower",
	about: "emits a program with its schedule as a Go package",
	run:   runLower,
	usage: `FILE.rf -o DIR [-package NAME] [-auto] [-extent NAME=MIN:EXTENT,...]

Examples:
  rfactor lower sum.rf -o sum
  rfactor lower histogram.rf -o internal/hist -package hist
  rfactor lower plain.rf -o plain -auto

The package has the function, a plain and, with GOEXPERIMENT=simd and Go 1.27, a vector
kernel, a test that compares them with the serial program, and a benchmark. It imports the
standard library alone.
Exit code 0: written; 1: the schedule was refused; 2: bad usage or input. Nothing is
written in the latter cases.`,
}

func runLower(c *command, args []string) int {
	fs := newFlags()
	dir := fs.String("o", "", "`DIR` that the files go to; it is made where it is missing")
	pkg := fs.String("package", "", "`NAME` of the package (default: that of the program's file)")
	auto := fs.Bool("auto", false, "choose a schedule, where the program has none")
	var run runFlags
	fs.Func("extent", "`NAME=MIN:EXTENT,...` of an output's dimensions, where the program does not tell", run.extent)
	assume := assumeFlag(fs)
	effort := effortFlag(fs)
	rest, code, ok := c.parse(fs, args, 1)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.errorf("a program is missing: rfactor lower FILE.rf -o DIR")
	case *dir == "":
		return c.errorf("a directory is missing: rfactor lower FILE.rf -o DIR")
	}
	name, text, err := c.source(rest[0])
	if err != nil {
		return c.errorf("%v", err)
	}
	prog, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		return c.errorf("%v", err)
	}
	if err := run.known(prog); err != nil {
		return c.errorf("%v", err)
	}
	p, err := plan.Factor(c.ctx, prog, plan.Options{Match: rfactor.Options{Allowed: assume.allowed, Uncompensated: assume.uncompensated, Effort: *effort}, Auto: *auto, Extents: run.factor.Extents})
	if err != nil {
		c.errorf("%v", err)
		return exitRefused
	}
	files, err := lower.Source(p, lower.SourceOptions{Package: *pkg})
	if err != nil {
		return c.errorf("%v", err)
	}
	if err := writeFiles(*dir, files); err != nil {
		return c.errorf("%v", err)
	}
	for _, f := range slices.Sorted(maps.Keys(files)) {
		c.stdout.printf("%s\n", filepath.Join(*dir, f))
	}
	return 0
}

// writeFiles writes the files of a package.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

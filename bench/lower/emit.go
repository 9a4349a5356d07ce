package lower

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/emitted"
	"github.com/rfactor-go/rfactor/bench/lower/blocks"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// reduction is a program that is measured.
type reduction struct {
	name  string // of its file
	file  string
	pkg   string
	fn    string // that the package has
	prog  *program.Program
	bytes int    // read for each element
	data  string // the kind of its elements, which a line "// Data: KIND" names
}

// readAll reads the programs that are asked for.
func readAll(o *options) ([]*reduction, error) {
	files, err := filepath.Glob(filepath.Join(o.dir, "*.rf"))
	if err != nil {
		return nil, err
	}
	var out []*reduction
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".rf")
		if !o.only.MatchString(name) {
			continue
		}
		r, err := read(file, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no program in %s is asked for", o.dir)
	}
	return out, nil
}

func read(file, name string) (*reduction, error) {
	prog, err := blocks.Parse(file)
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	r := &reduction{name: name, file: file, pkg: strings.ReplaceAll(name, "-", ""), prog: prog}
	if m := dataLine.FindStringSubmatch(prog.Source.Text); m != nil {
		r.data = m[1]
	}
	for _, in := range prog.Inputs {
		for _, t := range in.Types {
			r.bytes += t.Bits() / 8
		}
	}
	var names []string
	for _, f := range prog.Funcs {
		names = append(names, strings.ToUpper(f.Name[:1])+f.Name[1:])
	}
	r.fn = strings.Join(names, "And")
	return r, nil
}

// emit writes a module with two packages for each program, one of them without its schedule, and a
// command that runs them all. It returns the programs that have packages: with -auto, those that have
// an initial definition.
func emit(ctx context.Context, o *options, rs []*reduction, dir string, stderr io.Writer) ([]*reduction, error) {
	var out []*reduction
	for _, r := range rs {
		fmt.Fprintf(stderr, "emitting: %s\n", r.name)
		plain := *r.prog
		plain.Schedule = nil
		scheduled := r.prog
		if o.auto {
			scheduled = &plain
		}
		err := errors.Join(emitPackage(ctx, scheduled, plan.Options{Auto: o.auto}, dir, r.pkg), emitPackage(ctx, &plain, plan.Options{}, dir, r.pkg+"serial", "kernel_simd"))
		switch {
		case err != nil && o.auto:
			fmt.Fprintf(stderr, "%s is left out: %v\n", r.name, err)
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		out = append(out, r)
	}
	return out, writeRunner(ctx, dir, out)
}

// emitPackage writes one package; see emitted.Package.
func emitPackage(ctx context.Context, prog *program.Program, opts plan.Options, dir, pkg string, without ...string) error {
	p, err := blocks.Factor(ctx, prog, opts)
	if err != nil {
		return err
	}
	return emitted.Package(p, dir, pkg, without...)
}

var dataLine = regexp.MustCompile(`(?m)^// Data: (\w+)$`)
